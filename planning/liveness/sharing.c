#include "planning/liveness/sharing.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

/* What is known while tensors are put into the places of others. */
struct sharing {
    const struct placement *placement;
    struct liveness *liveness;
    uint32_t *last; /* [tensors] of a root: the last that was put into its place */
};

static void join(struct sharing *sharing, uint32_t tensor, uint32_t other)
{
    struct liveness *liveness = sharing->liveness;
    uint32_t root = liveness->root[other];
    assert(tensor < sharing->placement->tensors && root < sharing->placement->tensors);
    assert(liveness->root[root] == root && tensor != root);
    assert(liveness->root[tensor] == tensor);
    liveness->root[tensor] = root;
    assert(liveness->next[sharing->last[root]] == GRAPH_NONE);
    liveness->next[sharing->last[root]] = tensor;
    sharing->last[root] = tensor;
}

static void join_overwritten(struct sharing *sharing, uint32_t tensor)
{
    uint32_t overwritten = sharing->placement->overwrites[tensor];
    assert(overwritten == GRAPH_NONE || overwritten < sharing->placement->tensors);
    if (overwritten != GRAPH_NONE)
        join(sharing, tensor, overwritten);
}

/* Lifetimes in which the results of Ifs that are marked in has_place have places of their own, and
   tensors share the places of others as the placement and `places` (or NULL) say. */
static enum status create(const struct graph *graph, const struct placement *placement,
                          const struct result_places *places, const bool *has_place,
                          struct liveness **created, struct error *error)
{
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(memory_release) uint32_t *last = NULL;
    bool found = false;
    TRY(liveness_create_placed(graph, has_place, &liveness, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        found = found || has_place[t];
    if (found)
        TRY(value_bytes_create(graph, &liveness->place_bytes, error));
    if (!places && !placement_in_place(placement)) {
        HAND_OVER(liveness, created);
    }
    TRY(scratch_take_all(&liveness->memory, graph->tensors, error, &liveness->root,
                         &liveness->next));
    TRY(memory_create(&last, graph->tensors, sizeof *last, error));
    struct sharing sharing = {placement, liveness, last};
    for (uint32_t t = 0; t < graph->tensors; t++) {
        liveness->root[t] = last[t] = t;
        liveness->next[t] = GRAPH_NONE;
    }
    for (uint32_t owner = 0; places && owner < graph->tensors; owner++)
        for (uint32_t t = places->next[owner]; places->place[owner] == owner && t != GRAPH_NONE;
             t = places->next[t])
            join(&sharing, t, owner);
    /* In execution order, so that what is overwritten has its root before another joins it, and so
       that those in one place are listed in the order in which they are written. */
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->op[o].outputs, carried = graph->op[o].carried;
        for (uint32_t c = 0; c < carried.count; c++)
            join_overwritten(&sharing, graph->carried[carried.first + c].argument);
        for (uint32_t i = 0; i < outputs.count; i++)
            join_overwritten(&sharing, graph->list[outputs.first + i]);
    }
    HAND_OVER(liveness, created);
}

enum status liveness_create_shared(const struct graph *graph, const struct placement *placement,
                                   struct liveness **created, struct error *error)
{
    SCOPED(memory_release) bool *has_place = NULL;
    TRY(memory_create(&has_place, graph->tensors, sizeof *has_place, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        has_place[t] = graph_is_branch_result(graph, t) && placement->offset[t] != PROBLEM_FREE;
    return create(graph, placement, NULL, has_place, created, error);
}

/* A place of a result is needed from the step that enters the If, since the branches write
   into it. */
enum status liveness_create_in_places(const struct graph *graph, const struct placement *placement,
                                      const struct result_places *places, struct liveness **created,
                                      struct error *error)
{
    TRY(create(graph, placement, places, places->has_place, created, error));
    struct liveness *liveness = *created;
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (graph_is_branch_result(graph, t) && liveness_has_place(liveness, t))
            liveness->lower[t] = liveness->enter_step[graph->tensor[t].producer];
    return STATUS_OK;
}
