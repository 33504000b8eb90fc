#include "planning/execute/moves_clock.h"

#include <assert.h>

#include "core/checked.h"
#include "core/scratch.h"

struct timed {
    const struct move_problem *problem;
    const struct move_plan *plan;
    uint64_t *arrival;      /* [stays] when its transfer has been carried */
    uint32_t *starting;     /* [stays] those that start before the step */
    uint64_t now, free;     /* of the processor, and when the channel has carried everything */
    uint64_t stretch, work; /* since when the processor only computes, and how much that is */
};

static bool is_inside(const struct move_problem *problem, uint32_t region, uint32_t outer)
{
    const struct graph *graph = problem->graph;
    while (region != outer && graph->region[region].owner != GRAPH_NONE)
        region = graph->op[graph->region[region].owner].region;
    return region == outer;
}

uint32_t execute_moves_find(const struct move_problem *problem, const struct move_plan *plan,
                            uint32_t step, uint32_t item, bool is_write)
{
    uint32_t found = MEMORY_NONE;
    assert(step < problem->steps && item < problem->items);
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        bool is_first = stay->source == MEMORY_NONE;
        if (stay->item != item || step >= stay->upper)
            continue;
        if (is_write && is_first)
            return s;
        if (!is_write && stay->ready <= step &&
            (is_first || is_inside(problem, problem->region[step], problem->region[stay->ready])) &&
            (found == MEMORY_NONE ||
             problem->read_cost[stay->memory] < problem->read_cost[plan->stay[found].memory]))
            found = s;
    }
    return found;
}

uint32_t execute_moves_list(const struct move_plan *plan, uint32_t step, uint32_t *starting)
{
    uint32_t starts = 0;
    for (uint32_t s = 0; s < plan->count; s++) {
        if (plan->stay[s].source == MEMORY_NONE || plan->stay[s].lower != step)
            continue;
        uint32_t k = starts++;
        for (; k > 0 && plan->stay[s].ready < plan->stay[starting[k - 1]].ready; k--)
            starting[k] = starting[k - 1];
        starting[k] = s;
    }
    return starts;
}

static void begin_stretch(struct timed *timed)
{
    timed->stretch = timed->now;
    timed->work = 0;
}

static void start_transfer(struct timed *timed, uint32_t s)
{
    const struct move_stay *stay = &timed->plan->stay[s];
    assert(stay->source < s && timed->plan->stay[stay->source].item == stay->item);
    timed->now += timed->problem->channel.start_instruction;
    timed->free = timed->free > timed->now ? timed->free : timed->now;
    if (timed->free >> 62 == 0) /* else computing refuses the sum */
        timed->free += move_transfer_time(timed->problem, stay->item,
                                          timed->plan->stay[stay->source].memory, stay->memory);
    timed->arrival[s] = timed->free;
    begin_stretch(timed);
}

static void wait_for(struct timed *timed, uint32_t s)
{
    assert(timed->arrival[s] <= timed->free);
    if (timed->now < timed->arrival[s])
        timed->now = timed->arrival[s];
    timed->now += timed->problem->channel.wait_instruction;
    begin_stretch(timed);
}

static enum status refuse(struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT,
                     "found a plan that takes 2^62 thousandths of ns or more, expected less");
}

/* While the channel is busy computing takes 1 + contention times as long. */
static enum status compute(struct timed *timed, uint64_t work, struct error *error)
{
    enum { PARTS = 1000000 };
    uint64_t slow = PARTS + timed->problem->channel.contention, taken;
    uint64_t busy = timed->free > timed->stretch ? timed->free - timed->stretch : 0;
    timed->work += work;
    uint64_t done = busy / slow * PARTS + busy % slow * PARTS / slow;
    bool fits = true;
    assert(done <= busy);
    if (timed->work > done)
        taken = busy + (timed->work - done);
    else
        fits = checked_scale_up(timed->work, slow, PARTS, &taken);
    if (!fits || taken >> 62 || timed->stretch >> 62)
        return refuse(error);
    assert(taken >= timed->work && timed->stretch + taken >= timed->now);
    timed->now = timed->stretch + taken;
    return STATUS_OK;
}

/* What the accesses of a step take; of reads of which a path makes one, the longest. */
static uint64_t sum_accesses(const struct timed *timed, uint32_t step)
{
    const struct move_problem *problem = timed->problem;
    uint64_t sum = 0, longest = 0;
    for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++) {
        const struct move_access *access = &problem->access[a];
        uint32_t s = execute_moves_find(problem, timed->plan, step, access->item, access->is_write);
        uint32_t memory = s == MEMORY_NONE ? 0 : timed->plan->stay[s].memory;
        uint64_t cost = access->is_write ? problem->write_cost[memory] : problem->read_cost[memory];
        uint64_t time = access->is_free ? 0 : problem->item[access->item].bytes * cost;
        if (!access->is_other) {
            sum += longest;
            longest = 0;
        }
        longest = time > longest ? time : longest;
    }
    return sum + longest;
}

static enum status run_step(struct timed *timed, uint32_t step, struct error *error)
{
    const struct move_plan *plan = timed->plan;
    uint32_t starts = execute_moves_list(plan, step, timed->starting);
    for (uint32_t s = 0; s < plan->count; s++)
        if (plan->stay[s].source != MEMORY_NONE && plan->stay[s].lower < step &&
            plan->stay[s].ready == step)
            wait_for(timed, s);
    for (uint32_t i = 0; i < starts; i++)
        start_transfer(timed, timed->starting[i]);
    for (uint32_t i = 0; i < starts && plan->stay[timed->starting[i]].ready == step; i++)
        wait_for(timed, timed->starting[i]);
    return compute(timed, timed->problem->compute[step] + sum_accesses(timed, step), error);
}

enum status execute_moves_time(const struct move_problem *problem, const struct move_plan *plan,
                               uint64_t *time, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct timed timed = {.problem = problem, .plan = plan};
    uint64_t begin = 0, part;
    TRY(scratch_take_all(&scratch, plan->count, error, &timed.arrival, &timed.starting));
    *time = 0;
    for (uint32_t step = 0; step < problem->steps; step++) {
        TRY(run_step(&timed, step, error));
        assert(timed.now >= begin);
        if (step + 1 < problem->steps && problem->section[step + 1] == problem->section[step])
            continue;
        if (!checked_scale_up(timed.now - begin, problem->runs[step], MOVE_RUN_PARTS, &part) ||
            part >> 62 || (*time += part) >> 62)
            return refuse(error);
        begin = timed.now;
        begin_stretch(&timed);
    }
    return STATUS_OK;
}
