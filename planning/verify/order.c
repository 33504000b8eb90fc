#include "planning/verify/order.h"

#include <assert.h>
#include <string.h>

#include "core/scratch.h"

struct comparison {
    const struct graph *graph, *reordered;
    uint32_t *by_label; /* [labels of graph] the graph's operator of that name, GRAPH_NONE */
    uint32_t *of;       /* [operators of reordered] which operator of graph each is */
    uint32_t *to;       /* [operators of graph] which operator of reordered each is, GRAPH_NONE */
    struct error *error;
};

static const char *name_of(const struct graph *graph, uint32_t op)
{
    return op == GRAPH_NONE ? "the graph" : graph_label(graph, graph->op[op].name);
}

static const char *tensor_name(const struct graph *graph, uint32_t tensor)
{
    return names_get(&graph->tensor_names, tensor);
}

static bool lists_agree(const struct comparison *comparison, struct span first, struct span second)
{
    const uint32_t *a = comparison->graph->list + first.first;
    const uint32_t *b = comparison->reordered->list + second.first;
    assert(first.first + first.count <= comparison->graph->listed);
    assert(second.first + second.count <= comparison->reordered->listed);
    return first.count == second.count &&
           (!first.count || memcmp(a, b, first.count * sizeof *a) == 0);
}

/* Finds for each operator of one graph the operator of the same name in the other. */
static enum status match_operators(const struct comparison *comparison)
{
    const struct graph *first = comparison->graph, *second = comparison->reordered;
    for (uint32_t label = 0; label < first->labels.count; label++)
        comparison->by_label[label] = GRAPH_NONE;
    for (uint32_t o = 0; o < first->operators; o++) {
        comparison->by_label[first->op[o].name] = o;
        comparison->to[o] = GRAPH_NONE;
    }
    for (uint32_t o = 0; o < second->operators; o++) {
        uint32_t label = names_find(&first->labels, name_of(second, o));
        uint32_t match = label == NAMES_NONE ? GRAPH_NONE : comparison->by_label[label];
        if (match == GRAPH_NONE)
            return error_set(comparison->error, STATUS_NO,
                             "the order has operator '%s', which the graph has not",
                             name_of(second, o));
        if (comparison->to[match] != GRAPH_NONE)
            return error_set(comparison->error, STATUS_NO, "the order has operator '%s' twice",
                             name_of(second, o));
        assert(match < first->operators);
        comparison->to[match] = o;
        comparison->of[o] = match;
    }
    return STATUS_OK;
}

/* The place, from 0, of the region that holds the operator among its owner's regions. */
static uint32_t find_region_place(const struct graph *graph, uint32_t op)
{
    uint32_t owner = graph_owner(graph, op), place = 0;
    assert(op < graph->operators);
    uint32_t r = owner == GRAPH_NONE ? graph->op[op].region : graph->op[owner].first_region;
    for (; r != graph->op[op].region; r = graph->region[r].next)
        place++;
    return place;
}

static enum status compare_operator(const struct comparison *comparison, uint32_t o)
{
    const struct graph *graph = comparison->graph, *reordered = comparison->reordered;
    uint32_t match = comparison->of[o];
    assert(match < graph->operators && comparison->to[match] == o);
    const struct graph_operator *first = &graph->op[match], *second = &reordered->op[o];
    bool same = lists_agree(comparison, first->inputs, second->inputs) &&
                lists_agree(comparison, first->outputs, second->outputs) &&
                lists_agree(comparison, first->ignored, second->ignored) &&
                lists_agree(comparison, first->inplace, second->inplace) &&
                first->carried.count == second->carried.count && first->loop == second->loop &&
                first->weights.count == second->weights.count &&
                first->after.count == second->after.count;
    for (uint32_t c = 0; c < first->carried.count && same; c++)
        same = memcmp(&graph->carried[first->carried.first + c],
                      &reordered->carried[second->carried.first + c], sizeof *graph->carried) == 0;
    if (!same)
        return error_set(comparison->error, STATUS_NO,
                         "the order changes what operator '%s' reads or writes",
                         name_of(reordered, o));

