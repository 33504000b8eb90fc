#include <assert.h>

#include "core/clock.h"
#include "planning/problem/bounds.h"
#include "planning/problem/timeline.h"
#include "solvers/common/components.h"
#include "solvers/common/join.h"
#include "solvers/exact/component.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/exact/solve.h"

/* The planner `exact`: our own search for plans and for proofs that there are none, see README.md
   of solvers. With a capacity it decides whether anything fits, without one it minimises. It begins
   with task->start or a quick plan, and ends with the best plan and bound when the time is up. Very
   large problems and those of clocks alone are not searched: they get the helper's plan or a quick
   one. */

enum {
    MOST_PAIRS = 1 << 25,   /* of overlapping segments: what has more is not searched */
    MANY_BUFFERS = 1 << 10, /* with more than these the helper is asked */
};

/* What it takes to begin a search, for each overlapping pair, roughly. */
static const uint64_t PAIR_NS = 150;

/* The switches come first, in the order of their bits: those of the race, those of learning. */
static const struct planner_option options[] = {
    {"persist", "a rejection lasts until something is placed below the buffer", 1, 0, 1},
    {"nested", "what only lives within a rejected buffer cannot hold it up", 1, 0, 1},
    {"gap", "something must end up where a rejected buffer would have been", 1, 0, 1},
    {"first", "what is too high to be the lowest of a section lies on another", 1, 0, 1},
    {"twins", "of equal buffers the first lies lowest", 1, 0, 1},
    {"split", "sections without a common buffer are searched one after another", 1, 0, 1},
    {"forced", "a section with one buffer that can be the lowest comes first", 1, 0, 1},
    {"handover", "what begins at a step takes over the bytes of what ends there", 1, 0, 1},
    {"overload", "buffers that end too early for their bytes refuse a section", 1, 0, 1},
    {"edges", "what has no room among others before their end lies above them", 1, 0, 1},
    {"chains", "a buffer lies above all the bytes of those decided to lie below it", 1, 0, 1},
    {"keep", "clauses outlive a restart", 1, 0, 1},
    {"learn", "learns clauses: 0 where windows need it, 1 in small components too, 2 always", 1, 0,
     2},
    {"members", "how many strategies take part in the race", 64, 1, 64},
    {"beam", "one of the strategies is a beam search", 1, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

enum { RACE_SWITCHES = 8, LEARN_SWITCHES = 4, LEARN = 12, MEMBERS = 13, BEAM = 14 };

static unsigned read_switches(const struct planner *planner, uint32_t first, uint32_t count)
{
    assert(count < 32 && first + count <= LEARN);
    unsigned rules = 0;
    for (uint32_t i = 0; i < count; i++)
        rules |= planner_option_value(planner, first + i) ? 1U << i : 0;
    return rules;
}

struct call {
    struct exact_incumbent incumbent;
    struct exact_component_options options;
    uint64_t deadline_ns;
    struct error *error;
};

static bool is_over(const struct call *call)
{
    return exact_incumbent_is_solved(&call->incumbent) || !clock_left_ns(call->deadline_ns);
}

static enum status search(struct call *call, uint64_t deadline_ns)
{
    const struct exact_effort effort = {UINT32_MAX, deadline_ns};
    return exact_solve(&call->incumbent, &call->options, &effort, call->error);
}

static enum status ask_helper(struct call *call, uint64_t limit_ns)
{
    const struct planner_task *task = call->incumbent.task;
    const struct exact_question question = {task->helper, task->seed, limit_ns, false};
    return exact_ask_helper(&call->incumbent, &question, call->error);
}

/* Where this number of buffers is not solved to the optimum, the helper's plans are the better
   ones. So under a time limit the helper gets an eighth of the time, the search half of what is
   left then, and the helper the rest. A search that half of the time is too short to begin is left
   out. */
static enum status search_between(struct call *call, uint64_t pairs)
{
    assert(!exact_incumbent_is_solved(&call->incumbent));
    bool is_limited = call->deadline_ns != UINT64_MAX;
    uint64_t left_ns = clock_left_ns(call->deadline_ns);
    assert(call->incumbent.task->helper);
    if (left_ns / 2 < pairs * PAIR_NS)
        return ask_helper(call, left_ns);
    TRY(ask_helper(call, is_limited ? left_ns / 8 : left_ns));
    if (is_over(call))
        return STATUS_OK;
    left_ns = clock_left_ns(call->deadline_ns);
    TRY(search(call, is_limited ? clock_deadline_ns(left_ns / 2) : UINT64_MAX));
    if (!is_limited || is_over(call))
        return STATUS_OK;
    return ask_helper(call, clock_left_ns(call->deadline_ns));
}

static enum status plan_problem(struct call *call)
{
    struct exact_incumbent *incumbent = &call->incumbent;
    const struct problem *problem = incumbent->task->problem;
    const struct plan *start;
    uint64_t pairs;
    assert(incumbent->plan->buffers == problem->buffers);
    TRY(bound_peak(problem, &incumbent->plan->measures.lower_bound_bytes, call->error));
    assert(!plan_found(incumbent->plan));
    TRY(exact_incumbent_note(incumbent, call->error));
    if (exact_incumbent_is_solved(incumbent))
        return STATUS_OK;
    TRY(components_find_start(incumbent->task, &start, call->error));
    if (start)
        TRY(exact_incumbent_offer(incumbent, start, call->error));
    if (exact_incumbent_is_solved(incumbent))
        return STATUS_OK;
    TRY(timeline_count_pairs(problem, &pairs, call->error));
    bool is_searched = pairs <= MOST_PAIRS && !problem_is_by_clocks(problem);
    if (incumbent->task->helper && problem->buffers > MANY_BUFFERS)
        return is_searched ? search_between(call, pairs)
                           : ask_helper(call, clock_left_ns(call->deadline_ns));

    /* Where there is nothing to search, quick plans are all there is. */
    if (!plan_found(incumbent->plan))
        TRY(exact_quick_plans_try(incumbent, is_searched ? 1 : EXACT_QUICK_PLANS, call->error));
    return is_over(call) || !is_searched ? STATUS_OK : search(call, call->deadline_ns);
}

static enum status plan_part(const struct planner *planner, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    struct call call = {
        .incumbent = {.task = task, .plan = plan, .began_ns = clock_monotonic_ns()},
        .options = {.race = {.rules = read_switches(planner, 0, RACE_SWITCHES),
                             .strategies = (uint32_t)planner_option_value(planner, MEMBERS),
                             .threads = task->threads > 1 ? task->threads : 1,
                             .beam = planner_option_value(planner, BEAM) != 0},
                    .learn = {.rules = read_switches(planner, RACE_SWITCHES, LEARN_SWITCHES)},
                    .learning = (enum exact_learning)planner_option_value(planner, LEARN)},
        .deadline_ns = clock_deadline_ns(task->time_limit_ns),
        .error = error};
    TRY(search_record_create(&plan->search, error));
    plan->status = PLAN_TIMEOUT;
    enum status status = plan_problem(&call);
    const uint64_t *counter = plan->search->counter;
    plan->measures.nodes = counter[SEARCH_PLACEMENTS] + counter[SEARCH_REJECTIONS];
    exact_incumbent_set_status(&call.incumbent);
    assert(plan->status != PLAN_INFEASIBLE || task->capacity_bytes < UINT64_MAX);
    assert(plan->status != PLAN_OPTIMAL ||
           plan->measures.peak_bytes == plan->measures.lower_bound_bytes);
    return status;
}

static enum status plan_exactly(const struct planner *planner, const struct planner_task *task,
                                struct plan *plan, struct error *error)
{
    return join_plan(planner, task, plan_part, plan, error);
}

const struct planner planner_exact = {
    .name = "exact",
    .family = "search",
    .title = "our own search for plans and proofs, from the bottom up",
    .source = "ours: docs/exact-search.md, after Moffitt, MiniMalloc, ASPLOS 2023",
    .flags = PLANNER_EXACT | PLANNER_SEARCHES | PLANNER_CLOCKS,
    .options = options,
    .helper = "portfolio",
    .plan = plan_exactly,
};
