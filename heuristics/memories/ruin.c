/* Ruin and recreate (Schrimpf et al., J. Comp. Physics 159, 2000): some nodes around one that costs
   are taken out and placed again, each where it then costs least; or the one is put into its
   cheapest arena, and what has to make room is placed again. What comes out is kept if it costs no
   more, or a little more at first. Nodes for which there is no room are left out and come
   first later. */

#include <math.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/random.h"
#include "heuristics/memories/orders.h"
#include "heuristics/memories/place.h"
#include "heuristics/memories/rows.h"

enum {
    MOST_REMOVED = 32,
    MOST_DRAWN = 15,
    ROUNDS = 40000,
    EXTRAS = 8, /* draws of what may follow one that is forced */
    DRAWS = 24, /* how often something that costs is drawn for before anything will do */
};

struct ruin {
    struct placing placing;
    const struct memory_model *model;
    struct random_state random;
    uint32_t *missing;  /* [nodes] those that are not placed */
    uint32_t *cheapest; /* [nodes] its arena with the least traffic */
    uint64_t *regret;   /* [nodes] what its traffic costs more in the next one */
    struct place_span *found, *lower, *upper; /* [most conflicts + reserved ranges] see list_ends */
    uint32_t *best_arena;
    uint64_t *best_offset;
    uint32_t removed[MOST_REMOVED], count;
    uint32_t old_arena[MOST_REMOVED];
    uint64_t old_offset[MOST_REMOVED];
    uint64_t cost, best_cost; /* of the nodes that are placed */
    uint32_t missings, best_missings;
};

/* Whether every node has a place there that costs nothing more. It is looked for at last. */
static bool is_loose(const struct memory_model *model, uint32_t arena)
{
    return !model->edges && model->arena[arena].capacity == UINT64_MAX;
}

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

static uint64_t get_least_traffic(const struct ruin *ruin, uint32_t node)
{
    return memory_model_traffic(ruin->model, node, ruin->cheapest[node]);
}

static void find_regrets(struct ruin *ruin)
{
    const struct memory_model *model = ruin->model;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t least = UINT64_MAX, next = UINT64_MAX;
        for (uint32_t a = 0; a < model->arenas; a++) {
            uint64_t traffic = memory_model_traffic(model, n, a);
            next = traffic < least ? least : traffic < next ? traffic : next;
            ruin->cheapest[n] = traffic < least ? a : ruin->cheapest[n];
            least = traffic < least ? traffic : least;
        }
        ruin->regret[n] = next == UINT64_MAX ? 0 : next - least;
    }
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
            get_least_traffic(ruin, node))
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
    uint64_t wanted = 1 + random_below(&ruin->random, MOST_DRAWN);
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

static struct place_span make_end(const struct ruin *ruin, uint32_t node, uint64_t at)
{
    bool is_cheapest = ruin->placing.arena[node] == ruin->cheapest[node];
    return (struct place_span){at, ruin->model->pinned_arena[node] != MEMORY_NONE,
                               is_cheapest ? ruin->regret[node] : 0};
}

/* Lists the lower and the upper ends of what a node conflicts with in its cheapest arena, ascending
   in `lower`. The cost is that of taking it out, and `upper` says whether that cannot be done. */
static uint32_t list_ends(struct ruin *ruin, uint32_t node)
{
    const struct memory_model *model = ruin->model;
    uint32_t arena = ruin->cheapest[node], count;
    for (int uppers = 0; uppers < 2; uppers++) {
        count = 0;
        for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++) {
            uint32_t other = model->other[i];
            if (ruin->placing.arena[other] == arena)
                ruin->found[count++] = make_end(ruin, other,
                                                ruin->placing.offset[other] +
                                                    (uppers ? model->nodes->size[other] : 0));
        }
        for (uint32_t r = model->first_reserved[arena]; r < model->first_reserved[arena + 1]; r++)
            ruin->found[count++] = (struct place_span){
                uppers ? model->reserved[r].upper : model->reserved[r].lower, true, 0};
        placing_sort_spans(ruin->found, count, uppers ? ruin->upper : ruin->lower);
    }
    return count;
}

