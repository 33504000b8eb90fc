/* Ruin and recreate (Schrimpf et al., J. Comp. Physics 159, 2000): some nodes around one that costs
   are taken out and placed again, each where it then costs least; what comes out is kept if it costs
   no more, or a little more at first. Nodes for which there is no room are left out and come first
   later. */

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "heuristics/memories/orders.h"
#include "heuristics/memories/place.h"
#include "heuristics/memories/rows.h"

enum {
    MOST_REMOVED = 16,
    ROUNDS = 40000,
    DRAWS = 24, /* how often something that costs is drawn for before anything will do */
};

struct ruin {
    struct placing placing;
    const struct memory_model *model;
    struct random_state random;
    uint32_t *missing; /* [nodes] those that are not placed */
    uint32_t *best_arena;
    uint64_t *best_offset;
    uint32_t removed[MOST_REMOVED], count;
    uint32_t old_arena[MOST_REMOVED];
    uint64_t old_offset[MOST_REMOVED];
    uint64_t cost, best_cost; /* of the nodes that are placed */
    uint32_t missings, best_missings;
};

static bool is_paid(const struct placing *placing, const struct memory_edge *edge)
{
    uint32_t a = edge->first, b = edge->second;
    const uint64_t *size = placing->model->nodes->size;
    return placing->arena[a] != MEMORY_NONE && placing->arena[a] == placing->arena[b] &&
           placing->offset[a] < placing->offset[b] + size[b] &&
           placing->offset[b] < placing->offset[a] + size[a];
}

/* What a placed node costs: its traffic and the edges that it pays. */
static uint64_t get_cost(const struct placing *placing, uint32_t node)
{
    const struct memory_model *model = placing->model;
    uint64_t cost = memory_model_traffic(model, node, placing->arena[node]);
    for (uint32_t i = model->first_edge[node]; i < model->first_edge[node + 1]; i++)
        if (is_paid(placing, &model->edge[model->edge_of[i]]))
            cost += model->edge[model->edge_of[i]].cost;
    return cost;
}

static uint64_t get_least_traffic(const struct memory_model *model, uint32_t node)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t a = 0; a < model->arenas; a++) {
        uint64_t traffic = memory_model_traffic(model, node, a);
        least = traffic < least ? traffic : least;
    }
    return least;
}

/* A node that is missing; or one that costs more than it has to, where drawing finds one. */
static uint32_t draw_seed(struct ruin *ruin)
{
    const struct memory_model *model = ruin->model;
    uint32_t node = (uint32_t)random_below(&ruin->random, model->classes.count);
    if (ruin->missings)
        return ruin->missing[random_below(&ruin->random, ruin->missings)];
    for (int draw = 0; draw < DRAWS; draw++) {
        if (model->edges && draw % 2) {
            const struct memory_edge *edge =
                &model->edge[random_below(&ruin->random, model->edges)];
            if (is_paid(&ruin->placing, edge))
                return random_next(&ruin->random) & 1 ? edge->first : edge->second;
            continue;
        }
        node = (uint32_t)random_below(&ruin->random, model->classes.count);
        if (memory_model_traffic(model, node, ruin->placing.arena[node]) >
            get_least_traffic(model, node))
            return node;
    }
    return node;
}

static void take_out(struct ruin *ruin, uint32_t node)
{
    uint32_t arena = ruin->placing.arena[node];
    if (ruin->count == MOST_REMOVED || ruin->model->pinned_arena[node] != MEMORY_NONE)
        return;
    for (uint32_t i = 0; i < ruin->count; i++)
        if (ruin->removed[i] == node)
            return;
    ruin->removed[ruin->count] = node;
    ruin->old_arena[ruin->count] = arena;
    ruin->old_offset[ruin->count++] = ruin->placing.offset[node];
    if (arena == MEMORY_NONE)
        return;
    ruin->cost -= get_cost(&ruin->placing, node);
    ruin->placing.arena[node] = MEMORY_NONE;
}

