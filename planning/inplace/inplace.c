#include "planning/inplace/inplace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/inplace/borders.h"
#include "planning/inplace/pass.h"

static void count_each(const struct inplace_pass *pass, struct span tensors, uint32_t *counts)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        counts[pass->graph->list[tensors.first + i]]++;
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
    for (uint32_t i = 0; i < graph->region[0].yields.count; i++)
        pass->is_output[graph->list[graph->region[0].yields.first + i]] = true;
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
        bool enabled = !is_disabled(choice->disabled, type);
        if (enabled && graph->op[o].first_region == GRAPH_NONE)
            choice->rules->merge(pass);
        else if (enabled && graph->op[o].loop && choice->rules->merge_loop)
            choice->rules->merge_loop(pass);
        end_uses(pass, o);
    }
}

static enum status run_pass(struct inplace_pass *pass, const struct inplace_choice *choice,
                            struct error *error)
{
    const struct graph *graph = pass->graph;
    struct scratch scratch = {0};
    uint32_t tensors = graph->tensors;
    enum status status;
    assert(pass->placement->tensors == tensors && placement_in_place(pass->placement) == 0);
    TRY_OR_DONE(status, scratch_take(&scratch, &pass->root, tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &pass->yields, tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &pass->uses, tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &pass->pending, tensors, sizeof(uint64_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &pass->is_output, tensors, sizeof(bool), error));
    count_all_uses(pass);
    merge_all(pass, choice);
    status = pass->status;
done:
    scratch_free(&scratch);
    return status;
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

static int compare_possibles(const void *left, const void *right)
{
    const struct inplace_possible *a = left, *b = right;
    int order = compare_numbers(a->op, b->op);
    return order ? order : compare_numbers(a->output, b->output);
}

enum status inplace_find_possible(const struct graph *graph, const struct inplace_choice *choice,
                                  struct inplace_possibles *found, struct error *error)
{
    struct inplace_pass pass = {.graph = graph, .found = found, .error = error};
    TRY(memory_create(&found->first, (size_t)graph->operators + 1, sizeof *found->first, error));
    if (merges_nothing(choice))
        return STATUS_OK;
    /* Without control flow, and with it within regions, `borders` merges what `declared` does. */
    struct inplace_choice within = *choice;
    if (within.rules->merge_loop)
        within.rules = inplace_find("declared");
    TRY(placement_create(graph, &pass.placement, error));
    enum status status = run_pass(&pass, &within, error);
    placement_free(pass.placement);
    if (found->count)
        qsort(found->pair, found->count, sizeof *found->pair, compare_possibles);
    for (uint32_t o = 0, at = 0; o < graph->operators; o++) {
        while (at < found->count && found->pair[at].op == o)
            at++;
        found->first[o + 1] = at;
    }
    return status;
}

void inplace_possibles_clear(struct inplace_possibles *possibles)
{
    memory_free(possibles->pair);
    memory_free(possibles->first);
    *possibles = (struct inplace_possibles){0};
}