    uint32_t r = first->first_region, s = second->first_region;
    while (r != GRAPH_NONE && s != GRAPH_NONE &&
           lists_agree(comparison, graph->region[r].yields, reordered->region[s].yields)) {
        r = graph->region[r].next;
        s = reordered->region[s].next;
    }
    if (r != GRAPH_NONE || s != GRAPH_NONE)
        return error_set(comparison->error, STATUS_NO,
                         "the order changes what a region of '%s' yields", name_of(reordered, o));

    uint32_t expected = graph_owner(graph, match), owner = graph_owner(reordered, o);
    assert(owner == GRAPH_NONE || owner < o);
    if ((owner == GRAPH_NONE ? GRAPH_NONE : comparison->of[owner]) == expected &&
        find_region_place(graph, match) == find_region_place(reordered, o))
        return STATUS_OK;
    return error_set(comparison->error, STATUS_NO,
                     "the order moves operator '%s' from a region of '%s' to one of '%s'",
                     name_of(reordered, o), name_of(graph, expected), name_of(reordered, owner));
}

/* Checks that the tensor, which operator o or the end of one of its regions uses, is written by an
   operator that ends before the one numbered `by`, or is a carried argument of a loop around. */
static enum status check_use(const struct comparison *comparison, uint32_t o, uint32_t tensor,
                             uint32_t by)
{
    const struct graph *graph = comparison->reordered;
    uint32_t producer = graph->tensor[tensor].producer;
    assert(tensor < graph->tensors && by <= graph->operators);
    if (producer == GRAPH_NONE || graph->op[producer].end <= by ||
        (producer < by && graph_find_argument(graph, producer, tensor)))
        return STATUS_OK;
    return error_set(comparison->error, STATUS_NO,
                     "the order runs '%s' before '%s', which writes '%s'", name_of(graph, o),
                     name_of(graph, producer), tensor_name(graph, tensor));
}

static enum status check_uses(const struct comparison *comparison, uint32_t o, struct span uses,
                              uint32_t by)
{
    for (uint32_t i = 0; i < uses.count; i++)
        TRY(check_use(comparison, o, comparison->reordered->list[uses.first + i], by));
    return STATUS_OK;
}

static enum status check_edges(const struct comparison *comparison, uint32_t o)
{
    const struct graph *graph = comparison->reordered, *stored = comparison->graph;
    const struct graph_operator *op = &graph->op[o];
    struct span waits = stored->op[comparison->of[o]].after;
    assert(comparison->of[o] < stored->operators);
    TRY(check_uses(comparison, o, op->inputs, o));
    TRY(check_uses(comparison, o, op->ignored, o));
    for (uint32_t i = 0; i < op->carried.count; i++)
        TRY(check_use(comparison, o, graph->carried[op->carried.first + i].init, o));
    for (uint32_t i = 0; i < op->carried.count; i++)
        TRY(check_use(comparison, o, graph->carried[op->carried.first + i].yield, op->end));
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(check_uses(comparison, o, graph->region[r].yields, graph->region[r].end));
    for (uint32_t i = 0; i < waits.count; i++) {
        uint32_t first = comparison->to[stored->list[waits.first + i]];
        assert(first < graph->operators);
        if (graph->op[first].end > o)
            return error_set(comparison->error, STATUS_NO,
                             "the order runs '%s' before '%s', which it waits for",
                             name_of(graph, o), name_of(graph, first));
    }
    return STATUS_OK;
}

static enum status compare_graphs(const struct comparison *comparison)
{
    const struct graph *first = comparison->graph, *second = comparison->reordered;
    TRY(match_operators(comparison));
    for (uint32_t o = 0; o < second->operators; o++)
        TRY(compare_operator(comparison, o));
    for (uint32_t o = 0; o < second->operators; o++)
        TRY(check_edges(comparison, o));

