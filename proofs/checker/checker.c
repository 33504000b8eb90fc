#include "proofs/checker/checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/log.h"
#include "proofs/checker/problem_read.h"

/* All that a check makes, beside what is known of the log. */
static struct problem problem, plan;
static int64_t *offset;      /* [buffers] of the plan */
static struct segment *live; /* [segments] of the problem as they begin */

/* Takes each buffer's offset from the plan, whose rows are those of a problem with fixed offsets,
   and checks it alone. Returns the peak. */
static int64_t take_offsets(void)
{
    int64_t peak = 0;
    if (plan.buffers != problem.buffers)
        UNREADABLE("found %" PRIu32 " buffers, expected %" PRIu32, plan.buffers, problem.buffers);
    for (uint32_t b = 0; b < problem.buffers; b++) {
        const struct buffer *buffer = &problem.buffer[b];
        const struct buffer *row = check_problem_find(&plan, buffer->name);
        int64_t at = row ? row->fixed : BUFFER_FREE;
        if (at == BUFFER_FREE)
            UNREADABLE("found no offset of buffer '%.60s'", buffer->name);
        if (at % buffer->alignment || (buffer->fixed != BUFFER_FREE && at != buffer->fixed))
            REFUSED("buffer %" PRIu32 " may not lie at %" PRId64, b, at);
        offset[b] = at;
        peak = at + buffer->size > peak ? at + buffer->size : peak;
    }
    return peak;
}

static void check_pair(uint32_t a, uint32_t b)
{
    int64_t difference = offset[b] - offset[a];
    if (a != b && check_problem_forbids(&problem, a, b, difference, difference))
        REFUSED("buffers %" PRIu32 " and %" PRIu32 ", at %" PRId64 " and %" PRId64 ", overlap", a,
                b, offset[a], offset[b]);
}

static int compare_begins(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Checks each two buffers that are live at one step, or are a pair. */
static void check_pairs(void)
{
    memcpy(live, problem.segment, problem.segments * sizeof *live);
    qsort(live, problem.segments, sizeof *live, compare_begins);
    for (size_t s = 0; s < problem.segments; s++)
        for (size_t t = s + 1; t < problem.segments && live[t].lower < live[s].upper; t++)
            check_pair(live[s].buffer, live[t].buffer);
    for (size_t p = 0; p < problem.pairs; p++)
        check_pair((uint32_t)(problem.pair[p] >> 32), (uint32_t)problem.pair[p]);
}

/* Checks that the plan is valid, and that its peak is at most the least multiple of the unit above
   the capacity. O((n + pairs) log n) for n segments and pairs that are live at one step. */
static void check_plan(const char *path, struct check_answer *answer)
{
    int64_t most = answer->capacity - answer->capacity % answer->unit + answer->unit;
    offset = check_create(problem.buffers, sizeof *offset);
    live = check_create(problem.segments, sizeof *live);
    check_problem_read(path, true, &plan);
    check_fault.line = 0;
    answer->peak = take_offsets();
    check_pairs();
    if (answer->peak > most)
        REFUSED("the peak is %" PRId64 ", and %" PRId64 " may be possible", answer->peak, most);
}

bool check_files(const char *problem_path, const char *log_path, const char *plan_path,
                 struct check_answer *answer)
{
    memset(&check_fault, 0, sizeof check_fault);
    check_fault.file = problem_path;
    answer->peak = -1;
    if (!setjmp(check_fault.end)) { /* the first fault comes back here */
        check_problem_read(problem_path, false, &problem);
        check_log(log_path, &problem, answer);
        if (plan_path)
            check_plan(plan_path, answer);
    }
    check_log_free();
    check_problem_free(&problem);
    check_problem_free(&plan);
    free(offset);
    free(live);
    offset = NULL;
    live = NULL;
    return check_fault.kind == FAULT_NONE;
}
