#include "dma/planned/trials.h"

#include <string.h>

#include "core/memory.h"
#include "dma/planned/schedule_problem.h"

/* How much work may go into each search of a region, in operators walked over. */
enum { TUNE_WALKED = 20000 };

void trials_copy(const struct trials *trials, struct trial *to, const struct trial *from)
{
    memcpy(to->start, from->start, trials->space->places * sizeof *to->start);
    to->times = from->times;
}

bool trials_is_better(const struct transfer_times *times, const struct transfer_times *than)
{
    return times->expected_ns < than->expected_ns ||
           (times->expected_ns == than->expected_ns && times->worst_ns < than->worst_ns);
}

void trials_keep(struct trials *trials, const struct trial *trial)
{
    if (trials_is_better(&trial->times, &trials->best.times))
        trials_copy(trials, &trials->best, trial);
}

enum status trials_run(struct trials *trials, struct trial *trial, struct schedule_run *run)
{
    const struct schedule_space *space = trials->space;
    uint64_t load_bytes;
    *run = (struct schedule_run){0};
    trial->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    schedule_goal_take(trials->goal,
                       (uint64_t)trials->measure_walks * space->regions->graph->operators);
    TRY(schedule_load(space, trial->start, &load_bytes, trials->error));
    if (load_bytes > trials->capacity_bytes)
        return STATUS_OK;
    enum status status = schedule_run_fill(space, trial->start, run, &trial->times, trials->error);
    if (status != STATUS_LIMIT)
        return status;
    trial->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    return STATUS_OK;
}

enum status trials_measure(struct trials *trials, struct trial *trial)
{
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    return trials_run(trials, trial, &run);
}

enum status trials_tune(struct trials *trials, struct schedule_region *region, uint32_t r,
                        uint32_t *start, bool *found)
{
    uint64_t walked = TUNE_WALKED;
    const struct schedule_goal goal = {trials->capacity_bytes, trials->goal->deadline_ns, &walked,
                                       trials->goal->in_order};
    struct schedule_cost cost;
    region->weighted_op = trials->own.op;
    region->kept_bytes = trials->kept_bytes;
    enum status status = schedule_search(region, &goal, trials->own.start, &cost, trials->error);
    schedule_goal_take(trials->goal, TUNE_WALKED - walked);
    *found = status == STATUS_OK;
    if (*found)
        schedule_own_take(trials->space, &trials->own, r, start);
    return status == STATUS_NO ? STATUS_OK : status;
}

enum status trials_begin(struct trials *trials, const uint32_t *start)
{
    const struct schedule_space *space = trials->space;
    struct trial *const all[] = {&trials->best, &trials->tried, &trials->tuned, &trials->other};
    uint32_t count = space->regions->weighted_count, operators = space->regions->graph->operators;
    struct error *error = trials->error;
    uint64_t load_bytes;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        TRY(memory_create(&all[i]->start, space->places, sizeof(uint32_t), error));
    TRY(memory_create_all(count, error, &trials->own.op, &trials->own.start));
    TRY(memory_create(&trials->kept_bytes, operators, sizeof *trials->kept_bytes, error));
    TRY(schedule_walk_create(space, &trials->walk, error));
    memcpy(trials->best.start, start, space->places * sizeof *start);
    schedule_kept_bytes(space, start, trials->kept_bytes);
    TRY(schedule_load(space, start, &load_bytes, error));
    trials->capacity_bytes = trials->goal->capacity_bytes;
    if (trials->capacity_bytes < load_bytes)
        trials->capacity_bytes = load_bytes;
    return trials_measure(trials, &trials->best);
}

void trials_clear(struct trials *trials)
{
    memory_free_all(trials->best.start, trials->tried.start, trials->tuned.start,
                    trials->other.start, trials->own.op, trials->own.start, trials->kept_bytes,
                    trials->under_way);
    schedule_walk_clear(&trials->walk);
}
