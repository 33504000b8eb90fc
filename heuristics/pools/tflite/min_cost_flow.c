/* Shared objects by minimum cost flow (Pisarchyk and Lee, arXiv 2001.03288; LiteRT
   min_cost_flow_assignment.cc): every buffer takes over the object of at most one buffer that ended
   before it begins, which costs by how much it is larger than that buffer, or a new object, which
   costs its size. The chains of the cheapest choice are the objects.

   Departure: the flow is found as an assignment (Hungarian method, rows in order of the first
   step), not by shortest path augmentation of the whole network. The cost is the same least one;
   among choices of equal cost another may come out. O(n^3) worst time, O(n) memory, the pairs are
   never stored; PLAN_UNSUPPORTED above MOST_BUFFERS, PLAN_TIMEOUT at the time limit. */

#include <assert.h>

#include "core/clock.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/pools/common/pools.h"

enum { MOST_BUFFERS = 4096 };

/* The assignment problem. Rows are the buffers that need an object, by first step. Columns are the
   buffers that hand their object on, by end, so that a row may take over any column of a range that
   begins at 0. Besides, each row has a column of its own for a new object; no other row can take
   that column, and its potential therefore stays 0. */
struct flow {
    const struct problem *problem;
    uint32_t count;
    const uint32_t *row; /* [count] the buffer of each row */
    /* [count] the buffer of each column; the array has room for all buffers, to sort them in it */
    uint32_t *column;
    int64_t *column_bytes;
    uint32_t *reach; /* [count] the row may take the columns 0 .. reach - 1 */
    int64_t *row_potential, *column_potential;
    uint32_t *taken_by; /* [columns] the row that takes each column, or POOLS_NONE */
    uint32_t *takes;    /* [rows] the column that each row takes, or POOLS_NONE for a new object */
    /* What one search for the cheapest way to serve one more row finds: */
    int64_t *distance; /* [columns] */
    uint32_t *from;    /* [columns] the row from which it was reached */
    bool *done;        /* [columns] whether its distance is final */
};

static int64_t get_new_cost(const struct flow *flow, uint32_t row)
{
    return (int64_t)flow->problem->size[flow->row[row]] - flow->row_potential[row];
}

static void reach_columns(struct flow *flow, uint32_t row, int64_t distance)
{
    int64_t need = (int64_t)flow->problem->size[flow->row[row]];
    int64_t base = distance - flow->row_potential[row];
    for (uint32_t c = 0; c < flow->reach[row]; c++) {
        int64_t have = flow->column_bytes[c];
        int64_t cost = need > have ? need - have : 0;
        int64_t reached = base + cost - flow->column_potential[c];
        if (reached < flow->distance[c] && !flow->done[c]) {
            flow->distance[c] = reached;
            flow->from[c] = row;
        }
    }
}

static uint32_t find_nearest_column(const struct flow *flow, int64_t limit)
{
    uint32_t nearest = POOLS_NONE;
    for (uint32_t c = 0; c < flow->count; c++)
        if (!flow->done[c] && flow->distance[c] < limit) {
            limit = flow->distance[c];
            nearest = c;
        }
    return nearest;
}

/* Searches the cheapest chain of changes that serves one more row. It ends at a free column, which
   is returned, or at a row that takes a new object; then POOLS_NONE is returned, and *last is that
   row. *length is the chain's cost. */
static uint32_t find_end(struct flow *flow, uint32_t row, uint32_t *last, int64_t *length)
{
    *last = row;
    *length = get_new_cost(flow, row);
    for (uint32_t c = 0; c < flow->count; c++) {
        flow->distance[c] = INT64_MAX;
        flow->done[c] = false;
    }
    reach_columns(flow, row, 0);
    for (;;) {
        uint32_t column = find_nearest_column(flow, *length);
        if (column == POOLS_NONE)
            return POOLS_NONE;
        flow->done[column] = true;
        uint32_t holder = flow->taken_by[column];
        if (holder == POOLS_NONE) {
            *length = flow->distance[column];
            return column;
        }
        int64_t distance = flow->distance[column];
        if (distance + get_new_cost(flow, holder) < *length) {
            *length = distance + get_new_cost(flow, holder);
            *last = holder;
        }
        reach_columns(flow, holder, distance);
    }
}