    /* An operator that writes nothing has an effect outside the graph. */
    uint32_t last = GRAPH_NONE;
    for (uint32_t o = 0; o < first->operators; o++) {
        if (first->op[o].first_region != GRAPH_NONE || first->op[o].outputs.count)
            continue;
        if (last != GRAPH_NONE && comparison->to[last] > comparison->to[o])
            return error_set(comparison->error, STATUS_NO,
                             "the order runs '%s' before '%s'; both write nothing, and their "
                             "effects have to keep their order",
                             name_of(first, o), name_of(first, last));
        last = o;
    }
    if (lists_agree(comparison, first->inputs, second->inputs) &&
        lists_agree(comparison, first->region[0].yields, second->region[0].yields))
        return check_uses(comparison, 0, second->region[0].yields, second->operators);
    return error_set(comparison->error, STATUS_NO,
                     "the order changes the inputs or the outputs of the graph");
}

enum status verify_order(const struct graph *graph, const struct graph *reordered,
                         struct error *error)
{
    struct comparison comparison = {.graph = graph, .reordered = reordered, .error = error};
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t operators = graph->operators;
    if (graph->tensors != reordered->tensors || operators != reordered->operators ||
        graph->regions != reordered->regions)
        return error_set(error, STATUS_NO,
                         "the order has %u operators, %u tensors and %u regions, expected %u, %u "
                         "and %u",
                         reordered->operators, reordered->tensors, reordered->regions, operators,
                         graph->tensors, graph->regions);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        const struct graph_tensor *first = &graph->tensor[t], *second = &reordered->tensor[t];
        if (strcmp(tensor_name(graph, t), tensor_name(reordered, t)) != 0 ||
            first->bytes != second->bytes || first->external != second->external ||
            first->device != second->device)
            return error_set(error, STATUS_NO, "the order changes tensor '%s' into '%s'",
                             tensor_name(graph, t), tensor_name(reordered, t));
    }
    TRY(scratch_take(&scratch, &comparison.by_label, graph->labels.count, sizeof(uint32_t), error));
    TRY(scratch_take_all(&scratch, operators, error, &comparison.of, &comparison.to));
    return compare_graphs(&comparison);
}

enum status verify_order_load(const struct graph *graph, uint64_t *load_bytes, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct span outputs = graph->region[0].yields;
    uint32_t *last;   /* [tensors] the operator until whose end each is needed */
    uint64_t *change; /* [operators + 1] bytes that begin to be needed at each less those that are
                         no longer needed there */
    assert(graph->regions == 1 && graph->operators > 0);
    TRY(scratch_take(&scratch, &last, graph->tensors, sizeof *last, error));
    TRY(scratch_take(&scratch, &change, (size_t)graph->operators + 1, sizeof *change, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        last[t] = graph->tensor[t].producer == GRAPH_NONE ? 0 : graph->tensor[t].producer;
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].inputs.count; i++)
            last[graph->list[graph->op[o].inputs.first + i]] = o;
    for (uint32_t i = 0; i < outputs.count; i++)
        last[graph->list[outputs.first + i]] = graph->operators - 1;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t first = graph->tensor[t].producer;
        if (graph->tensor[t].external)
            continue;
        first = first == GRAPH_NONE ? 0 : first; /* an input of the graph */
        assert(first <= last[t] && last[t] < graph->operators);
        change[first] += graph->tensor[t].bytes;
        change[last[t] + 1] -= graph->tensor[t].bytes;
    }
    uint64_t needed = *load_bytes = 0;
    for (uint32_t o = 0; o < graph->operators; o++) {
        needed += change[o];
        *load_bytes = needed > *load_bytes ? needed : *load_bytes;
    }
    assert(needed + change[graph->operators] == 0);
    return STATUS_OK;
}
