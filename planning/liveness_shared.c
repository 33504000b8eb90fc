#include "core/memory.h"
#include "planning/liveness.h"
#include "planning/placement.h"

static void join_output(struct liveness *liveness, const struct placement *placement,
                        uint32_t *last, uint32_t output)
{
    uint32_t input = placement->overwrites[output];
    if (input == GRAPH_NONE)
        return;
    uint32_t root = liveness->root[input];
    liveness->root[output] = root;
    liveness->next[last[root]] = output;
    last[root] = output;
}

/* In execution order, so that an input has its root before an output joins it, and so that those in
   one place are listed in the order in which they are written. */
static void join_outputs(const struct graph *graph, const struct placement *placement,
                         struct liveness *liveness, uint32_t *last)
{
    for (uint32_t t = 0; t < graph->tensors; t++) {
        liveness->root[t] = last[t] = t;
        liveness->next[t] = GRAPH_NONE;
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->operator[o].outputs;
        for (uint32_t i = 0; i < outputs.count; i++)
            join_output(liveness, placement, last, graph->list[outputs.first + i]);
    }
}

static enum status share_places(const struct graph *graph, const struct placement *placement,
                                struct liveness *liveness, struct error *error)
{
    uint32_t *last;
    TRY(memory_create(&liveness->root, graph->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&liveness->next, graph->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&last, graph->tensors, sizeof(uint32_t), error));
    join_outputs(graph, placement, liveness, last);
    memory_free(last);
    return STATUS_OK;
}

enum status liveness_create_shared(const struct graph *graph, const struct placement *placement,
                                   struct liveness **created, struct error *error)
{
    struct liveness *liveness;
    TRY(liveness_create(graph, &liveness, error));
    if (placement_in_place(placement)) {
        enum status status = share_places(graph, placement, liveness, error);
        if (status) {
            liveness_free(liveness);
            return status;
        }
    }
    *created = liveness;
    return STATUS_OK;
}