/* Takes the seed out and some of its neighbours. */
static void ruin_around(struct ruin *ruin, uint32_t seed)
{
    const struct memory_model *model = ruin->model;
    uint64_t conflicts = model->first[seed + 1] - model->first[seed];
    uint64_t edges = model->first_edge[seed + 1] - model->first_edge[seed];
    uint64_t wanted = 1 + random_below(&ruin->random, MOST_REMOVED - 1);
    ruin->count = 0;
    take_out(ruin, seed);
    for (uint64_t i = 0; i < wanted && conflicts + edges; i++) {
        uint64_t drawn = random_below(&ruin->random, conflicts + edges);
        if (drawn < conflicts) {
            take_out(ruin, model->other[model->first[seed] + drawn]);
            continue;
        }
        const struct memory_edge *edge =
            &model->edge[model->edge_of[model->first_edge[seed] + (drawn - conflicts)]];
        take_out(ruin, edge->first == seed ? edge->second : edge->first);
    }
}

/* Puts what was taken out, and what was missing before, back, in one of three orders: by size, as
   taken out, at random. */
static void recreate(struct ruin *ruin)
{
    const struct memory_model *model = ruin->model;
    uint32_t order[MOST_REMOVED];
    uint64_t way = random_below(&ruin->random, 3);
    memcpy(order, ruin->removed, sizeof order);
    if (way == 0)
        random_shuffle(&ruin->random, order, ruin->count);
    for (uint32_t i = 1; i < ruin->count && way == 1; i++)
        for (uint32_t k = i;
             k > 0 && model->nodes->size[order[k - 1]] < model->nodes->size[order[k]]; k--) {
            uint32_t moved = order[k];
            order[k] = order[k - 1];
            order[k - 1] = moved;
        }
    for (uint32_t i = 0; i < ruin->count; i++) {
        struct place_found best = {.cost = UINT64_MAX}, found;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (memory_model_traffic(model, order[i], a) < best.cost &&
                placing_find_cheapest(&ruin->placing, order[i], a, &found) &&
                found.cost < best.cost)
                best = found;
        if (best.cost == UINT64_MAX)
            continue;
        placing_put(&ruin->placing, order[i], best);
        ruin->cost += best.cost;
    }
}

static uint32_t count_missing(const struct ruin *ruin, bool before)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < ruin->count; i++)
        missing +=
            (before ? ruin->old_arena[i] : ruin->placing.arena[ruin->removed[i]]) == MEMORY_NONE;
    return missing;
}

static void keep_best(struct ruin *ruin)
{
    size_t nodes = ruin->model->classes.count;
    memcpy(ruin->best_arena, ruin->placing.arena, nodes * sizeof *ruin->best_arena);
    memcpy(ruin->best_offset, ruin->placing.offset, nodes * sizeof *ruin->best_offset);
    ruin->best_cost = ruin->cost;
    ruin->best_missings = ruin->missings;
}

/* One round, in which a plan that costs up to `slack` more is kept. */
static void try_round(struct ruin *ruin, uint64_t slack)
{
    uint64_t before = ruin->cost;
    ruin_around(ruin, draw_seed(ruin));
    recreate(ruin);
    uint32_t missing = ruin->missings - count_missing(ruin, true) + count_missing(ruin, false);
    bool kept = missing != ruin->missings ? missing < ruin->missings
                                          : ruin->missings || ruin->cost <= before + slack;
    if (!kept) {
        for (uint32_t i = 0; i < ruin->count; i++) {
            ruin->placing.arena[ruin->removed[i]] = ruin->old_arena[i];
            ruin->placing.offset[ruin->removed[i]] = ruin->old_offset[i];
        }
        ruin->cost = before;
        return;
    }
    if (missing || ruin->missings) {
        ruin->missings = 0;
        for (uint32_t n = 0; n < ruin->model->classes.count; n++)
            if (ruin->placing.arena[n] == MEMORY_NONE)
                ruin->missing[ruin->missings++] = n;
    }
    if (ruin->missings < ruin->best_missings ||
        (ruin->missings == ruin->best_missings && ruin->cost < ruin->best_cost))
        keep_best(ruin);
}

