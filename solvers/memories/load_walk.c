#include "solvers/memories/load_walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/problem/sections.h"

enum { MOST_ARENAS = 8, ARENA_BITS = 3, MOST_SLOTS = 64 / ARENA_BITS, MOST_STATES = 1 << 20 };
enum { NO_SLOT = UINT8_MAX };

struct walk_state {
    uint64_t key;  /* the arena of the node in each slot that is still to be known */
    uint64_t full; /* the same with the nodes that end in this section */
    uint64_t cost;
    uint32_t parent; /* the state of the section before */
};

struct walk {
    const struct memory_model *model;
    struct sections *sections;
    uint64_t capacity[MOST_ARENAS];
    uint32_t *first, *last; /* [nodes] sections */
    uint8_t *slot;          /* [nodes] NO_SLOT: it has no choice */
    uint32_t *only;         /* [nodes] the one arena of a node without a choice */
    struct walk_state *state;
    size_t state_capacity;
    uint32_t states;
    uint32_t *begin; /* [sections + 1] the first state of each section; those before the first
                        section are one state */
    uint64_t fixed;  /* what nodes without a choice cost */
    bool gave_up;
    struct scratch scratch;
    struct error *error;
};

static void clear_walk(struct walk *walk)
{
    sections_free(walk->sections);
    memory_free(walk->state);
    scratch_free(&walk->scratch);
}

/* Finds the sections of each node, and those without a choice. */
static enum status find_nodes(struct walk *walk)
{
    const struct memory_model *model = walk->model;
    uint32_t nodes = model->classes.count;
    TRY(scratch_take_all(&walk->scratch, nodes, walk->error, &walk->first, &walk->last, &walk->slot,
                         &walk->only));
    TRY(scratch_take(&walk->scratch, &walk->begin, (size_t)walk->sections->count + 2,
                     sizeof(uint32_t), walk->error));
    for (uint32_t n = 0; n < nodes; n++)
        walk->first[n] = UINT32_MAX;
    for (uint32_t s = 0; s < walk->sections->count; s++)
        for (uint64_t i = walk->sections->first[s]; i < walk->sections->first[s + 1]; i++) {
            uint32_t n = walk->sections->member[i];
            walk->first[n] = s < walk->first[n] ? s : walk->first[n];
            walk->last[n] = s;
        }
    for (uint32_t n = 0; n < nodes; n++) {
        uint32_t options = 0;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (memory_model_traffic(model, n, a) != UINT64_MAX) {
                walk->only[n] = a;
                options++;
            }
        assert(options > 0 && walk->first[n] != UINT32_MAX);
        walk->slot[n] = NO_SLOT;
        if (options > 1)
            walk->only[n] = MEMORY_NONE;
        else
            walk->fixed += memory_model_traffic(model, n, walk->only[n]);
    }
    return STATUS_OK;
}

static uint32_t get_arena(uint64_t key, uint8_t slot)
{
    assert(slot < MOST_SLOTS);
    return (uint32_t)(key >> (slot * ARENA_BITS)) & ((1u << ARENA_BITS) - 1);
}

static enum status add_state(struct walk *walk, struct walk_state state)
{
    if (walk->states == MOST_STATES) {
        walk->gave_up = true;
        return STATUS_OK;
    }
    TRY(memory_reserve(&walk->state, &walk->state_capacity, (size_t)walk->states + 1,
                       sizeof *walk->state, walk->error));
    walk->state[walk->states++] = state;
    return STATUS_OK;
}

/* Adds the states in which the nodes fresh[count] lie anywhere that has room for them. */
static enum status branch(struct walk *walk, const uint32_t *fresh, uint32_t count,
                          struct walk_state state, const uint64_t *load)
{
    if (!count || walk->gave_up)
        return walk->gave_up ? STATUS_OK : add_state(walk, state);
    uint64_t size = walk->model->nodes->size[*fresh];
    assert(get_arena(state.full, walk->slot[*fresh]) == 0); /* set free with its last node */
    for (uint32_t a = 0; a < walk->model->arenas; a++) {
        uint64_t traffic = memory_model_traffic(walk->model, *fresh, a), more[MOST_ARENAS];
        struct walk_state next = state;
        if (traffic == UINT64_MAX || load[a] > walk->capacity[a] ||
            size > walk->capacity[a] - load[a])
            continue;
        memcpy(more, load, sizeof more);
        more[a] += size;
        next.cost += traffic;
        next.full |= (uint64_t)a << (walk->slot[*fresh] * ARENA_BITS);
        TRY(branch(walk, fresh + 1, count - 1, next, more));
    }
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_states, struct walk_state, key, cost)

/* Forgets the nodes that end in the section, and keeps the cheapest of equal states. */
static void project(struct walk *walk, uint32_t section, uint64_t *used)
{
    uint64_t ended = 0;
    uint32_t kept = walk->begin[section + 1];
    for (uint64_t i = walk->sections->first[section]; i < walk->sections->first[section + 1]; i++) {
        uint32_t n = walk->sections->member[i];
        if (walk->last[n] == section && walk->slot[n] != NO_SLOT)
            ended |= (uint64_t)1 << walk->slot[n];
    }
    assert((*used & ended) == ended);
    *used &= ~ended;
    for (uint32_t i = kept; i < walk->states; i++) {
        walk->state[i].key = walk->state[i].full;
        for (uint8_t slot = 0; slot < MOST_SLOTS; slot++)
            if (ended >> slot & 1)
                walk->state[i].key &= ~((((uint64_t)1 << ARENA_BITS) - 1) << (slot * ARENA_BITS));
    }
    if (walk->states > kept)
        qsort(walk->state + kept, walk->states - kept, sizeof *walk->state, compare_states);
    for (uint32_t i = kept, from = kept; from < walk->states; from++)
        if (from == i || walk->state[from].key != walk->state[kept - 1].key)
            walk->state[kept++] = walk->state[from];
    walk->states = kept;
}

