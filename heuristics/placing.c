#include "heuristics/placing.h"

#include <stdlib.h>

#include "core/memory.h"

struct placing {
    const struct problem *problem;
    struct conflicts *conflicts;
    uint64_t *offset;       /* of a plan that is made step by step */
    struct interval *taken; /* [most conflicts of one buffer] */
};

static enum status fill_placing(struct placing *placing, struct error *error)
{
    TRY(conflicts_create(placing->problem, &placing->conflicts, error));
    return memory_create(&placing->taken, fit_most_taken(placing->problem, placing->conflicts),
                         sizeof *placing->taken, error);
}

enum status placing_create(const struct problem *problem, struct placing **created,
                           struct error *error)
{
    struct placing *placing;
    TRY(memory_create(&placing, 1, sizeof *placing, error));
    placing->problem = problem;
    enum status status = fill_placing(placing, error);
    if (status)
        placing_free(placing);
    else
        *created = placing;
    return status;
}

void placing_free(struct placing *placing)
{
    if (!placing)
        return;
    conflicts_free(placing->conflicts);
    memory_free(placing->taken);
    memory_free(placing);
}

void placing_set_fixed(const struct problem *problem, uint64_t *offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem->fixed_offset[b];
}

enum status placing_run(struct placing *placing, const struct fit *fit, const uint32_t *sorted,
                        uint64_t most_bytes, uint64_t *offset, uint64_t *peak_bytes,
                        struct error *error)
{
    const struct problem *problem = placing->problem;
    struct plan plan = {.buffers = problem->buffers, .offset = offset};
    placing_set_fixed(problem, offset);
    *peak_bytes = problem_fixed_end(problem);
    for (uint32_t i = 0; i < problem->buffers && *peak_bytes <= most_bytes; i++) {
        uint32_t b = sorted[i];
        if (offset[b] != PROBLEM_FREE)
            continue;
        TRY(fit_place(fit, problem, placing->conflicts, b, placing->taken, &plan, error));
        if (offset[b] + problem->size[b] > *peak_bytes)
            *peak_bytes = offset[b] + problem->size[b];
    }
    if (*peak_bytes > most_bytes)
        *peak_bytes = UINT64_MAX;
    return STATUS_OK;
}

enum status placing_begin(struct placing *placing, uint64_t *offset, struct error *error)
{
    (void)error;
    placing->offset = offset;
    placing_set_fixed(placing->problem, offset);
    return STATUS_OK;
}

enum status placing_take(struct placing *placing, uint32_t buffer, uint64_t offset,
                         struct error *error)
{
    (void)error;
    placing->offset[buffer] = offset;
    return STATUS_OK;
}

static int compare_intervals(const void *left, const void *right)
{
    const struct interval *a = left, *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

void placing_visit_gaps(struct placing *placing, uint32_t buffer, placing_visit *visit,
                        void *context)
{
    const struct conflicts *conflicts = placing->conflicts;
    uint32_t count = 0;
    uint64_t free_from = 0;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint64_t begin = placing->offset[conflicts->other[i]];
        if (begin != PROBLEM_FREE)
            placing->taken[count++] =
                (struct interval){begin, begin + placing->problem->size[conflicts->other[i]]};
    }
    qsort(placing->taken, count, sizeof *placing->taken, compare_intervals);
    for (uint32_t i = 0; i < count; i++) {
        if (placing->taken[i].begin > free_from &&
            !visit(context, free_from, placing->taken[i].begin))
            return;
        if (placing->taken[i].end > free_from)
            free_from = placing->taken[i].end;
    }
    visit(context, free_from, UINT64_MAX);
}