/* Finds the offset in its cheapest arena at which a node drives out the least, changed by chance:
   it begins where something ends, or ends where something begins. False where there is none. */
static bool find_forced(struct ruin *ruin, uint32_t node, uint64_t *forced)
{
    const struct memory_model *model = ruin->model;
    uint32_t arena = ruin->cheapest[node], count = list_ends(ruin, node);
    uint64_t size = model->nodes->size[node], capacity = model->arena[arena].capacity;
    uint64_t alignment = memory_model_alignment(model, node, arena);
    double least = HUGE_VAL;
    for (int ends = 0; ends < 2; ends++) {
        uint64_t sum = 0, stays = 0, at;
        uint32_t l = 0, u = 0;
        for (uint32_t i = 0; i <= count; i++) {
            uint64_t end = i < count ? ruin->lower[i].lower : capacity;
            if (ends ? end < size
                     : !checked_align(i ? ruin->upper[i - 1].lower : 0, alignment, &at))
                continue;
            at = ends ? (end - size) / alignment * alignment : at;
            if (at > capacity - size)
                break;
            for (; l < count && ruin->lower[l].lower < at + size; l++) {
                sum += ruin->lower[l].cost;
                stays += ruin->lower[l].upper;
            }
            for (; u < count && ruin->upper[u].lower <= at; u++) {
                sum -= ruin->upper[u].cost;
                stays -= ruin->upper[u].upper;
            }
            double drawn = 0.6 + 0.8 * random_unit(&ruin->random);
            if (stays || (double)sum * drawn >= least)
                continue;
            least = (double)sum * drawn;
            *forced = at;
        }
    }
    return least < HUGE_VAL;
}

/* Puts a node into its cheapest arena and takes out what is in the way, and some of what conflicts
   and costs. False, and nothing is changed, where that is too much. */
static bool force(struct ruin *ruin, uint32_t node)
{
    const struct memory_model *model = ruin->model;
    struct placing *placing = &ruin->placing;
    const uint64_t *size = model->nodes->size;
    uint32_t arena = ruin->cheapest[node], driven = 0;
    uint64_t conflicts = model->first[node + 1] - model->first[node], at = 0;
    if (model->pinned_arena[node] != MEMORY_NONE || placing->arena[node] == arena ||
        model->arena[arena].capacity == UINT64_MAX || !find_forced(ruin, node, &at))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++) {
            uint32_t other = model->other[i];
            if (placing->arena[other] != arena || placing->offset[other] >= at + size[node] ||
                at >= placing->offset[other] + size[other])
                continue;
            if (pass)
                take_out(ruin, other);
            driven++;
        }
        if (driven >= MOST_REMOVED)
            return false;
        driven = 0;
        if (!pass) {
            ruin->count = 0;
            take_out(ruin, node);
        }
    }
    placing_put(placing, node, (struct place_found){.arena = arena, .offset = at});
    ruin->cost += get_cost(placing, node);
    for (int i = 0; i < EXTRAS && conflicts; i++) {
        uint32_t other = model->other[model->first[node] + random_below(&ruin->random, conflicts)];
        if (placing->arena[other] != ruin->cheapest[other] && placing->arena[other] != MEMORY_NONE)
            take_out(ruin, other);
    }
    return true;
}

/* Puts what was taken out, and what was missing before, back, in one of four orders: at random, by
   size, as taken out, by what a byte saves. */
