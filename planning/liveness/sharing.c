#include "planning/liveness/sharing.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

/* What is at hand while tensors are put into the places of others. */
struct sharing {
    const struct graph *graph;
    const struct placement *placement;
    const struct result_places *places; /* or NULL */
    struct liveness *liveness;
    uint32_t *last; /* [tensors] of a root: the last that was put into its place */
};

static void join(struct sharing *sharing, uint32_t tensor, uint32_t other)
{
    struct liveness *liveness = sharing->liveness;
    uint32_t root = liveness->root[other];
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
    assert(overwritten == GRAPH_NONE || overwritten < sharing->graph->tensors);
    if (overwritten != GRAPH_NONE)
        join(sharing, tensor, overwritten);
}

/* In execution order, so that what is overwritten has its root before another joins it, and so that
   those in one place are listed in the order in which they are written. */
static enum status share_places(struct sharing *sharing, struct error *error)
{
    const struct graph *graph = sharing->graph;
    const struct result_places *places = sharing->places;
    struct liveness *liveness = sharing->liveness;
    TRY(memory_create(&liveness->root, graph->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&liveness->next, graph->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&sharing->last, graph->tensors, sizeof(uint32_t), error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        liveness->root[t] = sharing->last[t] = t;
        liveness->next[t] = GRAPH_NONE;
    }
    for (uint32_t owner = 0; places && owner < graph->tensors; owner++)
        for (uint32_t t = places->next[owner]; places->place[owner] == owner && t != GRAPH_NONE;
             t = places->next[t])
            join(sharing, t, owner);
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->op[o].outputs, carried = graph->op[o].carried;
        for (uint32_t c = 0; c < carried.count; c++)
            join_overwritten(sharing, graph->carried[carried.first + c].argument);
        for (uint32_t i = 0; i < outputs.count; i++)
            join_overwritten(sharing, graph->list[outputs.first + i]);
    }
    memory_free(sharing->last);
    return STATUS_OK;
}

/* Marks the results of Ifs that have an offset in the placement. has_place[tensors] is all false
   before. */
static void mark_results(const struct graph *graph, const struct placement *placement,
                         bool *has_place)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *owner = &graph->op[o];
        for (uint32_t i = 0; i < owner->outputs.count && graph_has_branches(graph, o); i++) {
            uint32_t result = graph->list[owner->outputs.first + i];
            has_place[result] = placement->offset[result] != PROBLEM_FREE;
        }
    }
}

static enum status create_with_results(const struct graph *graph, const bool *has_place,
                                       struct liveness **created, struct error *error)
{
    struct liveness *liveness;
    bool found = false;
    TRY(liveness_create_placed(graph, has_place, &liveness, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        found = found || has_place[t];
    enum status status =
        found ? value_bytes_create(graph, &liveness->place_bytes, error) : STATUS_OK;
    if (status)
        liveness_free(liveness);
    else
        *created = liveness;
    return status;
}

static enum status create_placed(const struct graph *graph, const struct placement *placement,
                                 struct liveness **created, struct error *error)
{
    bool *has_place;
    TRY(memory_create(&has_place, graph->tensors, sizeof *has_place, error));
    mark_results(graph, placement, has_place);
    enum status status = create_with_results(graph, has_place, created, error);
    memory_free(has_place);
    return status;
}

enum status liveness_create_shared(const struct graph *graph, const struct placement *placement,
                                   struct liveness **created, struct error *error)
{
    struct sharing sharing = {.graph = graph, .placement = placement};
    assert(placement->tensors == graph->tensors);
    TRY(create_placed(graph, placement, &sharing.liveness, error));
    if (placement_in_place(placement)) {
        enum status status = share_places(&sharing, error);
        if (status) {
            liveness_free(sharing.liveness);
            return status;
        }
    }
    *created = sharing.liveness;
    return STATUS_OK;
}

/* A place of a result is needed from the step that enters the If, since the branches write
   into it. */
static void open_places(const struct graph *graph, struct liveness *liveness)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *owner = &graph->op[o];
        for (uint32_t i = 0; i < owner->outputs.count && graph_has_branches(graph, o); i++) {
            uint32_t result = graph->list[owner->outputs.first + i];
            if (liveness_has_place(liveness, result))
                liveness->lower[result] = liveness->enter_step[o];
        }
    }
}

enum status liveness_create_in_places(const struct graph *graph, const struct placement *placement,
                                      const struct result_places *places, struct liveness **created,
                                      struct error *error)
{
    struct sharing sharing = {.graph = graph, .placement = placement, .places = places};
    enum status status;
    TRY(create_with_results(graph, places->has_place, &sharing.liveness, error));
    TRY_OR_DONE(status, share_places(&sharing, error));
    open_places(graph, sharing.liveness);
    *created = sharing.liveness;
done:
    if (status)
        liveness_free(sharing.liveness);
    return status;
}
