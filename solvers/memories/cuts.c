#include "solvers/memories/cuts.h"

#include <assert.h>

#include "core/memory.h"

enum status master_cuts_create(const struct memory_model *model, struct master_cuts *cuts,
                               struct error *error)
{
    *cuts = (struct master_cuts){.model = model, .room = 1};
    TRY(load_sets_create(model, &cuts->loads, error));
    TRY(memory_reserve(&cuts->first_node, &cuts->bounds_capacity[0], 1, sizeof(uint32_t), error));
    TRY(memory_reserve(&cuts->first_edge, &cuts->bounds_capacity[1], 1, sizeof(uint32_t), error));
    cuts->first_node[0] = cuts->first_edge[0] = 0;
    return STATUS_OK;
}

void master_cuts_free(struct master_cuts *cuts)
{
    load_sets_free(&cuts->loads);
    memory_free_all(cuts->arena, cuts->first_node, cuts->first_edge, cuts->node, cuts->edge);
    *cuts = (struct master_cuts){0};
}

enum status master_cuts_add(struct master_cuts *cuts, uint32_t arena, const uint32_t *node,
                            uint32_t nodes, const uint32_t *edge, uint32_t edges,
                            const bool *has_choice, struct error *error)
{
    assert(arena < cuts->model->arenas && nodes + edges > 0);
    uint32_t n = cuts->first_node[cuts->cuts], e = cuts->first_edge[cuts->cuts];
    size_t bounds = (size_t)cuts->cuts + 2;
    TRY(memory_reserve(&cuts->arena, &cuts->arena_capacity, (size_t)cuts->cuts + 1,
                       sizeof(uint32_t), error));
    TRY(memory_reserve(&cuts->first_node, &cuts->bounds_capacity[0], bounds, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&cuts->first_edge, &cuts->bounds_capacity[1], bounds, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&cuts->node, &cuts->node_capacity, (size_t)n + nodes + 1, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&cuts->edge, &cuts->edge_capacity, (size_t)e + edges + 1, sizeof(uint32_t),
                       error));
    for (uint32_t i = 0; i < nodes; i++) {
        assert(!i || node[i - 1] < node[i]);
        if (has_choice[node[i]])
            cuts->node[n++] = node[i];
    }
    for (uint32_t i = 0; i < edges; i++)
        cuts->edge[e++] = edge[i];
    cuts->arena[cuts->cuts++] = arena;
    cuts->first_node[cuts->cuts] = n;
    cuts->first_edge[cuts->cuts] = e;
    return STATUS_OK;
}
