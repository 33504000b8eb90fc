#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "dma/moves/rows.h"

/* XLA's memory-space assignment without its retries and repacking: items one after another, those
   first that gain most for the root of their size, each from use to use. The fast memory is the
   first one; the default memory is the largest other one, or off chip for weights. */
struct assignment {
    struct move_draft *draft;
    double *benefit;   /* [items] */
    uint64_t *elapsed; /* [steps + 1] when each step begins with everything in default memory */
    uint64_t *channel; /* [steps] how long the channel is still free beside each step */
    uint32_t backing;
};

static void clear_assignment(struct assignment *assignment)
{
    memory_free_all(assignment->benefit, assignment->elapsed, assignment->channel);
}

static uint32_t find_default(const struct assignment *assignment, uint32_t item)
{
    const struct move_problem *problem = assignment->draft->problem;
    return move_is_weights(problem, item) ? problem->memories - 1 : assignment->backing;
}

/* What an access takes less in the first memory than in the default one; 0 where that is none. */
static uint64_t find_gain(const struct assignment *assignment, uint32_t item, bool is_write)
{
    const struct move_problem *problem = assignment->draft->problem;
    uint32_t slow = find_default(assignment, item);
    uint64_t here = is_write ? problem->write_cost[0] : problem->read_cost[0];
    uint64_t there = is_write ? problem->write_cost[slow] : problem->read_cost[slow];
    return there > here ? (there - here) * problem->item[item].bytes : 0;
}

static enum status create_assignment(struct assignment *assignment, struct error *error)
{
    const struct move_problem *problem = assignment->draft->problem;
    assignment->backing = cache_backing(problem);
    TRY(memory_create(&assignment->benefit, problem->items, sizeof(double), error));
    TRY(memory_create(&assignment->elapsed, (size_t)problem->steps + 1, sizeof(uint64_t), error));
    TRY(memory_create(&assignment->channel, problem->steps, sizeof(uint64_t), error));
    for (uint32_t step = 0; step < problem->steps; step++) {
        uint64_t time = problem->compute[step];
        for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++) {
            const struct move_access *access = &problem->access[a];
            uint32_t slow = find_default(assignment, access->item);
            time += problem->item[access->item].bytes *
                    (access->is_write ? problem->write_cost[slow] : problem->read_cost[slow]);
        }
        assignment->channel[step] = time;
        assignment->elapsed[step + 1] = assignment->elapsed[step] + time;
    }
    for (uint32_t i = 0; i < problem->items; i++) {
        uint64_t gain = find_gain(assignment, i, false);
        gain += move_is_weights(problem, i) ? 0 : find_gain(assignment, i, true);
        assignment->benefit[i] = (double)gain / sqrt((double)problem->item[i].bytes + 1);
    }
    return STATUS_OK;
}

/* Adds the stay with as late a use as its end as there is room for, at least use number u; *end is
   the number of the first use that it does not reach. */
static enum status add_fast(struct assignment *assignment, struct move_stay *stay, uint64_t u,
                            uint64_t *end, bool *added, struct error *error)
{
    const struct groups *uses = &assignment->draft->uses;
    *added = false;
    for (uint64_t last = uses->first[stay->item + 1]; last-- > u && !*added;) {
        stay->upper = uses->item[last] + 1;
        *end = last + 1;
        TRY(move_draft_find(assignment->draft, stay, MEMORY_NONE, added, error));
    }
    return *added ? move_plan_add(&assignment->draft->plan, stay, error) : STATUS_OK;
}

/* Whether the channel can carry a copy beside the steps [lower, upper). */
static bool has_channel(const struct assignment *assignment, uint32_t lower, uint32_t upper,
                        uint64_t time)
{
    uint64_t room = 0;
    for (uint32_t step = lower; step < upper; step++)
        room += assignment->channel[step];
    return room >= time;
}

static void take_channel(struct assignment *assignment, uint32_t lower, uint32_t upper,
                         uint64_t time)
{
    for (uint32_t step = lower; step < upper; step++) {
        uint64_t part = assignment->channel[step] < time ? assignment->channel[step] : time;
        assignment->channel[step] -= part;
        time -= part;
    }
}

/* Fetches the item for use u: the start whose distance is closest to one and a half times the copy,
   then later and earlier ones in turn, as long as four fifths of the copy are hidden or saved. */
