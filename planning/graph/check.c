#include "planning/graph/build.h"

#include <assert.h>

#include "core/scratch.h"
#include "planning/graph/happens_before.h"

struct check {
    struct graph *graph;
    bool *is_input; /* [tensors] graph inputs */
    uint32_t fault; /* operator looked at, for the caller's message */
    struct error *error;
};

static const char *tensor_name(const struct check *check, uint32_t tensor)
{
    return names_get(&check->graph->tensor_names, tensor);
}

static const char *operator_name(const struct check *check, uint32_t op)
{
    return graph_label(check->graph, check->graph->op[op].name);
}

static enum status set_producer(struct check *check, uint32_t op, uint32_t tensor)
{
    assert(tensor < check->graph->tensors);
    struct graph_tensor *produced = &check->graph->tensor[tensor];
    if (check->is_input[tensor])
        return error_set(check->error, STATUS_BAD_INPUT,
                         "operator '%s' writes '%s', which is an input of the graph",
                         operator_name(check, op), tensor_name(check, tensor));
    if (produced->producer != GRAPH_NONE)
        return error_set(check->error, STATUS_BAD_INPUT,
                         "operator '%s' writes '%s', which '%s' writes already, expected one "
                         "producer",
                         operator_name(check, op), tensor_name(check, tensor),
                         operator_name(check, produced->producer));
    assert(op < check->graph->operators);
    produced->producer = op;
    return STATUS_OK;
}

static enum status set_producers(struct check *check)
{
    struct graph *graph = check->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct graph_operator *op = &graph->op[o];
        check->fault = o;
        for (uint32_t i = 0; i < op->outputs.count; i++)
            TRY(set_producer(check, o, graph->list[op->outputs.first + i]));
        for (uint32_t i = 0; i < op->carried.count; i++)
            TRY(set_producer(check, o, graph->carried[op->carried.first + i].argument));
    }
    check->fault = GRAPH_NONE;
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (graph->tensor[t].producer == GRAPH_NONE && !check->is_input[t] &&
            !graph->tensor[t].external)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "tensor '%s' is written by no operator, expected one or memory "
                             "\"external\"",
                             tensor_name(check, t));
    return STATUS_OK;
}

/* What an operator writes can be seen behind it in its own region and in those inside, the argument
   of a loop in the loop's regions. */
static bool is_visible(const struct graph *graph, uint32_t tensor, uint32_t position,
                       uint32_t region)
{
    assert(tensor < graph->tensors && position <= graph->operators && region < graph->regions);
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE)
        return true;
    bool is_argument = graph_find_argument(graph, producer, tensor) != NULL;
    if (!is_argument && graph->op[producer].end > position)
        return false;
    for (uint32_t r = region;; r = graph->op[graph->region[r].owner].region)
        if (is_argument ? graph->region[r].owner == producer : r == graph->op[producer].region)
            return true;
        else if (r == 0)
            return false;
}

/* A use at `position` operators into the graph, seen from inside `region`. */
static enum status check_use(struct check *check, const char *user, uint32_t tensor,
                             uint32_t position, uint32_t region)
{
    const struct graph *graph = check->graph;
    if (is_visible(graph, tensor, position, region))
        return STATUS_OK;
    uint32_t producer = graph->tensor[tensor].producer;
    assert(producer != GRAPH_NONE);
    if (graph->op[producer].end > position)
        return error_set(check->error, STATUS_BAD_INPUT,
                         "'%s' uses '%s' before '%s' has produced it, expected operators in "
                         "execution order and no cycle",
                         user, tensor_name(check, tensor), operator_name(check, producer));
    uint32_t holder =
        graph_find_argument(graph, producer, tensor) ? producer : graph_owner(graph, producer);
    return error_set(check->error, STATUS_BAD_INPUT,
                     "'%s' uses '%s', which is only known inside a region of '%s'", user,
                     tensor_name(check, tensor), operator_name(check, holder));
}

static enum status check_uses(struct check *check, const char *user, struct span uses,
                              uint32_t position, uint32_t region)
{
    assert(uses.first + uses.count <= check->graph->listed);
    for (uint32_t i = 0; i < uses.count; i++)
        TRY(check_use(check, user, check->graph->list[uses.first + i], position, region));
    return STATUS_OK;
}