/* Makes the states of a section from those before it. */
static enum status step(struct walk *walk, uint32_t section, uint64_t *used)
{
    const struct memory_model *model = walk->model;
    uint32_t fresh[MOST_SLOTS], count = 0;
    uint64_t held[MOST_ARENAS] = {0};
    const uint32_t *member = walk->sections->member + walk->sections->first[section];
    uint32_t members =
        (uint32_t)(walk->sections->first[section + 1] - walk->sections->first[section]);
    for (uint32_t i = 0; i < members; i++) {
        uint32_t n = member[i];
        if (walk->only[n] != MEMORY_NONE) {
            held[walk->only[n]] += model->nodes->size[n];
        } else if (walk->first[n] == section) {
            uint8_t slot = 0;
            while (slot < MOST_SLOTS && *used >> slot & 1)
                slot++;
            walk->gave_up |= slot == MOST_SLOTS;
            if (walk->gave_up)
                return STATUS_OK;
            assert(walk->slot[n] == NO_SLOT); /* each node is fresh once */
            walk->slot[n] = slot;
            *used |= (uint64_t)1 << slot;
            fresh[count++] = n;
        }
    }
    walk->begin[section + 1] = walk->states;
    for (uint32_t p = walk->begin[section]; p < walk->begin[section + 1]; p++) {
        uint64_t load[MOST_ARENAS];
        struct walk_state next = walk->state[p];
        memcpy(load, held, sizeof load);
        next.full = next.key;
        next.parent = p;
        for (uint32_t i = 0; i < members; i++)
            if (walk->slot[member[i]] != NO_SLOT && walk->first[member[i]] < section) {
                assert(get_arena(next.key, walk->slot[member[i]]) < model->arenas);
                load[get_arena(next.key, walk->slot[member[i]])] += model->nodes->size[member[i]];
            }
        bool fits = true;
        for (uint32_t a = 0; a < model->arenas; a++)
            fits &= load[a] <= walk->capacity[a];
        if (fits)
            TRY(branch(walk, fresh, count, next, load));
    }
    if (!walk->gave_up)
        project(walk, section, used);
    return STATUS_OK;
}

/* Reads the arenas of the cheapest last state backwards. */
static void read_choice(const struct walk *walk, struct master_answer *answer)
{
    uint32_t best = walk->begin[walk->sections->count];
    answer->infeasible = best == walk->states;
    if (answer->infeasible)
        return;
    for (uint32_t i = best; i < walk->states; i++)
        best = walk->state[i].cost < walk->state[best].cost ? i : best;
    answer->solved = true;
    answer->bound = walk->state[best].cost + walk->fixed;
    for (uint32_t s = walk->sections->count; s-- > 0; best = walk->state[best].parent) {
        assert(best >= walk->begin[s + 1]); /* it is a state of this section */
        for (uint64_t i = walk->sections->first[s]; i < walk->sections->first[s + 1]; i++) {
            uint32_t n = walk->sections->member[i];
            if (walk->slot[n] == NO_SLOT)
                answer->arena[n] = walk->only[n];
            else if (walk->first[n] == s)
                answer->arena[n] = get_arena(walk->state[best].full, walk->slot[n]);
        }
    }
    assert(best == 0); /* the one before the first section */
}

enum status load_walk_choose(const struct memory_model *model, double room, uint64_t deadline_ns,
                             struct master_answer *answer, struct error *error)
{
    SCOPED(clear_walk) struct walk walk = {.model = model, .error = error};
    uint64_t used = 0;
    answer->infeasible = answer->solved = false;
    answer->bound = 0;
    memset(answer->paid, 0, model->edges * sizeof *answer->paid);
    if (model->by_pairs || model->arenas > MOST_ARENAS ||
        model->arenas != model->problem->memories || problem_is_by_clocks(model->nodes))
        return STATUS_OK;
    for (uint32_t a = 0; a < model->arenas; a++) {
        uint64_t capacity = model->arena[a].capacity;
        walk.capacity[a] = capacity - (uint64_t)((1 - room) * (double)capacity);
    }
    for (uint32_t n = 0; n < model->classes.count; n++) {
        bool allowed = false;
        for (uint32_t a = 0; a < model->arenas; a++)
            allowed |= memory_model_traffic(model, n, a) != UINT64_MAX;
        if (!allowed)
            return STATUS_OK;
    }
    TRY(sections_create(model->nodes, &walk.sections, error));
    TRY(find_nodes(&walk));
    TRY(add_state(&walk, (struct walk_state){.key = 0}));
    walk.begin[1] = 1;
    for (uint32_t s = 0; s < walk.sections->count && !walk.gave_up; s++) {
        TRY(step(&walk, s, &used));
        walk.gave_up |= !clock_left_ns(deadline_ns);
    }
    assert(walk.gave_up || used == 0); /* all nodes have ended */
    if (!walk.gave_up)
        read_choice(&walk, answer);
    return STATUS_OK;
}
