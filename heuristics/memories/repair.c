/* dsa-solver's promote_repair (a8d1257, docs/dsa_rp_algorithms.md): first fit that treats each
   penalty as a conflict at first. Where nodes are above the capacity, one penalty after another is
   paid that keeps them there, and is never a conflict again. The rule tries orders by size, birth
   and penalties, and at last canonical_greedy. */

#include "core/checked.h"
#include "core/clock.h"
#include "heuristics/memories/orders.h"
#include "heuristics/memories/place.h"
#include "heuristics/memories/rows.h"

struct repair {
    struct placing placing;
    const struct memory_task *task;
    bool *paid;      /* [edges] */
    uint32_t *order; /* [nodes] */
};

/* Places every node at its lowest offset, in the first arena with the least traffic in which it
   fits; where it fits in none, in the first with the least traffic, above its capacity. */
static void place_all(struct repair *repair)
{
    struct placing *placing = &repair->placing;
    const struct memory_model *model = placing->model;
    placing_clear(placing);
    for (uint32_t i = 0; i < model->classes.count; i++) {
        uint32_t n = repair->order[i];
        struct place_found best = {MEMORY_NONE, 0, 0};
        bool best_fits = false;
        uint64_t least = 0;
        for (uint32_t a = 0; a < model->arenas && placing->arena[n] == MEMORY_NONE; a++) {
            uint64_t traffic = memory_model_traffic(model, n, a);
            if (traffic == UINT64_MAX)
                continue;
            struct place_found found = placing_find_lowest(placing, n, a);
            bool fits = placing_fits(placing, n, found);
            if (best.arena != MEMORY_NONE &&
                (best_fits > fits || (best_fits == fits && least <= traffic)))
                continue;
            best = found;
            best_fits = fits;
            least = traffic;
        }
        if (best.arena != MEMORY_NONE && best.offset != UINT64_MAX)
            placing_put(placing, n, best);
    }
}

static uint64_t get_top(const struct placing *placing, uint32_t node)
{
    return placing->offset[node] + placing->model->nodes->size[node];
}

/* The placed node that is the farthest above the capacity of its arena; MEMORY_NONE where all fit,
   and *placed tells whether all have a place. */
static uint32_t find_overflow(const struct placing *placing, bool *placed)
{
    const struct memory_model *model = placing->model;
    uint32_t worst = MEMORY_NONE;
    uint64_t most = 0;
    *placed = true;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        if (placing->arena[n] == MEMORY_NONE) {
            *placed = false;
            continue;
        }
        uint64_t top = get_top(placing, n), capacity = model->arena[placing->arena[n]].capacity;
        if (top > capacity && top - capacity > most) {
            most = top - capacity;
            worst = n;
        }
    }
    return worst;
}

/* Whether the other node ends, rounded up, where the node begins. */
static bool is_below(const struct placing *placing, uint32_t node, uint32_t other)
{
    uint32_t arena = placing->arena[node];
    return placing->arena[other] == arena &&
           align_up(get_top(placing, other), memory_model_alignment(placing->model, node, arena)) ==
               placing->offset[node];
}

/* Goes down from a node along those that hold each one up, and finds the cheapest unpaid edge on
   the way; false where there is none. */
static bool find_edge(const struct repair *repair, uint32_t node, uint32_t *cheapest)
{
    const struct placing *placing = &repair->placing;
    const struct memory_model *model = placing->model;
    uint64_t least = UINT64_MAX;
    while (placing->offset[node]) {
        uint32_t next = MEMORY_NONE, way = MEMORY_NONE;
        for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++) {
            uint32_t other = model->other[i];
            if (is_below(placing, node, other) &&
                (next == MEMORY_NONE || get_top(placing, other) > get_top(placing, next)))
                next = other;
        }
        for (uint32_t i = model->first_edge[node]; i < model->first_edge[node + 1]; i++) {
            uint32_t e = model->edge_of[i];
            const struct memory_edge *edge = &model->edge[e];
            uint32_t other = edge->first == node ? edge->second : edge->first;
            if (repair->paid[e] || !is_below(placing, node, other) ||
                (next != MEMORY_NONE && get_top(placing, other) <= get_top(placing, next)))
                continue;
            next = other;
            way = e;
        }
        if (next == MEMORY_NONE)
            break;
        if (way != MEMORY_NONE && model->edge[way].cost < least) {
            least = model->edge[way].cost;
            *cheapest = way;
        }
        node = next;
    }
    return least != UINT64_MAX;
}

/* Whether allowing edges one by one makes all fit, in the present order. */
static bool repair_order(struct repair *repair)
{
    const struct memory_model *model = repair->placing.model;
    for (uint32_t e = 0; e < model->edges; e++)
        repair->paid[e] = false;
    while (clock_left_ns(repair->task->deadline_ns)) {
        uint32_t edge;
        bool placed;
        place_all(repair);
        uint32_t worst = find_overflow(&repair->placing, &placed);
        if (worst == MEMORY_NONE)
            return placed;
        if (!find_edge(repair, worst, &edge))
            return false;
        repair->paid[edge] = true;
    }
    return false;
}

static enum status plan_repair(const struct memory_task *task, struct memory_plan *plan,
                               struct error *error)
{
    static const enum memory_order orders[] = {MEMORY_ORDER_SIZE, MEMORY_ORDER_BIRTH,
                                               MEMORY_ORDER_PENALTY};
    const struct memory_model *model = task->model;
    struct repair repair = {.task = task};
    TRY(placing_create(model, task->scratch, &repair.placing, error));
    TRY(scratch_take(task->scratch, &repair.paid, model->edges, sizeof(bool), error));
    TRY(scratch_take(task->scratch, &repair.order, model->classes.count, sizeof(uint32_t), error));
    repair.placing.paid = repair.paid;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        TRY(memory_order_make(model, orders[i], repair.order, error));
        if (repair_order(&repair)) {
            placing_read(&repair.placing, plan);
            return STATUS_OK;
        }
    }
    return memory_planner_plan(&memory_planner_canonical_greedy, task, plan, error);
}

const struct memory_planner memory_planner_promote_repair = {
    .name = "promote_repair",
    .title = "penalties kept like conflicts, and allowed one by one where that lowers the top",
    .source = "dsa-solver a8d1257, promote_repair",
    .plan = plan_repair};
