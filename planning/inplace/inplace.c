#include "planning/inplace/inplace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/inplace/pass.h"

static void count_each(const struct inplace_pass *pass, struct span tensors, uint32_t *counts)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        counts[pass->graph->list[tensors.first + i]]++;
}

static bool is_disabled(const char *disabled, const char *type)
{
    while (disabled && *disabled) {
        size_t length = strcspn(disabled, ",");
        if (inplace_type_is(type, disabled, length))
            return true;
        disabled += length + (disabled[length] == ',');
    }
    return false;
}

static void count_uses(struct inplace_pass *pass)
{
    const struct graph *graph = pass->graph;
    struct span outputs = graph->region[0].yields;
    for (uint32_t o = 0; o < graph->operators; o++)
        count_each(pass, graph->op[o].inputs, pass->uses);
    for (uint32_t r = 0; r < graph->regions; r++) {
        count_each(pass, graph->region[r].yields, pass->uses);
        if (r > 0)
            count_each(pass, graph->region[r].yields, pass->yields);
    }
    for (uint32_t i = 0; i < outputs.count; i++)
        pass->is_output[graph->list[outputs.first + i]] = true;
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        assert(graph->carried[c].init < graph->tensors && graph->carried[c].yield < graph->tensors);
        pass->uses[graph->carried[c].init]++;
        pass->uses[graph->carried[c].yield]++;
        pass->yields[graph->carried[c].yield]++;
    }
}

static enum status run_pass(struct inplace_pass *pass, const struct inplace_choice *choice,
                            struct error *error)
{
    const struct graph *graph = pass->graph;
    const struct inplace_rules *rules = choice->rules;
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t tensors = graph->tensors;
    assert(pass->placement->tensors == tensors && placement_in_place(pass->placement) == 0);
    TRY(scratch_take_all(&scratch, tensors, error, &pass->root, &pass->yields, &pass->uses,
                         &pass->pending, &pass->is_output));
    count_uses(pass);
    for (uint32_t t = 0; t < tensors; t++) {
        pass->pending[t] = pass->uses[t];
        pass->root[t] = t;
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        const char *type = graph_label(graph, op->type);
        assert(op->end > o && op->region < graph->regions);
        pass->op = o;
        pass->type = inplace_type_find(type);
        if (rules->enter)
            rules->enter(pass, o);
        assert(!rules->enter || pass->region == op->region);
        bool enabled = !is_disabled(choice->disabled, type);
        if (enabled && op->first_region == GRAPH_NONE)
            rules->merge(pass);
        else if (enabled && op->loop && rules->merge_loop)
            rules->merge_loop(pass);
        /* Uses as yields are never ended: a region is left later, and a loop comes back to what its
           turns read, but then the tensor was not written in the same region. */
        for (uint32_t i = 0; i < op->inputs.count; i++) {
            assert(pass->found || pass->pending[pass->root[graph->list[op->inputs.first + i]]] > 0);
            pass->pending[pass->root[graph->list[op->inputs.first + i]]]--;
        }
        for (uint32_t c = 0; c < op->carried.count; c++)
            pass->pending[pass->root[graph->carried[op->carried.first + c].init]]--;
    }
    return pass->status;
}

static bool merges_nothing(const struct inplace_choice *choice)
{
    return !choice || !choice->rules || !choice->rules->merge;
}

enum status inplace_apply(const struct graph *graph, const struct inplace_choice *choice,
                          struct placement *placement, struct error *error)
{
    struct inplace_pass pass = {.graph = graph, .placement = placement, .error = error};
    return merges_nothing(choice) ? STATUS_OK : run_pass(&pass, choice, error);
}

COMPARE_MEMBERS(compare_possibles, struct inplace_possible, op, output)

enum status inplace_find_possible(const struct graph *graph, const struct inplace_choice *choice,
                                  struct inplace_possibles *found, struct error *error)
{
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(memory_create(&found->first, (size_t)graph->operators + 1, sizeof *found->first, error));
    if (merges_nothing(choice))
        return STATUS_OK;
    /* Without control flow, and with it within regions, `borders` merges what `declared` does. */
    struct inplace_choice within = *choice;
    if (within.rules->merge_loop)
        within.rules = inplace_find("declared");
    TRY(placement_create(graph, &placement, error));
    struct inplace_pass pass = {
        .graph = graph, .placement = placement, .found = found, .error = error};
    TRY(run_pass(&pass, &within, error));
    if (found->count)
        qsort(found->pair, found->count, sizeof *found->pair, compare_possibles);
    for (uint32_t o = 0, at = 0; o < graph->operators; o++) {
        while (at < found->count && found->pair[at].op == o)
            at++;
        found->first[o + 1] = at;
    }
    assert(found->first[graph->operators] == found->count);
    return STATUS_OK;
}

void inplace_possibles_clear(struct inplace_possibles *possibles)
{
    memory_free_all(possibles->pair, possibles->first);
    *possibles = (struct inplace_possibles){0};
}
