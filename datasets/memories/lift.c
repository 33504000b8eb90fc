/* dsa-solver's lift of problems to penalties (tonibohnlein/dsa-solver, dsa-rp-lift): each buffer is
   written once, when its life begins, and read once, when it ends, by operators on streams that a
   hash of its name chooses. A later buffer that shares bytes with an earlier one costs 1 where its
   write does not wait for that one's read anyway. The capacity is the peak of first fit by size. */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
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
    uint32_t *stream, *turn;         /* its place among those of its stream, from 1 */
    uint32_t (*clock)[MOST_STREAMS]; /* up to which turn of each stream it has waited */
};

static void free_schedule(struct schedule *schedule)
{
    memory_free_all(schedule->stream, schedule->turn, schedule->clock);
}

static void choose_streams(const struct memory_rule_task *task, struct schedule *schedule)
{
    const char *slash = strrchr(task->name, '/');
    for (uint32_t b = 0; b < task->source->buffers; b++)
        for (uint32_t end = 0; end < 2; end++) {
            char text[512];
            snprintf(text, sizeof text, "%s:%s:%" PRIu32 ":%s", slash ? slash + 1 : task->name,
                     names_get(&task->source->names, b), b, end ? "final_read" : "first_write");
            schedule->stream[2 * b + end] =
                (uint32_t)(hash_text(text, task->seed) % schedule->streams);
        }
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
        clock[stream] = schedule->turn[o] = ++turns[stream];
        last[stream] = o;
    }
    return STATUS_OK;
}

static bool has_waited(const struct schedule *schedule, uint32_t write, uint32_t read)
{
    return schedule->clock[write][schedule->stream[read]] >= schedule->turn[read];
}

/* Adds the penalties, or only counts them where there is no room for them yet. */
static void add_penalties(const struct memory_rule_task *task, const struct schedule *schedule,
                          struct memory_problem *made)
{
    const struct problem *source = task->source;
    made->penalties = 0;
    for (uint32_t a = 0; a < source->buffers; a++)
        for (uint32_t b = a + 1; b < source->buffers; b++) {
            bool reverse = problem_upper(source, b) <= problem_lower(source, a);
            uint32_t earlier = reverse ? b : a, later = reverse ? a : b;
            if (problem_upper(source, earlier) > problem_lower(source, later) ||
                has_waited(schedule, 2 * later, 2 * earlier + 1))
                continue;
            if (made->penalty)
                made->penalty[made->penalties] = (struct memory_penalty){a, b, MEMORY_COST_PARTS};
            made->penalties++;
        }
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
    TRY(memory_create(&sorted, source->buffers, sizeof *sorted, error));
    TRY(memory_create(&offset, source->buffers, sizeof *offset, error));
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
    TRY(memory_create(&schedule.stream, operators, sizeof(uint32_t), error));
    TRY(memory_create(&schedule.turn, operators, sizeof(uint32_t), error));
    TRY(memory_create(&schedule.clock, operators, sizeof *schedule.clock, error));
    choose_streams(task, &schedule);
    TRY(run(task, &schedule, error));
    add_penalties(task, &schedule, made);
    TRY(memory_create(&made->penalty, made->penalties, sizeof *made->penalty, error));
    add_penalties(task, &schedule, made);
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
