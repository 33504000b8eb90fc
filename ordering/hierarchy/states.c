#include "ordering/hierarchy/states.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

void states_free(struct states *states)
{
    set_table_free(&states->sets);
    memory_free_all(states->state, states->op);
    *states = (struct states){.sets.words = states->sets.words};
}

uint64_t states_bytes(const struct states *states)
{
    const struct set_table *sets = &states->sets;
    return sets->count * (sizeof(struct state) + (sets->words + UINT64_C(1)) * sizeof(uint64_t)) +
           states->ops * sizeof(uint32_t) + sets->slots * sizeof(uint32_t);
}

enum status states_add(struct states *states, const struct states_arrival *arrival,
                       struct error *error)
{
    uint32_t at = set_table_find(&states->sets, arrival->set, arrival->hash);
    if (at != SET_TABLE_NONE && states->state[at].load_bytes <= arrival->load_bytes)
        return STATUS_OK;
    assert(arrival->parent == ORDER_NONE || arrival->parent < states->sets.first);
    TRY(memory_reserve(&states->op, &states->op_capacity, (size_t)states->ops + arrival->ops,
                       sizeof *states->op, error));
    if (at == SET_TABLE_NONE) {
        at = states->sets.count;
        TRY(memory_reserve(&states->state, &states->state_capacity, (size_t)at + 1,
                           sizeof *states->state, error));
        TRY(set_table_add(&states->sets, arrival->set, arrival->hash, error));
    }
    if (arrival->ops)
        memcpy(states->op + states->ops, arrival->op, arrival->ops * sizeof *arrival->op);
    states->state[at] =
        (struct state){arrival->load_bytes, arrival->parent, states->ops, arrival->ops};
    states->ops += arrival->ops;
    return STATUS_OK;
}

void states_close_layer(struct states *states, uint32_t *first, uint32_t *end)
{
    *first = states->sets.first;
    *end = states->sets.count;
    set_table_hide(&states->sets);
}

uint32_t states_trace(const struct states *states, uint32_t state, uint32_t *op)
{
    uint32_t count = 0, end;
    for (uint32_t s = state; s != ORDER_NONE; s = states->state[s].parent)
        count += states->state[s].ops;
    end = count;
    for (uint32_t s = state; s != ORDER_NONE; s = states->state[s].parent) {
        const struct state *at = &states->state[s];
        end -= at->ops;
        if (at->ops)
            memcpy(op + end, states->op + at->first, at->ops * sizeof *op);
    }
    return count;
}