static void recreate(struct ruin *ruin)
{
    const struct memory_model *model = ruin->model;
    uint32_t order[MOST_REMOVED];
    double rank[MOST_REMOVED];
    uint64_t way = random_below(&ruin->random, 4);
    for (uint32_t i = 0; i < ruin->count; i++) {
        uint32_t n = ruin->removed[i], k = i;
        double size = (double)model->nodes->size[n];
        double drawn = random_unit(&ruin->random);
        double moved = way == 0   ? drawn
                       : way == 1 ? size
                       : way == 2 ? 0
                                  : (double)ruin->regret[n] / size * (0.5 + drawn);
        for (; k > 0 && rank[k - 1] < moved; k--) {
            rank[k] = rank[k - 1];
            order[k] = order[k - 1];
        }
        rank[k] = moved;
        order[k] = n;
    }
    for (uint32_t i = 0; i < ruin->count; i++) {
        struct place_found best = {.cost = UINT64_MAX}, found;
        for (uint32_t a = 0; a < model->arenas && ruin->placing.arena[order[i]] == MEMORY_NONE;
             a++) {
            uint64_t traffic = memory_model_traffic(model, order[i], a);
            if (traffic >= best.cost)
                continue;
            if (is_loose(model, a))
                best = (struct place_found){a, 0, traffic};
            else if (placing_find_cheapest(&ruin->placing, order[i], a, &found) &&
                     found.cost < best.cost)
                best = found;
        }
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
    uint32_t seed = draw_seed(ruin);
    if (ruin->missings || random_below(&ruin->random, 4) == 0 || !force(ruin, seed))
        ruin_around(ruin, seed);
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
static enum status begin(struct ruin *ruin, const struct memory_task *task, struct error *error)
{
    const struct memory_model *model = task->model;
    size_t nodes = model->classes.count, most = model->first_reserved[model->arenas];
    for (size_t n = 0, least = most; n < nodes; n++)
        if (model->first[n + 1] - model->first[n] + least > most)
            most = model->first[n + 1] - model->first[n] + least;
    TRY(placing_create(model, task->scratch, &ruin->placing, error));
    TRY(scratch_take_all(task->scratch, nodes, error, &ruin->missing, &ruin->cheapest,
                         &ruin->regret, &ruin->best_arena, &ruin->best_offset));
    TRY(scratch_take_all(task->scratch, most, error, &ruin->found, &ruin->lower, &ruin->upper));
    find_regrets(ruin);
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

/* Makes the plan of the best places, and finds those in loose arenas. */
static void read_best(struct ruin *ruin, struct memory_plan *plan)
{
    const struct memory_model *model = ruin->model;
    struct placing *placing = &ruin->placing;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        bool stays = model->pinned_arena[n] != MEMORY_NONE || !is_loose(model, ruin->best_arena[n]);
        placing->arena[n] = stays ? ruin->best_arena[n] : MEMORY_NONE;
        placing->offset[n] = ruin->best_offset[n];
    }
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (placing->arena[n] == MEMORY_NONE)
            placing_put(placing, n, placing_find_lowest(placing, n, ruin->best_arena[n]));
    placing_read(placing, plan);
}

static enum status plan_ruin(const struct memory_task *task, struct memory_plan *plan,
                             struct error *error)
{
    const struct memory_model *model = task->model;
    struct ruin ruin = {.model = model, .random = random_seed(task->seed)};
    uint64_t began_ns = clock_monotonic_ns(), least = 0, nodes = model->classes.count;
    uint64_t limit_ns = clock_left_ns(task->deadline_ns);
    uint64_t rounds = task->rounds || limit_ns < UINT64_MAX ? task->rounds : ROUNDS + 40 * nodes;
    TRY(begin(&ruin, task, error));
    for (uint32_t n = 0; n < nodes; n++)
        least += get_least_traffic(&ruin, n);
    double heat = 0, done = 0;
    for (uint64_t round = 0; ruin.best_missings || ruin.best_cost > least; round++) {
        if (round % 64 == 0) {
            double timed = (double)(clock_monotonic_ns() - began_ns) / ((double)limit_ns + 1);
            done = rounds ? (double)round / (double)rounds : timed;
            if (done >= 1 || timed >= 1)
                break;
            heat = 0.3 * (double)ruin.best_cost / (double)(nodes + 1);
        }
        /* A threshold that is drawn, so that most rounds keep only what is no worse. */
        double drawn = random_unit(&ruin.random);
        try_round(&ruin, (uint64_t)(heat * (1 - done) * -log(drawn + 1e-12)));
    }
    if (!ruin.best_missings)
        read_best(&ruin, plan);
    return STATUS_OK;
}

const struct memory_planner memory_planner_ruin_recreate = {
    .name = "ruin_recreate",
    .title = "takes some buffers out and places them where they cost least, over and over",
    .source = "ours, after Schrimpf et al., J. Comp. Physics 159, 2000",
    .flags = MEMORY_PLANNER_SEARCHES | MEMORY_PLANNER_WANTS_START,
    .plan = plan_ruin};
