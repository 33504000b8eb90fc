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

enum status dominators_create(const struct hierarchy *hierarchy, bool from_start,
                              struct dominators *dominators, struct scratch *scratch,
                              struct error *error)
{
    const struct order_lists *lists = from_start ? &hierarchy->before : &hierarchy->after;
    uint32_t chains = hierarchy->chains;
    TRY(scratch_take(scratch, &dominators->parent, chains, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &dominators->depth, chains, sizeof(uint32_t), error));
    for (uint32_t i = 0; i < chains; i++) {
        uint32_t c = from_start ? i : chains - 1 - i;
        const uint32_t *first = order_lists_begin(lists, c), *end = order_lists_end(lists, c);
        bool is_end =
            from_start ? hierarchy_is_start(hierarchy->view, *order_lists_begin(&hierarchy->ops, c))
                       : hierarchy_is_end(hierarchy->view, order_lists_end(&hierarchy->ops, c)[-1]);
        uint32_t parent = is_end || first == end ? ORDER_NONE : *first;
        for (const uint32_t *other = first; other < end && parent != ORDER_NONE; other++)
            parent = meet(dominators, parent, *other);
        dominators->parent[c] = parent;
        dominators->depth[c] = parent == ORDER_NONE ? 1 : dominators->depth[parent] + 1;
    }
    return STATUS_OK;
}
