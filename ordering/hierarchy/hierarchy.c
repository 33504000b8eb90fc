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

/* What is known while chains are made. */
struct joining {
    const struct order_run *run; /* at the start, where it tells what dies with its only reader */
    struct hierarchy *hierarchy;
    uint32_t *seen; /* [chains] the last chain that listed it, plus 1 */
    struct error *error;
};

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

static uint64_t find_need(const struct joining *joining, uint32_t op)
{
    return joining->hierarchy->view->alloc_bytes[op] - order_run_saved(joining->run, op);
}

/* Bytes by which the operator changes what is live, modulo 2^64. */
static uint64_t find_net(const struct joining *joining, uint32_t op)
{
    return order_run_left(joining->run, op) - order_run_freed(joining->run, op);
}

/* Makes a chain that begins with an operator. It goes on as long as the next operator takes no more
   than the first one did, and leaves no more than there was. */
static enum status add_chain(struct joining *joining, uint32_t op)
{
    struct hierarchy *hierarchy = joining->hierarchy;
    int64_t level = (int64_t)find_net(joining, op), most = (int64_t)find_need(joining, op);
    while (op != ORDER_NONE) {
        TRY(order_lists_add(&hierarchy->ops, op, joining->error));
        hierarchy->chain_of[op] = hierarchy->chains;
        uint32_t next = find_next(hierarchy->view, op);
        if (next == ORDER_NONE || level + (int64_t)find_need(joining, next) > most ||
            (int64_t)find_net(joining, next) > 0)
            break;
        level += (int64_t)find_net(joining, next);
        op = next;
    }
    hierarchy->chains++;
    return order_lists_close_row(&hierarchy->ops, joining->error);
}

/* Lists the chains that a chain waits for. Only its first operator waits for operators outside. */
static enum status add_edges(struct joining *joining, uint32_t chain)
{
    struct hierarchy *hierarchy = joining->hierarchy;
    const struct order_lists *predecessors = &hierarchy->view->predecessors;
    uint32_t op = *order_lists_begin(&hierarchy->ops, chain);
    for (const uint32_t *p = order_lists_begin(predecessors, op);
         p < order_lists_end(predecessors, op); p++) {
        uint32_t before = hierarchy->chain_of[*p];
        if (joining->seen[before] == chain + 1)
            continue;
        joining->seen[before] = chain + 1;
        TRY(order_lists_add(&hierarchy->before, before, joining->error));
    }
    return order_lists_close_row(&hierarchy->before, joining->error);
}

static enum status fill(struct joining *joining)
{
    struct hierarchy *hierarchy = joining->hierarchy;
    uint32_t operators = hierarchy->view->operators;
    for (uint32_t v = 0; v < operators; v++)
        hierarchy->chain_of[v] = ORDER_NONE;
    for (uint32_t v = 0; v < operators; v++)
        if (hierarchy->chain_of[v] == ORDER_NONE)
            TRY(add_chain(joining, v));
    TRY(memory_create(&joining->seen, hierarchy->chains, sizeof(uint32_t), joining->error));
    for (uint32_t c = 0; c < hierarchy->chains; c++)
        TRY(add_edges(joining, c));
    TRY(memory_create(&hierarchy->group_of, hierarchy->chains, sizeof(uint32_t), joining->error));
    TRY(memory_create(&hierarchy->ring, hierarchy->chains, sizeof(uint32_t), joining->error));
    for (uint32_t c = 0; c < hierarchy->chains; c++) {
        hierarchy->group_of[c] = ORDER_NONE;
        hierarchy->ring[c] = c;
    }
    return order_lists_turn(&hierarchy->before, hierarchy->chains, &hierarchy->after,
                            joining->error);
}

enum status hierarchy_create(const struct order_view *view, struct hierarchy *hierarchy,
                             struct error *error)
{
    struct order_run run;
    struct joining joining = {.run = &run, .hierarchy = hierarchy, .error = error};
    *hierarchy = (struct hierarchy){.view = view};
    TRY(order_run_create(view, &run, error));
    enum status status =
        memory_create(&hierarchy->chain_of, view->operators, sizeof(uint32_t), error);
    if (!status)
        status = fill(&joining);
    memory_free(joining.seen);
    order_run_free(&run);
    return status;
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
    memory_free(hierarchy->chain_of);
    memory_free(hierarchy->group_of);
    memory_free(hierarchy->ring);
    order_lists_free(&hierarchy->ops);
    order_lists_free(&hierarchy->before);
    order_lists_free(&hierarchy->after);
}
