#include "proofs/checker/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/problem_read.h"

struct plan {
    const struct problem *problem;
    int64_t *offset; /* [buffers] BUFFER_FREE where none was found yet */
    struct fault *fault;
};

static bool take_offsets(struct plan *plan, const struct problem *rows)
{
    for (uint32_t b = 0; b < plan->problem->buffers; b++)
        plan->offset[b] = BUFFER_FREE;
    for (uint32_t r = 0; r < rows->buffers; r++) {
        const struct buffer *row = &rows->buffer[r];
        uint32_t b = check_problem_find(plan->problem, row->name, strlen(row->name));
        if (b == plan->problem->buffers || row->fixed == BUFFER_FREE)
            return UNREADABLE(plan->fault,
                              "found buffer '%.60s', expected one of the problem, with an offset",
                              row->name);
        plan->offset[b] = row->fixed;
    }
    return true;
}

static bool check_pair(const struct plan *plan, uint32_t a, uint32_t b)
{
    int64_t difference = plan->offset[b] - plan->offset[a];
    return a == b || !check_problem_forbids(plan->problem, a, b, difference, difference) ||
           REFUSED(plan->fault,
                   "buffers %" PRIu32 " and %" PRIu32 ", at %" PRId64 " and %" PRId64 ", overlap",
                   a < b ? a : b, a < b ? b : a, plan->offset[a < b ? a : b],
                   plan->offset[a < b ? b : a]);
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

/* Goes through the segments as they begin, beside those that have not ended. */
static bool check_spans(const struct plan *plan, struct span *span)
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
    return true;
}

static bool check_offsets(const struct plan *plan, int64_t *peak)
{
    const struct problem *problem = plan->problem;
    *peak = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        int64_t offset = plan->offset[b];
        if (offset == BUFFER_FREE)
            return UNREADABLE(plan->fault, "found no offset of buffer %" PRIu32, b);
        if (offset % buffer->alignment || (buffer->fixed != BUFFER_FREE && offset != buffer->fixed))
            return REFUSED(plan->fault, "buffer %" PRIu32 " may not lie at %" PRId64, b, offset);
        *peak = offset + buffer->size > *peak ? offset + buffer->size : *peak;
    }
    for (size_t p = 0; p < problem->pairs; p++)
        NEED(check_pair(plan, problem->pair[p].first, problem->pair[p].second));
    return true;
}

bool check_plan(const char *path, const struct problem *problem, int64_t *peak, struct fault *fault)
{
    struct problem rows = {0};
    struct span *span = check_create(problem->segments, sizeof *span, fault);
    struct plan plan = {.problem = problem,
                        .offset = check_create(problem->buffers, sizeof *plan.offset, fault),
                        .fault = fault};
    bool fine = span && plan.offset && check_problem_read(path, true, &rows, fault);
    fault->file = path;
    fault->line = fine ? 0 : fault->line;
    fine = fine && take_offsets(&plan, &rows) && check_offsets(&plan, peak) &&
           check_spans(&plan, span);
    check_problem_free(&rows);
    free(span);
    free(plan.offset);
    return fine;
}
