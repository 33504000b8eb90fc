#include <string.h>

#include "dma/moves/draft.h"
#include "dma/moves/rows.h"

bool move_can_read(const struct move_problem *problem, const struct move_stay *stay, uint32_t step)
{
    return stay->ready <= step && step < stay->upper &&
           (move_is_first(stay) ||
            move_region_contains(problem, problem->region[stay->ready], problem->region[step]));
}

bool move_can_copy(const struct move_problem *problem, const struct move_stay *source,
                   const struct move_stay *stay)
{
    return source->item == stay->item && source->ready <= stay->lower &&
           (move_is_first(source) || source->lower < stay->lower) && source->upper >= stay->ready &&
           move_can_read(problem, source, stay->lower);
}

uint32_t move_draft_find_read(const struct move_draft *draft, uint32_t item, uint32_t step)
{
    const uint64_t *cost = draft->problem->read_cost;
    uint32_t found = MEMORY_NONE;
    for (uint32_t s = 0; s < draft->plan.count; s++) {
        const struct move_stay *stay = &draft->plan.stay[s];
        if (stay->item == item && move_can_read(draft->problem, stay, step) &&
            (found == MEMORY_NONE || cost[stay->memory] < cost[draft->plan.stay[found].memory]))
            found = s;
    }
    return found;
}

/* Whether the transfer that fills a stay can be made, on every path on which it is begun. */
static bool is_filled(const struct move_draft *draft, uint32_t s)
{
    const struct move_problem *problem = draft->problem;
    const struct move_stay *stay = &draft->plan.stay[s];
    return stay->source < s && stay->ready >= stay->lower && stay->ready < stay->upper &&
           problem->section[stay->lower] == problem->section[stay->ready] &&
           move_region_contains(problem, problem->region[problem->item[stay->item].from],
                                problem->region[stay->lower]) &&
           move_can_copy(problem, &draft->plan.stay[stay->source], stay);
}

bool move_draft_is_sound(const struct move_draft *draft, uint32_t item)
{
    const struct move_problem *problem = draft->problem;
    const struct groups *uses = &draft->uses;
    for (uint32_t s = 0; s < draft->plan.count; s++) {
        const struct move_stay *stay = &draft->plan.stay[s];
        if (stay->item != item)
            continue;
        if (stay->lower >= stay->upper ||
            (!move_is_off_chip(problem, stay->memory) &&
             move_end_of_loops(problem, stay->lower, stay->upper) != stay->upper) ||
            !(move_is_first(stay) ? stay->upper >= problem->item[item].first_to
                                  : is_filled(draft, s)))
            return false;
    }
    for (uint64_t u = uses->first[item]; u < uses->first[item + 1]; u++)
        if ((u > uses->first[item] || move_is_weights(problem, item)) &&
            move_draft_find_read(draft, item, uses->item[u]) == MEMORY_NONE)
            return false;
    return true;
}

void move_draft_take_out(struct move_draft *draft, uint32_t s)
{
    struct move_plan *plan = &draft->plan;
    memmove(&plan->stay[s], &plan->stay[s + 1], (plan->count - s - 1) * sizeof *plan->stay);
    plan->count--;
    for (uint32_t k = s; k < plan->count; k++)
        if (!move_is_first(&plan->stay[k]) && plan->stay[k].source > s)
            plan->stay[k].source--;
}

/* Lets an item without stays stay all the time. *found: there was room. */
static enum status add_still(struct move_draft *draft, uint32_t i, bool *found, struct error *error)
{
    const struct move_problem *problem = draft->problem;
    const struct move_item *item = &problem->item[i];
    bool is_weights = move_is_weights(problem, i);
    uint32_t backing = cache_backing(problem), memories = problem->chip->memories;
    struct move_stay stay = {
        i, problem->memories - 1, MEMORY_NONE, item->from, item->from + !is_weights, item->to, 0};
    *found = is_weights;
    for (uint32_t m = 0; m < memories && !*found; m++) {
        stay.memory = (backing + m) % memories;
        TRY(move_draft_find(draft, &stay, MEMORY_NONE, found, error));
    }
    return *found ? move_plan_add(&draft->plan, &stay, error) : STATUS_OK;
}

enum status move_draft_settle(struct move_draft *draft, bool *found, struct error *error)
{
    const struct move_problem *problem = draft->problem;
    *found = true;
    if (!graph_has_control_flow(problem->graph))
        return STATUS_OK;
    for (uint32_t i = 0; i < problem->items && *found; i++) {
        if (move_draft_is_sound(draft, i))
            continue;
        for (uint32_t s = draft->plan.count; s-- > 0;)
            if (draft->plan.stay[s].item == i)
                move_draft_take_out(draft, s);
        TRY(add_still(draft, i, found, error));
    }
    return STATUS_OK;
}
