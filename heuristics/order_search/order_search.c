#include "heuristics/order_search/order_search.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "heuristics/order_fit/order_fit.h"
#include "planning/problem/bounds.h"

bool order_search_time_is_up(const struct order_search *search)
{
    return !clock_left_ns(search->deadline_ns);
}

bool order_search_is_over(const struct order_search *search)
{
    return search->best_bytes <= search->bound_bytes ||
           (search->best_bytes != UINT64_MAX && order_search_time_is_up(search));
}

enum status order_search_sort_by(const struct order_search *search, const struct order *order,
                                 const struct problem *problem, uint32_t *sorted,
                                 struct error *error)
{
    SCOPED(memory_release) uint32_t *all = NULL;
    TRY(memory_create(&all, problem->buffers, sizeof *all, error));
    TRY(order_sort(order, problem, search->task->seed, all, error));
    if (search->evaluator->movables)
        memcpy(sorted, all, order_drop_fixed(problem, all) * sizeof *sorted);
    return STATUS_OK;
}

enum status order_search_sort(const struct order_search *search, const char *order,
                              uint32_t *sorted, struct error *error)
{
    return order_search_sort_by(search, order_find(order), search->task->problem, sorted, error);
}

uint64_t order_search_evaluate(struct order_search *search, const uint32_t *order, uint32_t kept,
                               uint64_t limit_bytes, uint64_t *offset)
{
    search->plan->measures.nodes++;
    return evaluator_place_order(search->evaluator, order, kept, limit_bytes, offset);
}

void order_search_start(struct order_search *search)
{
    for (uint32_t i = 0; i < search->evaluator->movables; i++)
        search->position[search->order[i]] = i;
    order_search_accept(search, order_search_try(search, 0, UINT64_MAX));
}

void order_search_swap(struct order_search *search, uint32_t first, uint32_t second)
{
    uint32_t moved = search->order[first];
    assert(first < search->evaluator->movables && second < search->evaluator->movables);
    search->order[first] = search->order[second];
    search->order[second] = moved;
    search->position[search->order[first]] = first;
    search->position[search->order[second]] = second;
}

uint64_t order_search_try(struct order_search *search, uint32_t changed, uint64_t limit_bytes)
{
    for (uint32_t i = 0; i < changed; i++)
        search->candidate[search->order[i]] = search->offset[search->order[i]];
    return order_search_evaluate(search, search->order, changed, limit_bytes, search->candidate);
}

uint64_t order_search_try_swapped(struct order_search *search, uint32_t first, uint32_t second,
                                  uint64_t limit_bytes)
{
    search->plan->measures.nodes++;
    const struct evaluator_swap swap = {search->order, first, second, search->offset};
    return evaluator_place_swapped(search->evaluator, &swap, limit_bytes, search->candidate);
}

void order_search_accept(struct order_search *search, uint64_t peak_bytes)
{
    uint64_t *accepted = search->candidate;
    search->candidate = search->offset;
    search->offset = accepted;
    search->peak_bytes = peak_bytes;
    order_search_keep(search, peak_bytes, accepted);
}

void order_search_keep(struct order_search *search, uint64_t peak_bytes, const uint64_t *offset)
{
    if (peak_bytes >= search->best_bytes)
        return;
    search->best_bytes = peak_bytes;
    search->evaluator->deadline_ns = search->deadline_ns;
    if (search->plan->buffers)
        memcpy(search->plan->offset, offset, search->plan->buffers * sizeof *offset);
}

static bool ends_at_peak(const struct order_search *search, uint32_t buffer)
{
    return search->offset[buffer] + search->evaluator->size[buffer] == search->peak_bytes;
}

uint32_t order_search_pick_peak(struct order_search *search)
{
    const uint32_t *movable = search->evaluator->movable;
    uint32_t movables = search->evaluator->movables, count = 0, i = 0;
    for (uint32_t k = 0; k < movables; k++)
        count += ends_at_peak(search, movable[k]);
    if (!count)
        return EVALUATOR_NONE;
    for (uint64_t left = random_below(&search->random, count) + 1; left > 0; i++)
        left -= ends_at_peak(search, movable[i]);
    return movable[i - 1];
}

/* Counts the conflicting buffers that stand before this one. A fixed buffer has position
   ORDER_SEARCH_FIXED, which is after all others, so it is never counted. */
uint32_t order_search_count_earlier(const struct order_search *search, uint32_t buffer)
{
    const struct conflicts *conflicts = search->evaluator->conflicts;
    uint32_t count = 0;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
        count += search->position[conflicts->other[i]] < search->position[buffer];
    return count;
}

uint32_t order_search_earlier(const struct order_search *search, uint32_t buffer, uint32_t index)
{
    const struct conflicts *conflicts = search->evaluator->conflicts;
    uint64_t i = conflicts->first[buffer];
    assert(index < order_search_count_earlier(search, buffer));
    for (uint64_t left = (uint64_t)index + 1; left > 0; i++)
        left -= search->position[conflicts->other[i]] < search->position[buffer];
    return conflicts->other[i - 1];
}

/* Listing the pairs and placing all buffers in one order take as long as listing so often. */
enum { FIRST_ORDER_LISTS = 3 };

/* What needs no list of pairs: the largest first, each at its lowest offset. */
static const struct planner by_size = {.rule = &(const struct order_fit){"size", "first"}};

enum status order_search_plan(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    const struct order_search_rule *rule = planner->rule;
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    uint32_t buffers = problem->buffers;
    SCOPED(evaluator_release) struct evaluator *evaluator = NULL;
    uint64_t deadline_ns = clock_deadline_ns(task->time_limit_ns);
    bool has_time;
    assert(scratch); /* planner_plan gives it */
    TRY(conflicts_has_time(problem, task->time_limit_ns / FIRST_ORDER_LISTS, &has_time, error));
    if (!has_time)
        return order_fit_plan(&by_size, task, plan, error);
    TRY(evaluator_create(problem, &evaluator, scratch, error));
    if (!evaluator) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    struct order_search search = {.planner = planner,
                                  .task = task,
                                  .evaluator = evaluator,
                                  .random = random_seed(task->seed),
                                  .deadline_ns = deadline_ns,
                                  .best_bytes = UINT64_MAX,
                                  .plan = plan};
    TRY(scratch_take(scratch, &search.order, evaluator->movables, sizeof *search.order, error));
    TRY(scratch_take_all(scratch, buffers, error, &search.position, &search.offset,
                         &search.candidate));
    memcpy(search.order, evaluator->movable, evaluator->movables * sizeof *search.order);
    for (uint32_t b = 0; b < buffers; b++) {
        search.position[b] = ORDER_SEARCH_FIXED;
        search.offset[b] = search.candidate[b] = problem_fixed_offset(problem, b);
    }
    TRY(bound_peak(problem, &search.bound_bytes, error));
    TRY(rule->run(&search, error));
    return plan_set_feasible(plan, problem, error);
}