static enum status prefetch(struct assignment *assignment, uint32_t source, uint64_t u,
                            uint64_t *end, bool *added, struct error *error)
{
    struct move_draft *draft = assignment->draft;
    const struct move_stay from = draft->plan.stay[source];
    uint32_t step = assignment->draft->uses.item[u], best = step;
    uint64_t copy = move_transfer_time(draft->problem, from.item, from.memory, 0);
    uint64_t saved = find_gain(assignment, from.item, false);
    uint32_t least = from.ready + (from.source != MEMORY_NONE && from.ready == from.lower);
    *added = false;
    while (best > least && assignment->elapsed[step] - assignment->elapsed[best] < copy + copy / 2)
        best--;
    for (uint32_t away = 0; away < 2 * draft->problem->steps && !*added; away++) {
        int64_t at = (int64_t)best + (away % 2 ? (int64_t)(away / 2) + 1 : -(int64_t)(away / 2));
        if (at < (int64_t)least || at > (int64_t)step)
            continue;
        struct move_stay stay = {from.item, 0, source, (uint32_t)at, step, 0, 0};
        uint64_t hidden = assignment->elapsed[step] - assignment->elapsed[at];
        if (hidden + saved < copy / 5 * 4 || !has_channel(assignment, stay.lower, step, copy))
            continue;
        TRY(add_fast(assignment, &stay, u, end, added, error));
        if (*added)
            take_channel(assignment, stay.lower, step, copy);
    }
    return STATUS_OK;
}

static enum status add_default(struct assignment *assignment, struct move_stay *stay, bool *found,
                               struct error *error)
{
    struct move_draft *draft = assignment->draft;
    *found = move_is_off_chip(draft->problem, stay->memory);
    if (!*found)
        TRY(move_draft_find(draft, stay, MEMORY_NONE, found, error));
    return *found ? move_plan_add(&draft->plan, stay, error) : STATUS_OK;
}

/* The item from use to use: in the first memory as long as there is room, then out, and back. */
static enum status assign_item(struct assignment *assignment, uint32_t i, bool *found,
                               struct error *error)
{
    struct move_draft *draft = assignment->draft;
    const struct move_item *item = &draft->problem->item[i];
    const struct groups *uses = &assignment->draft->uses;
    bool is_weights = move_is_weights(draft->problem, i), is_fast = false;
    struct move_stay first = {i, 0, MEMORY_NONE, item->from, item->from + !is_weights, 0, 0};
    uint64_t u = uses->first[i], end = u;
    uint32_t source = draft->plan.count;
    if (!is_weights && uses->first[i + 1] > u)
        TRY(add_fast(assignment, &first, u + (uses->first[i + 1] > u + 1), &end, &is_fast, error));
    *found = true;
    if (is_fast && end == uses->first[i + 1])
        return STATUS_OK;
    struct move_stay slow = {
        i, find_default(assignment, i), MEMORY_NONE, first.lower, first.ready, item->to, 0};
    if (is_fast) {
        slow.source = source++;
        slow.lower = slow.ready = first.ready;
        uint64_t copy = move_transfer_time(draft->problem, i, 0, slow.memory);
        while (slow.ready < draft->plan.stay[slow.source].upper &&
               assignment->elapsed[slow.ready] - assignment->elapsed[slow.lower] < copy + copy / 2)
            slow.ready++;
        take_channel(assignment, slow.lower, slow.ready, copy);
    }
    TRY(add_default(assignment, &slow, found, error));
    for (u = end + !(is_fast || is_weights); u < uses->first[i + 1] && *found; u = end) {
        bool added;
        end = u + 1;
        TRY(prefetch(assignment, source, u, &end, &added, error));
        end = added ? end : u + 1;
    }
    return STATUS_OK;
}

struct turn {
    double benefit;
    uint32_t item;
};

COMPARE_BY(compare_turns, struct turn, compare_reals(b->benefit, a->benefit),
           compare_numbers(a->item, b->item))

/* O(items * uses * steps * stays log stays). */
static enum status plan_xla(const struct move_planner *planner, const struct move_task *task,
                            struct move_draft *draft, bool *found, struct error *error)
{
    (void)planner;
    (void)task;
    SCOPED(clear_assignment) struct assignment assignment = {.draft = draft};
    SCOPED(memory_release) struct turn *turn = NULL;
    uint32_t items = draft->problem->items;
    *found = true;
    TRY(create_assignment(&assignment, error));
    TRY(memory_create(&turn, items, sizeof *turn, error));
    for (uint32_t i = 0; i < items; i++)
        turn[i] = (struct turn){assignment.benefit[i], i};
    qsort(turn, items, sizeof *turn, compare_turns);
    for (uint32_t i = 0; i < items && *found; i++)
        TRY(assign_item(&assignment, turn[i].item, found, error));
    if (*found)
        TRY(move_draft_settle(draft, found, error));
    return *found ? move_draft_time(draft, error) : STATUS_OK;
}

const struct move_planner move_planner_xla_prefetch = {
    .name = "xla_prefetch",
    .title =
        "items with the most benefit stay, leave and come back, copies hidden behind computing",
    .source = "openxla/xla 84d7260817c4, memory_space_assignment/algorithm.cc",
    .plan = plan_xla,
};
