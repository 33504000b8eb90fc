#ifndef MEMPLAN_SOLVERS_EXACT_INCUMBENT_H
#define MEMPLAN_SOLVERS_EXACT_INCUMBENT_H

#include "planning/plan/planner.h"

/* The best plan of the whole problem so far, and the bound below it. The start, the quick plans,
   the helper and the searches hand their results to it. plan->search records how bound and peak
   come together. */
struct exact_incumbent {
    const struct planner_task *task;
    struct plan *plan;    /* the best one where plan_found; lower_bound_bytes is the bound */
    uint64_t began_ns;    /* clock_monotonic_ns */
    uint32_t quick_plans; /* how many quick plans were tried */
    bool is_hurried; /* after a plan along the line there is no time for the first quick plan, nor
                        for anything that takes as long */
};

/* Whether the task asks for the least peak, rather than for a plan that fits a capacity. */
bool exact_incumbent_minimises(const struct exact_incumbent *incumbent);

/* A plan of this peak is as good as any lower one. */
uint64_t exact_incumbent_enough_bytes(const struct exact_incumbent *incumbent);

/* The peak of the best plan; UINT64_MAX where there is none yet. */
uint64_t exact_incumbent_peak_bytes(const struct exact_incumbent *incumbent);

/* When the task's time is up; UINT64_MAX where it has no limit. */
uint64_t exact_incumbent_deadline_ns(const struct exact_incumbent *incumbent);

/* Whether what the task asks for is known. */
bool exact_incumbent_is_solved(const struct exact_incumbent *incumbent);

/* Adds the peak and the bound of this moment to the search record. */
enum status exact_incumbent_note(const struct exact_incumbent *incumbent, struct error *error);

/* Takes the offered plan, which is valid, if it is better. */
enum status exact_incumbent_offer(const struct exact_incumbent *incumbent,
                                  const struct plan *offered, struct error *error);

/* Offers the offsets of the plan, which are those of a valid one, and sets its peak and status. */
enum status exact_incumbent_offer_offsets(const struct exact_incumbent *incumbent,
                                          struct plan *offered, struct error *error);

/* bound_bytes is a proved bound of the problem, or at least the incumbent's peak. */
void exact_incumbent_raise_bound(const struct exact_incumbent *incumbent, uint64_t bound_bytes);

/* Says in the plan's status what is known at the end. */
void exact_incumbent_set_status(const struct exact_incumbent *incumbent);

/* The planner to ask, the seed for it, the time that it may take, and whether it starts from the
   best plan. */
struct exact_question {
    const struct planner *helper;
    uint64_t seed, limit_ns;
    bool starts_from_plan;
};

/* Runs the helper on the incumbent's task, for limit_ns at the most and with the seed given, and
   takes its plan where that is valid and better. Costs what the helper costs. */
enum status exact_ask_helper(struct exact_incumbent *incumbent,
                             const struct exact_question *question, struct error *error);

#endif
