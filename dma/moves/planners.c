#include "dma/moves/planners.h"

#include "core/clock.h"
#include "core/rows.h"
#include "dma/moves/rows.h"

static enum status plan_still(const struct move_planner *planner, const struct move_task *task,
                              struct move_draft *draft, bool *found, struct error *error)
{
    (void)planner;
    *found = task->still->count > 0;
    TRY(move_plan_copy(&draft->plan, task->still, error));
    return *found ? move_draft_time(draft, error) : STATUS_OK;
}

static enum status plan_cached(const struct move_planner *planner, const struct move_task *task,
                               struct move_draft *draft, bool *found, struct error *error)
{
    TRY(cache_fill(draft, planner->rule, found, error));
    return *found && planner->rule & CACHE_PREFETCH
               ? improve_starts(draft, task->deadline_ns, error)
               : STATUS_OK;
}

static enum status plan_known(const struct move_planner *planner, const struct move_task *task,
                              struct move_draft *draft, bool *found, struct error *error)
{
    (void)planner;
    *found = task->known->count > 0;
    return move_plan_copy(&draft->plan, task->known, error);
}

/* What is known and each of the others in turn, improved; the fastest is taken. */
static enum status plan_best(const struct move_planner *planner, const struct move_task *task,
                             struct move_draft *draft, bool *found, struct error *error)
{
    (void)planner;
    static const struct move_planner known = {.plan = plan_known};
    static const struct move_planner *const starts[] = {
        &known, &move_planner_still, &move_planner_xla_prefetch, &move_planner_farthest_use};
    enum { STARTS = sizeof starts / sizeof *starts };
    SCOPED(move_plan_clear) struct move_plan fastest = {.stay = NULL};
    *found = false;
    for (unsigned i = 0; i < STARTS; i++) {
        bool begun;
        uint64_t left_ns = clock_left_ns(task->deadline_ns);
        draft->plan.count = 0;
        TRY(starts[i]->plan(starts[i], task, draft, &begun, error));
        if (!begun)
            continue;
        TRY(improve(draft, task, clock_deadline_ns(left_ns / (STARTS - i)), error));
        if (!*found || draft->plan.time < fastest.time)
            TRY(move_plan_copy(&fastest, &draft->plan, error));
        *found = true;
    }
    return move_plan_copy(&draft->plan, &fastest, error);
}

const struct move_planner move_planner_best = {
    .name = "best",
    .title =
        "the others, with copies added, left out and started earlier as long as that is faster",
    .source = "memplan",
    .plan = plan_best,
};

const struct move_planner move_planner_still = {
    .name = "still",
    .title = "nothing moves: the assignment of memories that costs least",
    .source = "memplan",
    .plan = plan_still,
};

const struct move_planner move_planner_lru = {
    .name = "lru",
    .title = "the first memory as a cache, which the least recently used item leaves",
    .source = "Mattson et al. 1970, Evaluation techniques for storage hierarchies",
    .plan = plan_cached,
};

const struct move_planner move_planner_farthest_use = {
    .name = "farthest_use",
    .title = "the first memory as a cache, which the item leaves whose next use is farthest away",
    .source = "Belady 1966, A study of replacement algorithms for a virtual-storage computer",
    .rule = CACHE_FARTHEST_USE,
    .plan = plan_cached,
};

const struct move_planner move_planner_prefetch = {
    .name = "prefetch",
    .title = "farthest_use, with transfers that start as early as saves time",
    .source = "memplan",
    .rule = CACHE_FARTHEST_USE | CACHE_PREFETCH,
    .plan = plan_cached,
};

static const struct move_planner *const planners[] = {
    &move_planner_best,         &move_planner_still,    &move_planner_lru,
    &move_planner_farthest_use, &move_planner_prefetch, &move_planner_xla_prefetch};

ROWS_DEFINE_POINTERS(move_planner, struct move_planner, planners);
ROWS_DEFINE_FIND(move_planner, struct move_planner);
ROWS_DEFINE_REFUSE(move_planner, "planner of moves", "memplan list move-planners");
