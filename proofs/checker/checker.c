#include "proofs/checker/checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/log.h"
#include "proofs/checker/problem_read.h"

/* All that a check makes. */
struct check {
    const char *problem_path, *log_path, *plan_path;
    struct problem problem, plan;
    struct log log;
    int64_t *offset;      /* [buffers] of the plan */
    struct segment *live; /* [segments] of the problem as they begin */
};

/* Takes each buffer's offset from the plan, whose rows are those of a problem with fixed offsets,
   and checks it alone. Returns the peak. */
static int64_t take_offsets(struct check *check)
{
    const struct problem *problem = &check->problem;
    int64_t peak = 0;
    if (check->plan.buffers != problem->buffers)
        UNREADABLE("found %" PRIu32 " buffers, expected %" PRIu32, check->plan.buffers,
                   problem->buffers);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        const struct buffer *row = check_problem_find(&check->plan, buffer->name);
        int64_t offset = row ? row->fixed : BUFFER_FREE;
        if (offset == BUFFER_FREE)
            UNREADABLE("found no offset of buffer '%.60s'", buffer->name);
        if (offset % buffer->alignment || (buffer->fixed != BUFFER_FREE && offset != buffer->fixed))
            REFUSED("buffer %" PRIu32 " may not lie at %" PRId64, b, offset);
        check->offset[b] = offset;
        peak = offset + buffer->size > peak ? offset + buffer->size : peak;
    }
    return peak;
}

static void check_pair(const struct check *check, uint32_t a, uint32_t b)
{
    const int64_t *offset = check->offset;
    int64_t difference = offset[b] - offset[a];
    if (a != b && check_problem_forbids(&check->problem, a, b, difference, difference))
        REFUSED("buffers %" PRIu32 " and %" PRIu32 ", at %" PRId64 " and %" PRId64 ", overlap", a,
                b, offset[a], offset[b]);
}

static int compare_begins(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Checks each two buffers that are live at one step, or are a pair. */
static void check_pairs(const struct check *check)
{
    const struct problem *problem = &check->problem;
    memcpy(check->live, problem->segment, problem->segments * sizeof *check->live);
    qsort(check->live, problem->segments, sizeof *check->live, compare_begins);
    for (size_t s = 0; s < problem->segments; s++)
        for (size_t t = s + 1; t < problem->segments && check->live[t].lower < check->live[s].upper;
             t++)
            check_pair(check, check->live[s].buffer, check->live[t].buffer);
    for (size_t p = 0; p < problem->pairs; p++)
        check_pair(check, (uint32_t)(problem->pair[p] >> 32), (uint32_t)problem->pair[p]);
}

/* Checks that the plan is valid, and that its peak is at most the least multiple of the unit above
   the capacity. O((n + pairs) log n) for n segments and pairs that are live at one step. */
static void check_plan(struct check *check, struct check_answer *answer)
{
    int64_t most = answer->capacity - answer->capacity % answer->unit + answer->unit;
    check->offset = check_create(check->problem.buffers, sizeof *check->offset);
    check->live = check_create(check->problem.segments, sizeof *check->live);
    check_problem_read(check->plan_path, true, &check->plan);
    check_fault.line = 0;
    answer->peak = take_offsets(check);
    check_pairs(check);
    if (answer->peak > most)
        REFUSED("the peak is %" PRId64 ", and %" PRId64 " may be possible", answer->peak, most);
}

/* Returns here from the first fault. */
static bool run(struct check *check, struct check_answer *answer)
{
    if (setjmp(check_fault.end))
        return false;
    check_problem_read(check->problem_path, false, &check->problem);
    check_log(check->log_path, &check->problem, &check->log);
    *answer = (struct check_answer){check->log.capacity, check->log.unit, -1, check->log.lines,
                                    check->log.clauses};
    if (check->plan_path)
        check_plan(check, answer);
    return true;
}

bool check_files(const char *problem, const char *log, const char *plan,
                 struct check_answer *answer)
{
    struct check check = {.problem_path = problem, .log_path = log, .plan_path = plan};
    memset(&check_fault, 0, sizeof check_fault);
    check_fault.file = problem;
    bool fine = run(&check, answer);
    check_log_free(&check.log);
    check_problem_free(&check.problem);
    check_problem_free(&check.plan);
    free(check.offset);
    free(check.live);
    return fine;
}
