#include "proofs/checker/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "proofs/checker/problem_read.h"

struct plan {
    const struct problem *problem;
    int64_t *offset; /* [buffers] */
    struct fault *fault;
};

/* Takes each buffer's offset from the plan, whose rows are those of a problem with fixed offsets,
   and checks it alone. */
static bool take_offsets(const struct plan *plan, const struct problem *rows, int64_t *peak)
{
    const struct problem *problem = plan->problem;
    if (rows->buffers != problem->buffers)
        return UNREADABLE(plan->fault, "found %" PRIu32 " buffers, expected %" PRIu32,
                          rows->buffers, problem->buffers);
    *peak = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        uint32_t row = check_problem_find(rows, buffer->name);
        int64_t offset = row < rows->buffers ? rows->buffer[row].fixed : BUFFER_FREE;
        if (offset == BUFFER_FREE)
            return UNREADABLE(plan->fault, "found no offset of buffer '%.60s'", buffer->name);
        if (offset % buffer->alignment || (buffer->fixed != BUFFER_FREE && offset != buffer->fixed))
            return REFUSED(plan->fault, "buffer %" PRIu32 " may not lie at %" PRId64, b, offset);
        plan->offset[b] = offset;
        *peak = offset + buffer->size > *peak ? offset + buffer->size : *peak;
    }
    return true;
}

static bool check_pair(const struct plan *plan, uint32_t a, uint32_t b)
{
    int64_t difference = plan->offset[b] - plan->offset[a];
    return a == b || !check_problem_forbids(plan->problem, a, b, difference, difference) ||
           REFUSED(plan->fault,
                   "buffers %" PRIu32 " and %" PRIu32 ", at %" PRId64 " and %" PRId64 ", overlap",
                   a, b, plan->offset[a], plan->offset[b]);
}

/* A buffer and the steps of one of its segments. */
struct span {
    int64_t lower, upper;
    uint32_t buffer;
};

static int compare_spans(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Goes through the segments as they begin, beside those that have not ended, and the pairs. */
static bool check_pairs(const struct plan *plan, struct span *span)
{
    const struct problem *problem = plan->problem;
    size_t open = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (size_t s = problem->buffer[b].first; s < problem->buffer[b].end; s++)
            span[s] = (struct span){problem->segment[s].lower, problem->segment[s].upper, b};
    qsort(span, problem->segments, sizeof *span, compare_spans);
    for (size_t s = 0; s < problem->segments; s++) {
        struct span begun = span[s];
        size_t kept = 0;
        for (size_t i = 0; i < open; i++) {
            if (span[i].upper <= begun.lower)
                continue;
            span[kept++] = span[i];
            NEED(check_pair(plan, span[i].buffer, begun.buffer));
        }
        assert(kept <= s);
        span[kept++] = begun;
        open = kept;
    }
    for (size_t p = 0; p < problem->pairs; p++)
        NEED(check_pair(plan, (uint32_t)(problem->pair[p] >> 32), (uint32_t)problem->pair[p]));
    return true;
}

bool check_plan(const char *path, const struct problem *problem, int64_t *peak, struct fault *fault)
{
    struct problem rows = {0};
    struct span *span = check_create(problem->segments, sizeof *span, fault);
    struct plan plan = {problem, check_create(problem->buffers, sizeof *plan.offset, fault), fault};
    bool fine = span && plan.offset && check_problem_read(path, true, &rows, fault);
    if (fine) {
        fault->line = 0;
        fine = take_offsets(&plan, &rows, peak) && check_pairs(&plan, span);
    }
    check_problem_free(&rows);
    free(span);
    free(plan.offset);
    return fine;
}
