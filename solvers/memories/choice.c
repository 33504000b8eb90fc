#include "solvers/memories/choice.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "core/sort.h"
#include "planning/problem/sections.h"

enum { MOST_REMOVED = 64, MOST_DRAWN = 20, ROUNDS = 400, ROUNDS_OF_NODE = 200 };

/* What each arena has to hold in each section. */
struct loads {
    const struct memory_model *model;
    struct sections *sections;
    uint32_t *first, *last; /* [nodes] the sections from and to which it lives */
    uint64_t *bytes;        /* [arenas * sections] */
    uint64_t *capacity;     /* [arenas] what loads may have */
    uint32_t *arena;        /* [nodes] */
    uint64_t *least;        /* [nodes] its least traffic */
    uint32_t *costly;       /* [nodes] those of which the choice costs more than it has to */
};

static uint64_t *get_bytes(const struct loads *loads, uint32_t arena)
{
    return loads->bytes + (size_t)arena * loads->sections->count;
}

static void add_load(struct loads *loads, uint32_t node)
{
    uint64_t *bytes = get_bytes(loads, loads->arena[node]);
    assert(loads->first[node] <= loads->last[node]); /* each node lives in some section */
    for (uint32_t s = loads->first[node]; s <= loads->last[node]; s++)
        bytes[s] += loads->model->nodes->size[node];
}

static void take_load(struct loads *loads, uint32_t node)
{
    uint64_t *bytes = get_bytes(loads, loads->arena[node]);
    for (uint32_t s = loads->first[node]; s <= loads->last[node]; s++) {
        assert(bytes[s] >= loads->model->nodes->size[node]);
        bytes[s] -= loads->model->nodes->size[node];
    }
}

static bool has_room(const struct loads *loads, uint32_t node, uint32_t arena)
{
    uint64_t capacity = loads->capacity[arena], size = loads->model->nodes->size[node];
    const uint64_t *bytes = get_bytes(loads, arena);
    if (memory_model_traffic(loads->model, node, arena) == UINT64_MAX || size > capacity)
        return false;
    for (uint32_t s = loads->first[node]; s <= loads->last[node]; s++)
        if (bytes[s] > capacity - size)
            return false;
    return true;
}

/* Chooses the cheapest arena with room; false, and nothing is changed, where there is none. */
static bool choose(struct loads *loads, uint32_t node)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t a = 0; a < loads->model->arenas; a++) {
        uint64_t traffic = memory_model_traffic(loads->model, node, a);
        if (traffic >= least || !has_room(loads, node, a))
            continue;
        least = traffic;
        loads->arena[node] = a;
    }
    assert(least == UINT64_MAX || has_room(loads, node, loads->arena[node]));
    return least != UINT64_MAX;
}

static enum status find_lives(struct loads *loads, struct scratch *scratch, struct error *error)
{
    const struct memory_model *model = loads->model;
    uint32_t nodes = model->classes.count;
    TRY(sections_create(model->nodes, &loads->sections, error));
    TRY(scratch_take_all(scratch, nodes, error, &loads->first, &loads->last, &loads->least,
                         &loads->costly));
    TRY(scratch_take(scratch, &loads->capacity, model->arenas, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &loads->bytes, (size_t)model->arenas * loads->sections->count,
                     sizeof(uint64_t), error));
    for (uint32_t n = 0; n < nodes; n++) {
        loads->first[n] = UINT32_MAX;
        loads->least[n] = UINT64_MAX;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (memory_model_traffic(model, n, a) < loads->least[n])
                loads->least[n] = memory_model_traffic(model, n, a);
    }
    for (uint32_t s = 0; s < loads->sections->count; s++)
        for (uint64_t i = loads->sections->first[s]; i < loads->sections->first[s + 1]; i++) {
            uint32_t n = loads->sections->member[i];
            loads->first[n] = s < loads->first[n] ? s : loads->first[n];
            loads->last[n] = s;
        }
    return STATUS_OK;
}

static uint64_t get_share(const void *context, uint32_t node)
{
    const struct choice_request *request = context;
    assert(request->share[node] >= 0);
    return (uint64_t)(request->share[node] * 1e9);
}

/* What the relaxation has most of is decided first, and lies elsewhere, where that is cheapest, if
   a section is full by then. */
static enum status round_off(struct loads *loads, const struct choice_request *request,
                             struct scratch *scratch, struct error *error)
{
    const struct sort_key keys[SORT_MOST_KEYS] = {{.value = get_share, .descending = true}};
    uint32_t *order, nodes = loads->model->classes.count;
    TRY(scratch_take(scratch, &order, nodes, sizeof *order, error));
    TRY(sort_by_keys(keys, request, nodes, order, error));
    for (uint32_t i = 0; i < nodes; i++) {
        if (!has_room(loads, order[i], loads->arena[order[i]]))
            choose(loads, order[i]);
        add_load(loads, order[i]);
    }
    return STATUS_OK;
}

struct search {
    struct loads *loads;
    struct random_state random;
    uint32_t costlies, removed[MOST_REMOVED], old[MOST_REMOVED], count;
    double rank[MOST_REMOVED];
};

static void list_costly(struct search *search)
{
    struct loads *loads = search->loads;
    search->costlies = 0;
    for (uint32_t n = 0; n < loads->model->classes.count; n++) {
        assert(memory_model_traffic(loads->model, n, loads->arena[n]) != UINT64_MAX);
        if (memory_model_traffic(loads->model, n, loads->arena[n]) > loads->least[n])
            loads->costly[search->costlies++] = n;
    }
}

/* Takes a node out, to come back in the order of what it costs to leave it out, by byte and
   section, changed by chance. */
