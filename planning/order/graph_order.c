#include "planning/order/graph_order.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/copy.h"
#include "planning/lowering/level.h"

enum status graph_order_create(const struct graph *graph, struct graph_order **created,
                               struct error *error)
{
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    TRY(memory_create(&order, 1, sizeof *order, error));
    TRY(memory_create(&order->op, graph->operators, sizeof *order->op, error));
    TRY(memory_create(&order->first, (size_t)graph->regions + 1, sizeof *order->first, error));
    uint32_t count = 0;
    for (uint32_t r = 0; r < graph->regions; r++) {
        order->first[r] = count;
        for (uint32_t o = graph->region[r].begin; o < graph->region[r].end; o = graph->op[o].end) {
            assert(graph->op[o].region == r);
            order->op[count++] = o;
        }
    }
    order->first[graph->regions] = count;
    assert(count == graph->operators);
    HAND_OVER(order, created);
}

void graph_order_free(struct graph_order *order)
{
    if (!order)
        return;
    memory_free_all(order->op, order->first, order);
}

enum order_owners graph_order_owners(const struct policy *policy)
{
    if (policy->flags & (POLICY_PATHS | POLICY_STREAMS))
        return ORDER_OWNERS_PLACES;
    return policy->make_level ? ORDER_OWNERS_IN_LINE : ORDER_OWNERS_BLOCK;
}

static enum status copy_in_order(struct graph_copier *copier, uint32_t region)
{
    const struct graph_order *order = copier->context;
    assert(order->first[region] <= order->first[region + 1]);
    for (uint32_t i = order->first[region]; i < order->first[region + 1]; i++)
        TRY(graph_copy_operator(copier, order->op[i]));
    return STATUS_OK;
}

enum status graph_reorder(const struct graph *graph, const struct graph_order *order,
                          struct graph **reordered, struct error *error)
{
    struct graph_copier copier = {
        .graph = graph, .copy_operators = copy_in_order, .context = order, .error = error};
    assert(order->first[graph->regions] == graph->operators);
    return graph_copy(&copier, reordered);
}

/* The planner of a level of which only the load is wanted. */
static enum status plan_nothing(void *context, const struct level *level, struct plan *plan,
                                struct error *error)
{
    (void)context;
    (void)level;
    (void)error;
    plan->status = PLAN_GAVE_UP;
    return STATUS_OK;
}

enum status graph_order_measure(const struct graph *graph, const struct policy *policy,
                                const struct inplace_choice *inplace, uint64_t *load_bytes,
                                struct error *error)
{
    const struct level_planner planner = {.plan = plan_nothing, .alignment_bytes = 1};
    const struct policy *line = policy->flags & POLICY_STREAMS ? &policy_path
                                : graph_has_streams(graph)     ? &policy_flat
                                                               : policy;
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(placement_create(graph, &placement, error));
    TRY(inplace_apply(graph, inplace, placement, error));
    TRY(policy_place(line, graph, &planner, placement, error));
    *load_bytes = placement->measures.load_bytes;
    return STATUS_OK;
}
