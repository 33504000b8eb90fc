#include "ordering/hierarchy/states.h"

#include <string.h>

#include "core/memory.h"

static enum status create_table(uint32_t slots, uint32_t **table, struct error *error)
{
    TRY(memory_create(table, slots, sizeof **table, error));
    memset(*table, 0xff, slots * sizeof **table);
    return STATUS_OK;
}

enum status states_create(uint32_t words, struct states *states, struct error *error)
{
    enum { FIRST_SLOTS = 64 };
    *states = (struct states){.words = words, .slots = FIRST_SLOTS};
    return create_table(FIRST_SLOTS, &states->table, error);
}

void states_free(struct states *states)
{
    memory_free(states->state);
    memory_free(states->set);
    memory_free(states->op);
    memory_free(states->table);
    *states = (struct states){0};
}

uint64_t states_bytes(const struct states *states)
{
    return (uint64_t)states->count * (sizeof(struct state) + states->words * sizeof(uint64_t)) +
           states->ops * sizeof(uint32_t) + states->slots * sizeof(uint32_t);
}

const uint64_t *states_set(const struct states *states, uint32_t state)
{
    return states->set + (size_t)state * states->words;
}

/* The slot of the state with the set, or the empty one where it belongs. */
static uint32_t find_slot(const struct states *states, uint64_t hash, const uint64_t *set)
{
    uint32_t slot = (uint32_t)hash & (states->slots - 1);
    for (;; slot = (slot + 1) & (states->slots - 1)) {
        uint32_t state = states->table[slot];
        if (state == ORDER_NONE ||
            (states->state[state].hash == hash &&
             memcmp(states_set(states, state), set, states->words * sizeof *set) == 0))
            return slot;
    }
}

/* Doubles the table before more than half of the slots are taken. */
static enum status grow_table(struct states *states, struct error *error)
{
    uint32_t *table;
    if (2 * (states->count - states->first + 1) <= states->slots)
        return STATUS_OK;
    TRY(create_table(2 * states->slots, &table, error));
    memory_free(states->table);
    states->table = table;
    states->slots *= 2;
    for (uint32_t s = states->first; s < states->count; s++)
        states->table[find_slot(states, states->state[s].hash, states_set(states, s))] = s;
    return STATUS_OK;
}

static enum status append(struct states *states, const struct states_arrival *arrival,
                          struct error *error)
{
    size_t count = (size_t)states->count + 1;
    TRY(memory_reserve(&states->state, &states->state_capacity, count, sizeof *states->state,
                       error));
    TRY(memory_reserve(&states->set, &states->set_capacity, count * states->words,
                       sizeof *states->set, error));
    memcpy(states->set + (size_t)states->count * states->words, arrival->set,
           states->words * sizeof *states->set);
    states->count++;
    return STATUS_OK;
}

static enum status take_way(struct states *states, uint32_t state,
                            const struct states_arrival *arrival, struct error *error)
{
    TRY(memory_reserve(&states->op, &states->op_capacity, (size_t)states->ops + arrival->ops,
                       sizeof *states->op, error));
    if (arrival->ops)
        memcpy(states->op + states->ops, arrival->op, arrival->ops * sizeof *arrival->op);
    states->state[state] = (struct state){arrival->load_bytes, arrival->hash, arrival->parent,
                                          states->ops, arrival->ops};
    states->ops += arrival->ops;
    return STATUS_OK;
}

enum status states_add(struct states *states, const struct states_arrival *arrival,
                       struct error *error)
{
    TRY(grow_table(states, error));
    uint32_t slot = find_slot(states, arrival->hash, arrival->set), known = states->table[slot];
    if (known != ORDER_NONE) {
        if (states->state[known].load_bytes <= arrival->load_bytes)
            return STATUS_OK;
        return take_way(states, known, arrival, error);
    }
    TRY(append(states, arrival, error));
    states->table[slot] = states->count - 1;
    return take_way(states, states->count - 1, arrival, error);
}

void states_close_layer(struct states *states, uint32_t *first, uint32_t *end)
{
    *first = states->first;
    *end = states->first = states->count;
    memset(states->table, 0xff, states->slots * sizeof *states->table);
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
