/* The solver of mindspore-ai/mindspore, somas_solver_core.cc and somas_solver_alg.cc: several
   placements of the buffers, largest first; of the lowest peaks the last.

   "Shared objects": the arena is a chain of buckets, each as large as the first buffer put into it.
   A buffer goes into the first bucket where it finds a gap, else opens one on top. "Single object":
   one bucket without end. The gap is the best (smallest, then lowest) or the lowest one; the source
   gives this choice to the first bucket only, and every later one takes the best.

   debug=1 is the source's debug build: five more orders of equal sizes, by position and by number
   of conflicts, and two more gaps, the highest and the largest.

   Departures:
   - Sizes are not rounded to 512 bytes: buffers of a problem have the sizes that they are to have.
   - No contiguous blocks; conflicts are those of the problem; lifelong tensors are not set apart.
   - Fixed buffers are placed before all others, and buckets begin above them.

   4 placements, 48 with debug=1. */

#include <string.h>

#include "core/clock.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/framework/somas_buckets.h"

static const struct planner_option options[] = {
    {"debug", "1 for the 48 placements of a debug build", 0, 0, 1},
    {0},
};

/* Largest buffers first. Equal sizes are ordered by position, as in the source's normal build, or
   in one of the other ways of its debug build. */
static const struct order orders[] = {
    {.key = {{ORDER_BY_SIZE, true}}},
    {.key = {{ORDER_BY_SIZE, true}, {ORDER_BY_POSITION, true}}},
    {.key = {{ORDER_BY_SIZE, true}, {ORDER_BY_CONFLICTS, false}}},
    {.key = {{ORDER_BY_SIZE, true}, {ORDER_BY_CONFLICTS, false}, {ORDER_BY_POSITION, true}}},
    {.key = {{ORDER_BY_SIZE, true}, {ORDER_BY_CONFLICTS, true}}},
    {.key = {{ORDER_BY_SIZE, true}, {ORDER_BY_CONFLICTS, true}, {ORDER_BY_POSITION, true}}},
};
enum { ORDERS = sizeof orders / sizeof *orders, NORMAL_GAPS = 2 };

struct solver {
    uint64_t end_ns;
    bool debug;
    struct occupancy *occupancy;
    struct somas_buckets buckets;
    uint32_t *sorted; /* [buffers] */
    uint64_t *offset; /* [buffers] */
    struct plan *plan;
};

/* Places the sorted buffers with each gap, in shared buckets or in one without end. In the latter
   the highest gap and the largest one are both the free bytes above everything else, so that both
   are the fit "top". Of several equal plans the last stays. */
static enum status try_gaps(struct solver *solver, bool shared, struct error *error)
{
    static const char *const fits[] = {"best", "first", "top", "top"};
    struct plan *plan = solver->plan;
    uint32_t gaps = solver->debug ? SOMAS_GAPS : NORMAL_GAPS;
    for (uint32_t gap = 0; gap < gaps; gap++) {
        const struct somas_rule rule = {solver->sorted, (enum somas_gap)gap};
        const struct occupancy_rule single = {
            .fit = fit_find(fits[gap]), .sorted = solver->sorted, .most_bytes = UINT64_MAX};
        uint64_t peak;
        if (plan->measures.nodes && !clock_left_ns(solver->end_ns))
            return STATUS_OK;
        if (shared)
            TRY(somas_buckets_place(&solver->buckets, &rule, solver->offset, &peak, error));
        else
            TRY(occupancy_place_all(solver->occupancy, &single, solver->offset, &peak, error));
        plan->measures.nodes++;
        if (peak > plan->measures.peak_bytes)
            continue;
        plan->measures.peak_bytes = peak;
        memcpy(plan->offset, solver->offset, plan->buffers * sizeof(uint64_t));
    }
    return STATUS_OK;
}

static void free_solver(struct solver *solver)
{
    occupancy_free(solver->occupancy);
}

static enum status plan_somas(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    SCOPED(free_solver)
    struct solver solver = {.end_ns = clock_deadline_ns(task->time_limit_ns),
                            .debug = planner_option_value(planner, 0) == 1,
                            .plan = plan};
    TRY(scratch_take_all(scratch, problem->buffers, error, &solver.sorted, &solver.offset));
    TRY(occupancy_create(problem, &solver.occupancy, error));
    TRY(somas_buckets_create(problem, solver.occupancy, &solver.buckets, scratch, error));
    plan->measures.peak_bytes = UINT64_MAX;
    for (int shared = 1; shared >= 0; shared--)
        for (uint32_t i = 0; i < (solver.debug ? ORDERS : 1); i++) {
            TRY(order_sort(&orders[i], problem, 0, solver.sorted, error));
            TRY(try_gaps(&solver, shared, error));
        }
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "somas",
     .family = "framework",
     .title =
         "best of shared buckets and one object, smallest gap and lowest offset, largest first",
     .source = "MindSpore somas_solver_core.cc and somas_solver_alg.cc",
     .flags = PLANNER_NO_WINDOWS,
     .options = options,
     .plan = plan_somas},
};

HEURISTICS_ROWS(somas, rows);