/* Begins with the start, or with nothing placed but what is pinned. */
static enum status begin(struct ruin *ruin, const struct memory_task *task, struct scratch *scratch,
                         struct error *error)
{
    const struct memory_model *model = task->model;
    size_t nodes = model->classes.count;
    TRY(placing_create(model, scratch, &ruin->placing, error));
    TRY(scratch_take(scratch, &ruin->missing, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &ruin->best_arena, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &ruin->best_offset, nodes, sizeof(uint64_t), error));
    if (task->start && memory_plan_found(task->start)) {
        memory_model_read(model, task->start, ruin->placing.arena, ruin->placing.offset);
        ruin->cost = task->start->cost;
    } else {
        for (uint32_t n = 0; n < nodes; n++)
            if (ruin->placing.arena[n] == MEMORY_NONE)
                ruin->missing[ruin->missings++] = n;
        for (uint32_t n = 0; n < nodes; n++)
            if (ruin->placing.arena[n] != MEMORY_NONE)
                ruin->cost += memory_model_traffic(model, n, ruin->placing.arena[n]);
        for (uint32_t e = 0; e < model->edges; e++)
            ruin->cost += is_paid(&ruin->placing, &model->edge[e]) ? model->edge[e].cost : 0;
    }
    keep_best(ruin);
    return STATUS_OK;
}

static enum status search(struct ruin *ruin, const struct memory_task *task,
                          struct memory_plan *plan, struct scratch *scratch, struct error *error)
{
    const struct memory_model *model = task->model;
    uint64_t began_ns = clock_monotonic_ns(), least = 0, nodes = model->classes.count;
    uint64_t limit_ns = clock_left_ns(task->deadline_ns);
    uint64_t rounds = task->rounds || limit_ns < UINT64_MAX ? task->rounds : ROUNDS + 40 * nodes;
    TRY(begin(ruin, task, scratch, error));
    for (uint32_t n = 0; n < nodes; n++)
        least += get_least_traffic(model, n);
    double heat = 0, done = 0;
    for (uint64_t round = 0; ruin->best_missings || ruin->best_cost > least; round++) {
        if (round % 64 == 0) {
            double timed = (double)(clock_monotonic_ns() - began_ns) / ((double)limit_ns + 1);
            done = rounds ? (double)round / (double)rounds : timed;
            if (done >= 1 || timed >= 1)
                break;
            heat = 0.3 * (double)ruin->best_cost / (double)(nodes + 1);
        }
        /* A threshold that is drawn, so that most rounds keep only what is no worse. */
        double drawn = (double)(random_next(&ruin->random) >> 11) * 0x1p-53;
        try_round(ruin, (uint64_t)(heat * (1 - done) * -log(drawn + 1e-12)));
    }
    plan->status = PLAN_GAVE_UP;
    if (!ruin->best_missings) {
        memory_model_fill(model, ruin->best_arena, ruin->best_offset, plan);
        plan->status = PLAN_FEASIBLE;
    }
    return STATUS_OK;
}

static enum status plan_ruin(const struct memory_planner *planner, const struct memory_task *task,
                             struct memory_plan *plan, struct error *error)
{
    struct scratch scratch = {0};
    struct ruin ruin = {.model = task->model, .random = random_seed(task->seed)};
    (void)planner;
    enum status status = search(&ruin, task, plan, &scratch, error);
    scratch_free(&scratch);
    return status;
}

const struct memory_planner memory_planner_ruin_recreate = {
    .name = "ruin_recreate",
    .title = "takes some buffers out and places them where they cost least, over and over",
    .source = "ours, after Schrimpf et al., J. Comp. Physics 159, 2000",
    .flags = MEMORY_PLANNER_SEARCHES | MEMORY_PLANNER_WANTS_START,
    .plan = plan_ruin};
