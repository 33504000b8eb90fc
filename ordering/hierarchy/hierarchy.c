#include "ordering/hierarchy/hierarchy.h"

#include "core/memory.h"
#include "planning/order/order_load.h"

bool hierarchy_is_end(const struct order_view *view, uint32_t op)
{
    for (const uint32_t *t = order_lists_begin(&view->outputs, op);
         t < order_lists_end(&view->outputs, op); t++)
        if (view->kept[*t])
            return true;
    return false;
}

bool hierarchy_is_start(const struct order_view *view, uint32_t op)
{
    for (const uint32_t *t = order_lists_begin(&view->inputs, op);
         t < order_lists_end(&view->inputs, op); t++)
        if (view->producer[*t] == ORDER_NONE && view->bytes[*t])
            return true;
    return false;
}

/* The operator that may come next in a chain: the only one that waits for this one, if it waits for
   no other; else ORDER_NONE. */
static uint32_t find_next(const struct order_view *view, uint32_t op)
{
    if (order_lists_count(&view->successors, op) != 1 || hierarchy_is_end(view, op))
        return ORDER_NONE;
    uint32_t next = *order_lists_begin(&view->successors, op);
    bool waits = order_lists_count(&view->predecessors, next) > 1 || hierarchy_is_start(view, next);
    return waits ? ORDER_NONE : next;
}

/* Makes a chain that begins with an operator. It goes on as long as the next operator takes no more
   than the first one did, and leaves no more than there was. The run is at the start, where it
   tells what dies with its only reader; nets are modulo 2^64. */
static enum status add_chain(struct hierarchy *hierarchy, const struct order_run *run, uint32_t op,
                             struct error *error)
{
    const uint64_t *alloc_bytes = hierarchy->view->alloc_bytes;
    int64_t most = (int64_t)(alloc_bytes[op] - order_run_saved(run, op)), level = 0;
    while (op != ORDER_NONE) {
        TRY(order_lists_add(&hierarchy->ops, op, error));
        hierarchy->chain_of[op] = hierarchy->chains;
        level += (int64_t)(order_run_left(run, op) - order_run_freed(run, op));
        op = find_next(hierarchy->view, op);
        if (op == ORDER_NONE ||
            level + (int64_t)(alloc_bytes[op] - order_run_saved(run, op)) > most ||
            (int64_t)(order_run_left(run, op) - order_run_freed(run, op)) > 0)
            break;
    }
    hierarchy->chains++;
    return order_lists_close_row(&hierarchy->ops, error);
}

enum status hierarchy_create(const struct order_view *view, struct hierarchy *hierarchy,
                             struct error *error)
{
    const struct order_lists *predecessors = &view->predecessors;
    SCOPED(order_run_free) struct order_run run = {0};
    SCOPED(memory_release) uint32_t *seen = NULL; /* [chains] the last one that listed it, plus 1 */
    *hierarchy = (struct hierarchy){.view = view};
    TRY(order_run_create(view, &run, error));
    TRY(memory_create(&hierarchy->chain_of, view->operators, sizeof(uint32_t), error));
    for (uint32_t v = 0; v < view->operators; v++)
        hierarchy->chain_of[v] = ORDER_NONE;
    for (uint32_t v = 0; v < view->operators; v++)
        if (hierarchy->chain_of[v] == ORDER_NONE)
            TRY(add_chain(hierarchy, &run, v, error));
    TRY(memory_create_all(hierarchy->chains, error, &seen, &hierarchy->group_of, &hierarchy->ring));
    for (uint32_t c = 0; c < hierarchy->chains; c++) {
        hierarchy->group_of[c] = ORDER_NONE;
        hierarchy->ring[c] = c;
        /* Only the first operator of a chain waits for operators outside. */
        uint32_t op = *order_lists_begin(&hierarchy->ops, c);
        for (uint32_t i = predecessors->start[op]; i < predecessors->start[op + 1]; i++) {
            uint32_t before = hierarchy->chain_of[predecessors->item[i]];
            if (seen[before] == c + 1)
                continue;
            seen[before] = c + 1;
            TRY(order_lists_add(&hierarchy->before, before, error));
        }
        TRY(order_lists_close_row(&hierarchy->before, error));
    }
    return order_lists_turn(&hierarchy->before, hierarchy->chains, &hierarchy->after, error);
}

bool hierarchy_dissolve(struct hierarchy *hierarchy, uint32_t chain)
{
    bool grouped = hierarchy->group_of[chain] != ORDER_NONE;
    while (hierarchy->group_of[chain] != ORDER_NONE) {
        uint32_t next = hierarchy->ring[chain];
        hierarchy->group_of[chain] = ORDER_NONE;
        hierarchy->ring[chain] = chain;
        chain = next;
    }
    return grouped;
}

void hierarchy_free(struct hierarchy *hierarchy)
{
    memory_free_all(hierarchy->chain_of, hierarchy->group_of, hierarchy->ring);
    order_lists_free(&hierarchy->ops);
    order_lists_free(&hierarchy->before);
    order_lists_free(&hierarchy->after);
}
