#include "planning/lowering/condition_sweep.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

static enum status sort_intervals(const struct path_sweep *sweep, uint32_t *item, uint64_t *key,
                                  bool by_upper, struct error *error)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < sweep->paths->intervals; p++) {
        const struct path_interval *interval = &sweep->paths->interval[p];
        if (interval->condition == PATH_ALWAYS)
            continue;
        key[count] = by_upper ? interval->upper : interval->lower;
        item[count++] = p;
    }
    assert(count == sweep->intervals);
    return sort_items(key, item, count, error);
}

static uint32_t count_conditional(const struct path_liveness *paths)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < paths->intervals; p++)
        count += paths->interval[p].condition != PATH_ALWAYS;
    return count;
}

enum status path_sweep_create(struct path_sweep *sweep, const struct path_liveness *paths,
                              struct error *error)
{
    uint64_t *key = NULL;
    enum status status;
    *sweep = (struct path_sweep){.paths = paths, .intervals = count_conditional(paths)};
    uint32_t **per_interval[] = {&sweep->by_lower, &sweep->by_upper};
    for (int i = 0; i < 2; i++)
        TRY_OR_DONE(status,
                    memory_create(per_interval[i], sweep->intervals, sizeof(uint32_t), error));
    uint32_t **per_condition[] = {&sweep->active, &sweep->position, &sweep->live};
    for (int i = 0; i < 3; i++)
        TRY_OR_DONE(status,
                    memory_create(per_condition[i], paths->conditions, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&key, sweep->intervals, sizeof *key, error));
    TRY_OR_DONE(status, sort_intervals(sweep, sweep->by_lower, key, false, error));
    TRY_OR_DONE(status, sort_intervals(sweep, sweep->by_upper, key, true, error));
done:
    memory_free(key);
    return status;
}

void path_sweep_free(struct path_sweep *sweep)
{
    memory_free(sweep->by_lower);
    memory_free(sweep->by_upper);
    memory_free(sweep->active);
    memory_free(sweep->position);
    memory_free(sweep->live);
    *sweep = (struct path_sweep){0};
}

static const struct path_interval *next_start(const struct path_sweep *sweep)
{
    return &sweep->paths->interval[sweep->by_lower[sweep->started]];
}

static const struct path_interval *next_end(const struct path_sweep *sweep)
{
    return &sweep->paths->interval[sweep->by_upper[sweep->ended]];
}

uint32_t path_sweep_next(const struct path_sweep *sweep)
{
    uint32_t next = GRAPH_NONE;
    if (sweep->started < sweep->intervals)
        next = next_start(sweep)->lower;
    if (sweep->ended < sweep->intervals && next_end(sweep)->upper < next)
        next = next_end(sweep)->upper;
    return next;
}

static void remove_active(struct path_sweep *sweep, uint32_t condition)
{
    assert(sweep->active_count > 0 && sweep->active[sweep->position[condition]] == condition);
    uint32_t moved = sweep->active[--sweep->active_count];
    sweep->active[sweep->position[condition]] = moved;
    sweep->position[moved] = sweep->position[condition];
}

/* Intervals that start at the step are counted before those that end there, so that a condition
   stays active where one of its intervals follows another. */
uint32_t path_sweep_go(struct path_sweep *sweep, uint32_t step)
{
    uint32_t first_new;
    assert(step == path_sweep_next(sweep));
    for (uint32_t i = sweep->started; i < sweep->intervals; i++) {
        const struct path_interval *interval = &sweep->paths->interval[sweep->by_lower[i]];
        if (interval->lower != step)
            break;
        sweep->live[interval->condition]++;
    }
    for (; sweep->ended < sweep->intervals && next_end(sweep)->upper == step; sweep->ended++) {
        uint32_t condition = next_end(sweep)->condition;
        assert(sweep->live[condition] > 0);
        if (--sweep->live[condition] == 0)
            remove_active(sweep, condition);
    }
    first_new = sweep->active_count;
    assert(sweep->ended <= sweep->started);
    for (; sweep->started < sweep->intervals && next_start(sweep)->lower == step;
         sweep->started++) {
        uint32_t condition = next_start(sweep)->condition;
        uint32_t position = sweep->position[condition];
        if (position < sweep->active_count && sweep->active[position] == condition)
            continue;
        assert(sweep->live[condition] > 0);
        sweep->position[condition] = sweep->active_count;
        sweep->active[sweep->active_count++] = condition;
    }
    assert(sweep->active_count < sweep->paths->conditions);
    return sweep->active_count - first_new;
}