static void take_out(struct search *search, uint32_t node)
{
    struct loads *loads = search->loads;
    uint64_t most = 0;
    double drawn = random_unit(&search->random);
    for (uint32_t i = 0; i < search->count; i++)
        if (search->removed[i] == node)
            return;
    if (search->count == MOST_REMOVED || loads->model->pinned_arena[node] != MEMORY_NONE)
        return;
    for (uint32_t a = 0; a < loads->model->arenas; a++) {
        uint64_t traffic = memory_model_traffic(loads->model, node, a);
        most = traffic != UINT64_MAX && traffic > most ? traffic : most;
    }
    double area = (double)loads->model->nodes->size[node] *
                  sqrt((double)(loads->last[node] - loads->first[node] + 1));
    uint32_t at = search->count++;
    double rank = (double)(most - loads->least[node]) / area * (0.5 + drawn);
    take_load(loads, node);
    for (; at > 0 && search->rank[at - 1] < rank; at--) {
        search->rank[at] = search->rank[at - 1];
        search->removed[at] = search->removed[at - 1];
        search->old[at] = search->old[at - 1];
    }
    search->rank[at] = rank;
    search->removed[at] = node;
    search->old[at] = loads->arena[node];
}

/* Takes out some of what is live in a section, and all of it that costs more than it has to. */
static void ruin(struct search *search)
{
    const struct loads *loads = search->loads;
    uint32_t seed = loads->costly[random_below(&search->random, search->costlies)];
    uint32_t span = loads->last[seed] - loads->first[seed] + 1;
    uint32_t s = loads->first[seed] + (uint32_t)random_below(&search->random, span);
    const uint32_t *member = loads->sections->member + loads->sections->first[s];
    uint64_t members = loads->sections->first[s + 1] - loads->sections->first[s];
    uint64_t drawn = 1 + random_below(&search->random, MOST_DRAWN);
    assert(search->costlies > 0);
    search->count = 0;
    take_out(search, seed);
    assert(search->count == 1); /* what costs more than it has to is not pinned */
    for (uint64_t i = 0; i < drawn; i++)
        take_out(search, member[random_below(&search->random, members)]);
    for (uint64_t i = 0; i < members; i++)
        if (memory_model_traffic(loads->model, member[i], loads->arena[member[i]]) >
            loads->least[member[i]])
            take_out(search, member[i]);
}

/* One round, in which a choice that costs up to `slack` more is kept. Returns what changed. */
static int64_t try_round(struct search *search, int64_t slack)
{
    struct loads *loads = search->loads;
    int64_t change = 0;
    bool all = true;
    uint32_t done = 0;
    ruin(search);
    for (; done < search->count && all; done++) {
        uint32_t n = search->removed[done];
        change -= (int64_t)memory_model_traffic(loads->model, n, loads->arena[n]);
        all = choose(loads, n);
        change += (int64_t)memory_model_traffic(loads->model, n, loads->arena[n]);
        if (all)
            add_load(loads, n);
    }
    assert(!all || done == search->count);
    if (all && change <= slack)
        return change;
    for (uint32_t i = 0; i + !all < done; i++)
        take_load(loads, search->removed[i]);
    for (uint32_t i = 0; i < search->count; i++) {
        loads->arena[search->removed[i]] = search->old[i];
        add_load(loads, search->removed[i]);
    }
    return 0;
}

static enum status search_choice(struct loads *loads, const struct choice_request *request,
                                 struct scratch *scratch, struct error *error)
{
    struct search search = {.loads = loads, .random = random_seed(request->seed)};
    uint32_t nodes = loads->model->classes.count, *best;
    uint64_t rounds = ROUNDS + (uint64_t)ROUNDS_OF_NODE * nodes;
    int64_t above = 0, least = 0, cost = 0;
    TRY(scratch_take(scratch, &best, nodes, sizeof *best, error));
    memcpy(best, loads->arena, nodes * sizeof *best);
    list_costly(&search);
    for (uint32_t i = 0; i < search.costlies; i++)
        cost += (int64_t)(memory_model_traffic(loads->model, loads->costly[i],
                                               loads->arena[loads->costly[i]]) -
                          loads->least[loads->costly[i]]);
    for (uint64_t round = 0; round < rounds && search.costlies; round++) {
        if (round % 64 == 0 && !clock_left_ns(request->deadline_ns))
            break;
        double left = 1 - (double)round / (double)rounds;
        double drawn = random_unit(&search.random);
        double heat = 0.02 * left * (double)cost / (double)search.costlies;
        above += try_round(&search, (int64_t)(heat * -log(drawn + 1e-12)));
        assert(cost + above >= 0);
        list_costly(&search);
        if (above >= least)
            continue;
        least = above;
        memcpy(best, loads->arena, nodes * sizeof *best);
    }
    memcpy(loads->arena, best, nodes * sizeof *best);
    return STATUS_OK;
}

enum status choice_round(const struct memory_model *model, const struct choice_request *request,
                         struct scratch *scratch, struct error *error)
{
    struct loads loads = {.model = model, .arena = request->arena};
    assert(!model->by_pairs && !model->edges && request->room > 0 && request->room <= 1);
    enum status status = find_lives(&loads, scratch, error);
    for (uint32_t a = 0; a < model->arenas && !status; a++) {
        uint64_t capacity = model->arena[a].capacity;
        loads.capacity[a] = capacity - (uint64_t)((1 - request->room) * (double)capacity);
    }
    if (!status)
        status = round_off(&loads, request, scratch, error);
    if (!status)
        status = search_choice(&loads, request, scratch, error);
    sections_free(loads.sections);
    return status;
}
