#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_ORDER_SEARCH_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_ORDER_SEARCH_H

#include "core/random.h"
#include "heuristics/common/order.h"
#include "heuristics/order_search/evaluator.h"
#include "planning/plan/planner.h"

/* What the published searches over orders share: they place all buffers by first fit in one order
   after another (evaluator.h) and differ in which order is next. Departures that hold for all:
   fixed buffers are placed before all others and stand in no order; offsets are multiples of the
   buffer's own alignment; a search ends as soon as its best peak is a lower bound on every plan,
   which changes no plan, and at the time limit of the task instead of one of its own; random
   numbers come from core/random.h seeded with the task's seed, so that the rule is the source's but
   not the sequence of its draws. plan->measures.nodes counts the orders tried.

   Problems of more than EVALUATOR_MOST_PAIRS pairs are unsupported. Where there is no time to list
   the pairs and place one order, the plan is that of the largest first, at the lowest offset. */
struct order_search {
    const struct planner *planner;
    const struct planner_task *task;
    struct evaluator *evaluator;
    struct random_state random;
    uint64_t deadline_ns;
    uint64_t bound_bytes; /* no plan has a lower peak: the load, or the end of a fixed buffer */
    uint64_t best_bytes;  /* peak of `plan`, UINT64_MAX before the first */
    struct plan *plan;    /* the best plan so far */
    uint32_t *order;      /* [movables] the order at which the search stands */
    /* [buffers] position of each in `order`, ORDER_SEARCH_FIXED for fixed ones */
    uint32_t *position;
    uint64_t *offset;    /* [buffers] offsets of the plan that `order` gives */
    uint64_t peak_bytes; /* peak of that plan */
    /* [buffers] offsets of a plan that is being tried; those of fixed buffers are already set */
    uint64_t *candidate;
};

#define ORDER_SEARCH_FIXED UINT32_MAX

/* A search. It has to call order_search_keep at least once, which fills search->plan. */
typedef enum status order_search_run(struct order_search *search, struct error *error);

struct order_search_rule {
    order_search_run *run;
};

/* Plans with the struct order_search_rule to which planner->rule points. */
enum status order_search_plan(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error);

/* The functions below are for the searches themselves. */

/* Whether the time limit of the task has passed; looks at the clock. */
bool order_search_time_is_up(const struct order_search *search);

/* True when the best plan cannot be improved, or when there is a plan and the time is up. */
bool order_search_is_over(const struct order_search *search);

/* Fill sorted[movables]: the first by an order of order.h, for a problem with the buffers and
   segments of the task's; the second by an order of the table in order.h, given by its name, for
   the task's problem. */
enum status order_search_sort_by(const struct order_search *search, const struct order *order,
                                 const struct problem *problem, uint32_t *sorted,
                                 struct error *error);
enum status order_search_sort(const struct order_search *search, const char *order,
                              uint32_t *sorted, struct error *error);

/* Calls evaluator_place_order and counts the call. Once there is a plan and the time is up, this
   and the functions that try orders below return EVALUATOR_ABOVE whatever the limit is. */
uint64_t order_search_evaluate(struct order_search *search, const uint32_t *order, uint32_t kept,
                               uint64_t limit_bytes, uint64_t *offset);

/* Makes search->order, which the caller has filled, the order at which the search stands, and keeps
   its plan. */
void order_search_start(struct order_search *search);

/* Exchanges two positions of search->order. A second call undoes the first. */
void order_search_swap(struct order_search *search, uint32_t first, uint32_t second);

/* Evaluates search->order and writes the offsets to search->candidate. `changed` is the first
   position in which it differs from the order to which search->offset belongs. */
uint64_t order_search_try(struct order_search *search, uint32_t changed, uint64_t limit_bytes);

/* The same for an order in which only the buffers at positions first < second have changed
   places. */
uint64_t order_search_try_swapped(struct order_search *search, uint32_t first, uint32_t second,
                                  uint64_t limit_bytes);

/* Makes the candidate's offsets search->offset, and keeps them as the best plan if they are
   better. */
void order_search_accept(struct order_search *search, uint64_t peak_bytes);

/* Stores the offsets as the best plan if their peak is below that of the best one so far. */
void order_search_keep(struct order_search *search, uint64_t peak_bytes, const uint64_t *offset);

/* Draws one of the movable buffers that end at search->peak_bytes; EVALUATOR_NONE where only fixed
   buffers do. O(n). */
uint32_t order_search_pick_peak(struct order_search *search);

/* The number of movable buffers that conflict with `buffer` and stand before it in search->order,
   and the index-th of them. O(conflicts). */
uint32_t order_search_count_earlier(const struct order_search *search, uint32_t buffer);
uint32_t order_search_earlier(const struct order_search *search, uint32_t buffer, uint32_t index);

/* A row of the table of planners. */
#define ORDER_SEARCH(name_, run_, options_, flags_, title_, source_)                               \
    {                                                                                              \
        .name = name_, .family = "order_search", .title = title_, .source = source_,               \
        .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | (flags_),                                 \
        .rule = &(const struct order_search_rule){run_}, .options = options_,                      \
        .plan = order_search_plan                                                                  \
    }

#endif