static void serve_row(struct flow *flow, uint32_t row)
{
    uint32_t last, before;
    int64_t length;
    uint32_t column = find_end(flow, row, &last, &length);
    assert(column == POOLS_NONE || flow->taken_by[column] == POOLS_NONE);
    flow->row_potential[row] += length;
    for (uint32_t c = 0; c < flow->count; c++) {
        if (!flow->done[c] || flow->distance[c] >= length)
            continue;
        flow->column_potential[c] -= length - flow->distance[c];
        if (flow->taken_by[c] != POOLS_NONE)
            flow->row_potential[flow->taken_by[c]] += length - flow->distance[c];
    }

    /* Each row of the chain gets the column that was reached from it. */
    if (column == POOLS_NONE) {
        column = flow->takes[last];
        flow->takes[last] = POOLS_NONE;
        if (last == row)
            return;
    }
    for (uint32_t taker = POOLS_NONE; taker != row; column = before) {
        taker = flow->from[column];
        before = flow->takes[taker];
        flow->takes[taker] = column;
        flow->taken_by[column] = taker;
    }
}

static enum status create_flow(struct flow *flow, struct scratch *scratch, struct error *error)
{
    static const struct order by_end_step = {.key = {{ORDER_BY_END_STEP, false}}};
    const struct problem *problem = flow->problem;
    uint32_t **small[] = {&flow->column, &flow->reach, &flow->taken_by, &flow->takes, &flow->from};
    int64_t **large[] = {&flow->row_potential, &flow->column_potential, &flow->distance,
                         &flow->column_bytes};
    uint32_t reach = 0;
    for (int i = 0; i < 5; i++)
        TRY(scratch_take(scratch, small[i], problem->buffers, sizeof **small[i], error));
    for (int i = 0; i < 4; i++)
        TRY(scratch_take(scratch, large[i], flow->count, sizeof **large[i], error));
    TRY(scratch_take(scratch, &flow->done, flow->count, sizeof *flow->done, error));
    TRY(order_sort(&by_end_step, problem, 0, flow->column, error));
    order_drop_fixed(problem, flow->column);
    for (uint32_t i = 0; i < flow->count; i++) {
        flow->column_bytes[i] = (int64_t)problem->size[flow->column[i]];
        flow->taken_by[i] = flow->takes[i] = POOLS_NONE;
        while (reach < flow->count &&
               problem_upper(problem, flow->column[reach]) <= problem_lower(problem, flow->row[i]))
            reach++;
        flow->reach[i] = reach;
    }
    return STATUS_OK;
}

static enum status plan_objects_min_cost_flow(const struct planner *planner,
                                              const struct planner_task *task, struct plan *plan,
                                              struct error *error)
{
    const struct problem *problem = task->problem;
    uint64_t deadline_ns = clock_deadline_ns(task->time_limit_ns);
    struct flow flow = {.problem = problem};
    struct pools pools;
    uint32_t *row;
    (void)planner;
    plan->status = PLAN_UNSUPPORTED;
    if (problem->buffers > MOST_BUFFERS)
        return STATUS_OK;
    TRY(scratch_take(task->scratch, &row, problem->buffers, sizeof *row, error));
    TRY(pools_in_order(problem, row, &flow.count, error));
    flow.row = row;
    TRY(create_flow(&flow, task->scratch, error));
    plan->status = PLAN_TIMEOUT;
    for (uint32_t i = 0; i < flow.count; i++) {
        if (!clock_left_ns(deadline_ns))
            return STATUS_OK;
        serve_row(&flow, i);
    }

    /* Rows are sorted by first step, so the buffer whose object a row takes over already has it. */
    TRY(pools_create(&pools, task, error));
    for (uint32_t i = 0; i < flow.count; i++) {
        uint32_t object = flow.takes[i] == POOLS_NONE ? pools_add(&pools, 0)
                                                      : pools.object[flow.column[flow.takes[i]]];
        pools_join(&pools, object, row[i], problem->size[row[i]]);
    }
    return pools_lay_out(&pools, 1, plan, error);
}

static const struct planner rows[] = {
    {POOLS("objects_min_cost_flow", plan_objects_min_cost_flow,
           "chains that cost the least growth from one buffer to the next",
           "LiteRT delegates/gpu/common/memory_management/min_cost_flow_assignment.cc")},
};

HEURISTICS_ROWS(objects_min_cost_flow, rows);
