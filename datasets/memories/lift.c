/* dsa-solver's lift of problems to penalties (tonibohnlein/dsa-solver, dsa-rp-lift): each buffer is
   written once, when its life begins, and read once, when it ends, by operators on streams that a
   hash of its name chooses. A later buffer that shares bytes with an earlier one costs 1 where its
   write does not wait for that one's read anyway. The capacity is the peak of first fit by size. */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/scratch.h"
#include "core/sort.h"
#include "datasets/memories/derived.h"
#include "planning/arena/placer.h"

enum { STREAMS, PERCENT };
enum { MOST_STREAMS = 16 };

static const struct generate_option options[] = {
    [STREAMS] = {"streams", 4, 1, MOST_STREAMS, NULL, "on which operators run"},
    [PERCENT] = {"percent", 100, 1, 1000, NULL, "of the peak of first fit that is the capacity"},
};

/* FNV-1a of 64 bits, and the last steps of splitmix64, whose low bits are even. */
static uint64_t hash_text(const char *text, uint64_t seed)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ seed;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

/* The operators, two for each buffer: 2 * b writes it, 2 * b + 1 reads it. */
struct schedule {
    uint32_t streams;
    uint32_t *stream, *turn;          /* its place among those of its stream, from 1 */
    uint32_t (*clock)[MOST_STREAMS];  /* up to which turn of each stream it has waited */
    uint32_t *by_stream;              /* all of them, stream by stream in turn */
    uint32_t first[MOST_STREAMS + 1]; /* where those of a stream begin in by_stream */
};

static void free_schedule(struct schedule *schedule)
{
    memory_free_all(schedule->stream, schedule->turn, schedule->clock, schedule->by_stream);
}

static void choose_streams(const struct memory_rule_task *task, struct schedule *schedule)
{
    const char *slash = strrchr(task->name, '/');
    uint32_t *count = schedule->first + 1;
    for (uint32_t b = 0; b < task->source->buffers; b++)
        for (uint32_t end = 0; end < 2; end++) {
            char text[512];
            snprintf(text, sizeof text, "%s:%s:%" PRIu32 ":%s", slash ? slash + 1 : task->name,
                     names_get(&task->source->names, b), b, end ? "final_read" : "first_write");
            schedule->stream[2 * b + end] =
                (uint32_t)(hash_text(text, task->seed) % schedule->streams);
            count[schedule->stream[2 * b + end]]++;
        }
    for (uint32_t s = 1; s < schedule->streams; s++)
        count[s] += count[s - 1];
}

static uint64_t get_time(const void *context, uint32_t operator)
{
    const struct problem *problem = context;
    return operator% 2 ? 2 * (uint64_t)problem_upper(problem, operator/ 2) - 1
                       : 2 *(uint64_t) problem_lower(problem, operator/ 2);
}

/* Runs the operators in the order of time; each waits for the one before it on its stream, a read
   for its write too. */
static enum status run(const struct memory_rule_task *task, struct schedule *schedule,
                       struct error *error)
{
    uint32_t operators = 2 * task->source->buffers, last[MOST_STREAMS], turns[MOST_STREAMS] = {0};
    const struct sort_key keys[SORT_MOST_KEYS] = {{.value = get_time}};
    SCOPED(memory_release) uint32_t *order = NULL;
    TRY(memory_create(&order, operators, sizeof *order, error));
    TRY(sort_by_keys(keys, task->source, operators, order, error));
    for (uint32_t i = 0; i < operators; i++) {
        uint32_t o = order[i], stream = schedule->stream[o], *clock = schedule->clock[o];
        if (turns[stream])
            memcpy(clock, schedule->clock[last[stream]], sizeof *schedule->clock);
        for (uint32_t s = 0; s < schedule->streams && o % 2; s++)
            if (schedule->clock[o - 1][s] > clock[s])
                clock[s] = schedule->clock[o - 1][s];
        schedule->by_stream[schedule->first[stream] + turns[stream]] = o;
        clock[stream] = schedule->turn[o] = ++turns[stream];
        last[stream] = o;
    }
    return STATUS_OK;
}

