#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_ORDER_SEARCH_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_ORDER_SEARCH_H

#include "core/random.h"
#include "heuristics/common/order.h"
#include "heuristics/order_search/evaluate.h"
#include "planning/plan/planner.h"

/* What the published searches over orders share: they place all buffers by first fit in one order
   after another (evaluate.h) and differ in which order is next. Departures that hold for all:
   fixed buffers are placed before all others and stand in no order; offsets are multiples of the
   buffer's own alignment; a search ends as soon as its best peak is a lower bound on every plan,
   which changes no plan, and at the time limit of the task instead of one of its own; random
   numbers come from core/random.h seeded with the task's seed, so that the rule is the source's but
   not the sequence of its draws. plan->nodes counts the orders tried.

   Problems of more than EVALUATE_MOST_PAIRS pairs are unsupported. */
struct order_search {
    const struct planner *planner;
    const struct planner_task *task;
    struct evaluator *evaluator;
    struct random_state random;
    uint64_t deadline_ns;
    uint64_t bound_bytes; /* no plan is below: load, or end of a fixed buffer */
    uint64_t best_bytes;  /* peak of plan, UINT64_MAX before the first */
    struct plan *plan;    /* the best one so far */
    uint32_t *order;      /* [movables] where the search stands */
    uint32_t *position;   /* [buffers] in order, ORDER_SEARCH_FIXED of fixed ones */
    uint64_t *offset;     /* [buffers] of the plan of order */
    uint64_t peak_bytes;  /* of offset */
    uint64_t *candidate;  /* [buffers] offsets of a plan that is tried; the fixed ones are set */
};

#define ORDER_SEARCH_FIXED UINT32_MAX

/* Sets search->plan at least once, through order_search_keep. */
typedef enum status order_search_run(struct order_search *search, struct error *error);

struct order_search_rule {
    order_search_run *run;
    unsigned variant; /* of run's own */
};

/* planner->rule is a struct order_search_rule. */
enum status order_search_plan(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error);

/* What follows is for the searches. */

bool order_search_time_is_up(const struct order_search *search);

/* True when no plan can be better than the best one, or when there is a plan and the time is up. */
bool order_search_is_over(const struct order_search *search);

/* Fills sorted [movables] by an order of order.h; the problem has the task's buffers and
   segments. The other by an order of its table, of the task's problem. */
enum status order_search_sort_by(const struct order_search *search, const struct order *order,
                                 const struct problem *problem, uint32_t *sorted,
                                 struct error *error);
enum status order_search_sort(const struct order_search *search, const char *order,
                              uint32_t *sorted, struct error *error);

/* evaluate_order, counted. Once there is a plan, this and the tries below give EVALUATE_ABOVE,
   whatever the limit, when the time is up. */
uint64_t order_search_evaluate(struct order_search *search, const uint32_t *order, uint32_t kept,
                               uint64_t limit_bytes, uint64_t *offset);

/* Makes search->order, which its caller has filled, the place where the search stands, and keeps
   its plan. */
void order_search_start(struct order_search *search);

/* Exchanges two positions of search->order; the same call again takes it back. */
void order_search_swap(struct order_search *search, uint32_t first, uint32_t second);

/* Evaluates search->order into search->candidate; positions from `changed` on are not what
   search->offset was made from. */
uint64_t order_search_try(struct order_search *search, uint32_t changed, uint64_t limit_bytes);

/* order_search_try where the buffers at positions first < second have changed places. */
uint64_t order_search_try_swapped(struct order_search *search, uint32_t first, uint32_t second,
                                  uint64_t limit_bytes);

/* The candidate becomes search->offset, and the best plan if it is better. */
void order_search_accept(struct order_search *search, uint64_t peak_bytes);

/* Keeps the offsets as the best plan where their peak is below that of the best one so far. */
void order_search_keep(struct order_search *search, uint64_t peak_bytes, const uint64_t *offset);

/* A random one of the movable buffers that end at search->peak_bytes; EVALUATE_NONE if only fixed
   ones do. O(n). */
uint32_t order_search_pick_peak(struct order_search *search);

/* How many movable buffers conflict with `buffer` and stand before it in search->order, and the
   index-th of them. O(conflicts). */
uint32_t order_search_count_earlier(const struct order_search *search, uint32_t buffer);
uint32_t order_search_earlier(const struct order_search *search, uint32_t buffer, uint32_t index);

/* A row of the table of planners. */
#define ORDER_SEARCH(name_, rule_, options_, flags_, title_, source_)                              \
    {                                                                                              \
        .name = name_, .family = "order_search", .title = title_, .source = source_,               \
        .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | (flags_), .rule = rule_,                  \
        .options = options_, .plan = order_search_plan                                             \
    }

#endif