static enum status check_carried(struct check *check, uint32_t o,
                                 const struct graph_carried *carried)
{
    const struct graph *graph = check->graph;
    const struct graph_tensor *tensor = graph->tensor;
    struct span outputs = graph->op[o].outputs;
    uint32_t body = graph->op[o].last_region;
    assert(graph->op[o].loop && body != GRAPH_NONE);
    uint64_t bytes = tensor[carried->argument].bytes;
    TRY(check_use(check, operator_name(check, o), carried->init, o, graph->op[o].region));
    TRY(check_use(check, operator_name(check, o), carried->yield, graph->region[body].end, body));
    if (graph_position(graph, outputs, carried->result) == outputs.count)
        return error_set(check->error, STATUS_BAD_INPUT, "carried result '%s' is no output of '%s'",
                         tensor_name(check, carried->result), operator_name(check, o));
    if (tensor[carried->argument].external && !tensor[carried->result].external)
        return error_set(check->error, STATUS_BAD_INPUT,
                         "carried argument '%s' is external and its result '%s' is not",
                         tensor_name(check, carried->argument),
                         tensor_name(check, carried->result));
    const uint32_t others[] = {carried->init, carried->yield, carried->result};
    for (int i = 0; i < 3; i++)
        if (tensor[others[i]].bytes != bytes)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "'%s' has %llu bytes, expected %llu as the carried argument '%s'",
                             tensor_name(check, others[i]),
                             (unsigned long long)tensor[others[i]].bytes, (unsigned long long)bytes,
                             tensor_name(check, carried->argument));
    return STATUS_OK;
}

static enum status check_loop(struct check *check, uint32_t o)
{
    const struct graph *graph = check->graph;
    struct span span = graph->op[o].carried;
    if (graph->op[o].first_region == GRAPH_NONE)
        return error_set(check->error, STATUS_BAD_INPUT,
                         "loop '%s' has no region, expected its body", operator_name(check, o));
    const struct graph_carried *carried = span.count ? &graph->carried[span.first] : NULL;
    for (uint32_t i = 0; i < span.count; i++)
        TRY(check_carried(check, o, &carried[i]));
    for (uint32_t i = 1; i < span.count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (carried[i].result == carried[j].result)
                return error_set(check->error, STATUS_BAD_INPUT,
                                 "'%s' is the result of two carried values of '%s'",
                                 tensor_name(check, carried[i].result), operator_name(check, o));
    return STATUS_OK;
}

static enum status check_operator(struct check *check, uint32_t o)
{
    const struct graph *graph = check->graph;
    const struct graph_operator *op = &graph->op[o];
    const char *name = operator_name(check, o);
    assert(o < op->end && op->end <= graph->operators && op->region < graph->regions);
    TRY(check_uses(check, name, op->inputs, o, op->region));
    TRY(check_uses(check, name, op->ignored, o, op->region));
    for (uint32_t i = 0; i < op->after.count; i++) {
        uint32_t earlier = graph->list[op->after.first + i];
        assert(earlier < graph->operators);
        if (graph->op[earlier].region != op->region || earlier >= o)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "'%s' waits for '%s', expected an operator before it in the same "
                             "region",
                             name, operator_name(check, earlier));
    }
    assert(op->inplace.count % 2 == 0);
    for (uint32_t i = 0; i < op->inplace.count; i += 2) {
        const uint32_t *pair = &graph->list[op->inplace.first + i];
        if (pair[0] >= op->inputs.count || pair[1] >= op->outputs.count)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "in-place pair [%u, %u] of '%s', expected less than [%u, %u]", pair[0],
                             pair[1], name, op->inputs.count, op->outputs.count);
    }
    if (op->loop)
        TRY(check_loop(check, o));
    for (uint32_t r = op->first_region; r != GRAPH_NONE && !op->loop; r = graph->region[r].next)
        if (graph->region[r].yields.count != op->outputs.count)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "region '%s' of '%s' yields %u tensors, expected %u, one for each "
                             "output",
                             graph_label(graph, graph->region[r].name), name,
                             graph->region[r].yields.count, op->outputs.count);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(check_uses(check, name, graph->region[r].yields, graph->region[r].end, r));
    return STATUS_OK;
}

static enum status check_all(struct check *check, struct scratch *scratch)
{
    struct graph *graph = check->graph;
    bool *seen; /* [labels] */
    assert(graph->region[0].begin == 0 && graph->region[0].end == graph->operators);
    TRY(scratch_take(scratch, &check->is_input, graph->tensors, sizeof(bool), check->error));
    TRY(scratch_take(scratch, &seen, graph->labels.count, sizeof *seen, check->error));
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        check->is_input[graph->list[graph->inputs.first + i]] = true;
    for (uint32_t o = 0; o < graph->operators; o++) {
        check->fault = o;
        if (seen[graph->op[o].name])
            return error_set(check->error, STATUS_BAD_INPUT,
                             "operator '%s' again, expected each name once",
                             operator_name(check, o));
        seen[graph->op[o].name] = true;
    }
    TRY(set_producers(check));
    for (uint32_t o = 0; o < graph->operators; o++) {
        check->fault = o;
        TRY(check_operator(check, o));
    }
    check->fault = GRAPH_NONE;
    TRY(check_uses(check, graph_name(graph), graph->region[0].yields, graph->operators, 0));
    return graph_has_streams(graph) ? happens_before_check(graph, &check->fault, check->error)
                                    : STATUS_OK;
}

enum status graph_check(struct graph *graph, uint32_t *op, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct check check = {.graph = graph, .fault = GRAPH_NONE, .error = error};
    assert(graph->tensor_names.count == graph->tensors);
    enum status status = check_all(&check, &scratch);
    *op = status ? check.fault : GRAPH_NONE;
    return status;
}