/* Fills pairs.key with a pair of buffers for each write and each earlier read that it does not wait
   for, the lesser number in the upper half; or only counts them where pairs.key is NULL. Those
   reads are on their streams behind the last operator that the write has waited for. */
static size_t find_pairs(const struct problem *source, const struct schedule *schedule,
                         struct sort_columns pairs)
{
    size_t count = 0;
    for (uint32_t later = 0; later < source->buffers; later++)
        for (uint32_t s = 0; s < schedule->streams; s++) {
            uint64_t time = get_time(source, 2 * later);
            uint32_t i = schedule->first[s] + schedule->clock[2 * later][s];
            for (; i < schedule->first[s + 1]; i++) {
                uint32_t read = schedule->by_stream[i], earlier = read / 2;
                if (get_time(source, read) >= time)
                    break;
                if (read % 2 && pairs.key) {
                    pairs.item[count] = earlier < later ? later : earlier;
                    pairs.key[count] =
                        (uint64_t)(earlier < later ? earlier : later) << 32 | pairs.item[count];
                }
                count += read % 2;
            }
        }
    return count;
}

static enum status add_penalties(const struct problem *source, const struct schedule *schedule,
                                 struct memory_problem *made, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct sort_columns pairs = {0};
    size_t count = find_pairs(source, schedule, pairs);
    if (count > UINT32_MAX)
        return error_set(error, STATUS_LIMIT, "the rule lift makes %zu penalties, at most %u",
                         count, UINT32_MAX);
    TRY(scratch_take_all(&scratch, count, error, &pairs.key, &pairs.item));
    TRY(memory_create(&made->penalty, count, sizeof *made->penalty, error));
    find_pairs(source, schedule, pairs);
    TRY(sort_items(pairs.key, pairs.item, count, error));
    for (size_t i = 0; i < count; i++)
        made->penalty[i] = (struct memory_penalty){(uint32_t)(pairs.key[i] >> 32), pairs.item[i],
                                                   MEMORY_COST_PARTS};
    made->penalties = (uint32_t)count;
    return STATUS_OK;
}

static uint64_t get_birth(const void *context, uint32_t buffer)
{
    return problem_lower(context, buffer);
}

/* The peak of first fit by size, then birth. */
static enum status find_peak(const struct problem *source, uint64_t *peak, struct error *error)
{
    const struct sort_key keys[SORT_MOST_KEYS] = {{.descending = true, SORT_ARRAY(source->size)},
                                                  {.value = get_birth}};
    SCOPED(placer_release) struct placer *placer = NULL;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    SCOPED(memory_release) uint64_t *offset = NULL;
    TRY(placer_create(source, &placer, error));
    TRY(memory_create_all(source->buffers, error, &sorted, &offset));
    TRY(sort_by_keys(keys, source, source->buffers, sorted, error));
    const struct occupancy_rule rule = {fit_find("first"), sorted, UINT64_MAX, 0};
    return placer_place_all(placer, &rule, offset, peak, error);
}

static enum status lift(const struct memory_rule_task *task, struct memory_problem *made,
                        struct error *error)
{
    uint32_t operators = 2 * task->source->buffers;
    SCOPED(free_schedule) struct schedule schedule = {.streams = (uint32_t)task->value[STREAMS]};
    uint64_t peak;
    if (task->source->segments != task->source->buffers)
        return error_set(error, STATUS_USAGE,
                         "found a buffer with several segments in '%s', expected one of each for "
                         "the rule lift",
                         task->name);
    TRY(memory_create_all(operators, error, &schedule.stream, &schedule.turn, &schedule.clock,
                          &schedule.by_stream));
    choose_streams(task, &schedule);
    TRY(run(task, &schedule, error));
    TRY(add_penalties(task->source, &schedule, made, error));
    TRY(find_peak(task->source, &peak, error));
    assert(peak > 0);
    made->memory[0].capacity_bytes =
        peak / 100 * task->value[PERCENT] + peak % 100 * task->value[PERCENT] / 100;
    return names_add(&made->names, "default", error);
}

const struct memory_rule memory_rule_lift = {
    .kind = {.name = "lift",
             .title = "sharing bytes costs 1 where streams would have to wait for it",
             GENERATE_OPTIONS(options)},
    .memories = 1,
    .apply = lift};
