#include "planning/inplace/inplace.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/inplace/borders.h"
#include "planning/inplace/pass.h"

static void count_each(const struct inplace_pass *pass, struct span tensors, uint32_t *counts)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        counts[pass->graph->list[tensors.first + i]]++;
}

static void mark_outputs(struct inplace_pass *pass)
{
    struct span outputs = pass->graph->region[0].yields;
    for (uint32_t i = 0; i < outputs.count; i++)
        pass->is_output[pass->graph->list[outputs.first + i]] = true;
}

static void count_all_uses(struct inplace_pass *pass)
{
    const struct graph *graph = pass->graph;
    for (uint32_t o = 0; o < graph->operators; o++)
        count_each(pass, graph->op[o].inputs, pass->uses);
    for (uint32_t r = 0; r < graph->regions; r++) {
        count_each(pass, graph->region[r].yields, pass->uses);
        if (r > 0)
            count_each(pass, graph->region[r].yields, pass->yields);
    }
    mark_outputs(pass);
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        pass->uses[graph->carried[c].init]++;
        pass->uses[graph->carried[c].yield]++;
        pass->yields[graph->carried[c].yield]++;
    }
    for (uint32_t t = 0; t < graph->tensors; t++) {
        pass->pending[t] = pass->uses[t];
        pass->root[t] = t;
    }
}

/* Ends the uses of what the operator reads itself. Uses as yields are never ended: a region is left
   later, and a loop comes back to what its turns read, but then the tensor was not written in the
   same region. */
static void end_uses(struct inplace_pass *pass, uint32_t o)
{
    const struct graph *graph = pass->graph;
    const struct graph_operator *reader = &graph->op[o];
    for (uint32_t i = 0; i < reader->inputs.count; i++)
        pass->pending[pass->root[graph->list[reader->inputs.first + i]]]--;
    for (uint32_t c = 0; c < reader->carried.count; c++)
        pass->pending[pass->root[graph->carried[reader->carried.first + c].init]]--;
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

static void merge_operator(struct inplace_pass *pass, const struct inplace_rules *rules)
{
    const struct graph_operator *merged = inplace_operator(pass);
    assert(rules->merge);
    if (merged->first_region == GRAPH_NONE)
        rules->merge(pass);
    else if (merged->loop && rules->merge_loop)
        rules->merge_loop(pass);
}

static void merge_all(struct inplace_pass *pass, const struct inplace_choice *choice)
{
    const struct graph *graph = pass->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const char *type = graph_label(graph, graph->op[o].type);
        pass->op = o;
        pass->type = inplace_type_find(type);
        if (choice->rules->merge_loop)
            inplace_enter_region(pass, o);
        assert(!choice->rules->merge_loop || pass->region == graph->op[o].region);
        if (!is_disabled(choice->disabled, type))
            merge_operator(pass, choice->rules);
        end_uses(pass, o);
    }
}

enum status inplace_apply(const struct graph *graph, const struct inplace_choice *choice,
                          struct placement *placement, struct error *error)
{
    struct inplace_pass pass = {.graph = graph, .placement = placement};
    enum status status;
    if (!choice->rules || !choice->rules->merge)
        return STATUS_OK;
    assert(placement->tensors == graph->tensors && placement_in_place(placement) == 0);
    TRY_OR_DONE(status, memory_create(&pass.root, graph->tensors, sizeof *pass.root, error));
    TRY_OR_DONE(status, memory_create(&pass.yields, graph->tensors, sizeof *pass.yields, error));
    TRY_OR_DONE(status, memory_create(&pass.uses, graph->tensors, sizeof *pass.uses, error));
    TRY_OR_DONE(status, memory_create(&pass.pending, graph->tensors, sizeof *pass.pending, error));
    TRY_OR_DONE(status,
                memory_create(&pass.is_output, graph->tensors, sizeof *pass.is_output, error));
    count_all_uses(&pass);
    merge_all(&pass, choice);
done:
    memory_free(pass.root);
    memory_free(pass.uses);
    memory_free(pass.yields);
    memory_free(pass.pending);
    memory_free(pass.is_output);
    return status;
}
