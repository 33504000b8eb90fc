#include "planning/lowering/condition_sweep.h"

#include <assert.h>

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

enum status path_sweep_create(struct path_sweep *sweep, const struct path_liveness *paths,
                              struct scratch *scratch, struct error *error)
{
    uint32_t count = 0;
    uint64_t *key;
    for (uint32_t p = 0; p < paths->intervals; p++)
        count += paths->interval[p].condition != PATH_ALWAYS;
    *sweep = (struct path_sweep){.paths = paths, .intervals = count};
    TRY(scratch_take_all(scratch, count, error, &sweep->by_lower, &sweep->by_upper, &key));
    TRY(scratch_take(scratch, &sweep->live, paths->conditions, sizeof *sweep->live, error));
    TRY(live_set_create(&sweep->active, paths->conditions, scratch, error));
    TRY(sort_intervals(sweep, sweep->by_lower, key, false, error));
    return sort_intervals(sweep, sweep->by_upper, key, true, error);
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

/* Intervals that start at the step are counted before those that end there, so that a condition
   stays active where one of its intervals follows another. */
uint32_t path_sweep_go(struct path_sweep *sweep, uint32_t step)
{
    uint32_t first = sweep->started;
    assert(sweep->ended <= sweep->started && sweep->started <= sweep->intervals);
    assert(step == path_sweep_next(sweep));
    for (; sweep->started < sweep->intervals && next_start(sweep)->lower == step; sweep->started++)
        sweep->live[next_start(sweep)->condition]++;
    for (; sweep->ended < sweep->intervals && next_end(sweep)->upper == step; sweep->ended++) {
        uint32_t condition = next_end(sweep)->condition;
        assert(sweep->live[condition] > 0);
        if (--sweep->live[condition] == 0)
            live_set_remove(&sweep->active, condition);
    }
    assert(sweep->ended <= sweep->started);
    uint32_t first_new = sweep->active.count;
    for (uint32_t i = first; i < sweep->started; i++) {
        uint32_t condition = sweep->paths->interval[sweep->by_lower[i]].condition;
        assert(condition != PATH_ALWAYS);
        if (!live_set_has(&sweep->active, condition))
            live_set_insert(&sweep->active, condition);
    }
    assert(sweep->active.count < sweep->paths->conditions);
    return sweep->active.count - first_new;
}
