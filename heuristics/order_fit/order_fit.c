#include "heuristics/order_fit/order_fit.h"

#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "planning/arena/placer.h"

enum status order_fit_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct order_fit *rule = planner->rule;
    const struct problem *problem = task->problem;
    struct placer *placer;
    uint32_t *sorted;
    TRY(scratch_take(task->scratch, &sorted, problem->buffers, sizeof *sorted, error));
    TRY(order_sort(order_find(rule->order), problem, task->seed, sorted, error));
    const struct occupancy_rule placed = {
        .fit = fit_find(rule->fit), .sorted = sorted, .most_bytes = UINT64_MAX};
    TRY(placer_create(problem, &placer, error));
    enum status status =
        placer_place_all(placer, &placed, plan->offset, &plan->measures.peak_bytes, error);
    plan->status = status ? plan->status : PLAN_FEASIBLE;
    placer_free(placer);
    return status;
}

#define ORDER_FIT(name_, family_, order_, fit_, title_, source_, flags_)                           \
    {.name = name_,                                                                                \
     .family = family_,                                                                            \
     .title = title_,                                                                              \
     .source = source_,                                                                            \
     .flags = PLANNER_NO_WINDOWS | (flags_),                                                       \
     .rule = &(const struct order_fit){order_, fit_},                                              \
     .plan = order_fit_plan},

#define GRID_CELL(order, fit, words, chosen, source, flags)                                        \
    ORDER_FIT(order "_" fit "_fit", "order_fit", order, fit, words ", " chosen, source, flags)

/* The rows of an order with each fit. The row for the lowest offset names `first_source` as its
   source, the rows of the other fits name `source`. */
#define GRID(order, words, first_source, source, flags)                                            \
    GRID_CELL(order, "first", words, "lowest offset", first_source, flags)                         \
    GRID_CELL(order, "best", words, "smallest gap", source, flags)                                 \
    GRID_CELL(order, "worst", words, "largest gap", source, flags)                                 \
    GRID_CELL(order, "top", words, "above all conflicting buffers", source, flags)

#define WANG "Wang et al., J. NUDT 47(6), 2025, section 1.1"
#define LITERT "LiteRT simple_memory_arena.cc and arena_planner.cc"
#define USMP "TVM src/tir/usmp/algo/greedy.cc"
#define BREADTH "Pisarchyk and Lee, arXiv 2001.03288, greedy by breadth for offsets"
#define OMNI "OmniMalloc (Peddinghaus, 2025) greedy.py"
#define VELA "Vela ethosu/vela/hillclimb_allocation.py"
#define OURS "ours: another fit for the order of "

static const struct planner rows[] = {
#include "heuristics/order_fit/order_fit.def"
};

HEURISTICS_ROWS(order_fit, rows);
