#include "ordering/hierarchy/dominators.h"

static uint32_t meet(const struct dominators *dominators, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a == ORDER_NONE || b == ORDER_NONE)
            return ORDER_NONE;
        if (dominators->depth[a] >= dominators->depth[b])
            a = dominators->parent[a];
        else
            b = dominators->parent[b];
    }
    return a;
}

bool dominators_has(const struct dominators *dominators, uint32_t chain, uint32_t other)
{
    while (other != ORDER_NONE && dominators->depth[other] > dominators->depth[chain])
        other = dominators->parent[other];
    return chain == other;
}

static void find_dominator(struct dominators *dominators, const struct order_lists *lists,
                           uint32_t chain, bool is_end)
{
    const uint32_t *first = order_lists_begin(lists, chain), *end = order_lists_end(lists, chain);
    uint32_t parent = is_end || first == end ? ORDER_NONE : *first;
    for (const uint32_t *c = first; c < end && parent != ORDER_NONE; c++)
        parent = meet(dominators, parent, *c);
    dominators->parent[chain] = parent;
    dominators->depth[chain] = parent == ORDER_NONE ? 1 : dominators->depth[parent] + 1;
}

static void find_dominators(const struct hierarchy *hierarchy, bool from_start,
                            struct dominators *dominators)
{
    const struct order_view *view = hierarchy->view;
    const struct order_lists *ops = &hierarchy->ops;
    if (from_start)
        for (uint32_t c = 0; c < hierarchy->chains; c++)
            find_dominator(dominators, &hierarchy->before, c,
                           hierarchy_is_start(view, *order_lists_begin(ops, c)));
    else
        for (uint32_t c = hierarchy->chains; c-- > 0;)
            find_dominator(dominators, &hierarchy->after, c,
                           hierarchy_is_end(view, order_lists_end(ops, c)[-1]));
}

enum status dominators_create(const struct hierarchy *hierarchy, bool from_start,
                              struct dominators *dominators, struct scratch *scratch,
                              struct error *error)
{
    TRY(scratch_take(scratch, &dominators->parent, hierarchy->chains, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &dominators->depth, hierarchy->chains, sizeof(uint32_t), error));
    find_dominators(hierarchy, from_start, dominators);
    return STATUS_OK;
}
