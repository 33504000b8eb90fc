#include "solvers/common/reduction.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/arena/fit.h"

struct builder {
    const struct problem *problem;
    struct reduction *reduction;
    uint64_t bound, unit;
    uint64_t *near_bytes; /* [buffers] of the conflicting buffers that are kept */
    uint32_t *near_count; /* [buffers] how many */
    bool *waits;          /* [buffers] */
    uint32_t *pending;    /* [buffers] to be looked at (again) */
    bool *is_pending;
    uint32_t pendings;
};

static void add_pending(struct builder *builder, uint32_t buffer)
{
    if (builder->waits[buffer] || builder->is_pending[buffer])
        return;
    builder->is_pending[buffer] = true;
    builder->pending[builder->pendings++] = buffer;
}

static bool can_wait(const struct builder *builder, uint32_t buffer)
{
    const struct problem *problem = builder->problem;
    uint64_t near = builder->near_bytes[buffer];
    if (problem->fixed_offset[buffer] != PROBLEM_FREE || near >= builder->bound)
        return false;
    uint64_t free_units = (builder->bound - near) / builder->unit;
    uint64_t size_units = problem->size[buffer] / builder->unit;
    uint64_t alignment = problem->alignment[buffer];
    uint64_t align_units = builder->unit % alignment == 0 ? 1 : (alignment - 2) / builder->unit + 2;
    uint64_t lost_units;
    return checked_multiply(builder->near_count[buffer] + (uint64_t)1, size_units + align_units - 2,
                            &lost_units) &&
           free_units > lost_units;
}

static void take_away(struct builder *builder, uint32_t buffer)
{
    struct reduction *reduction = builder->reduction;
    const struct conflicts *conflicts = reduction->conflicts;
    builder->waits[buffer] = true;
    reduction->waiting[reduction->removed++] = buffer;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        builder->near_bytes[other] -= builder->problem->size[buffer];
        builder->near_count[other]--;
        add_pending(builder, other);
    }
}

static void take_all_away(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    const struct conflicts *conflicts = builder->reduction->conflicts;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        builder->near_count[b] = (uint32_t)(conflicts->first[b + 1] - conflicts->first[b]);
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            builder->near_bytes[b] += problem->size[conflicts->other[i]];
        add_pending(builder, b);
    }
    while (builder->pendings) {
        uint32_t buffer = builder->pending[--builder->pendings];
        builder->is_pending[buffer] = false;
        if (can_wait(builder, buffer))
            take_away(builder, buffer);
    }
}

/* Appends to kept all that can be reached from the buffer over conflicts. */
static uint32_t collect_component(struct builder *builder, uint32_t buffer, uint32_t count)
{
    struct reduction *reduction = builder->reduction;
    const struct conflicts *conflicts = reduction->conflicts;
    uint32_t next = count;
    reduction->kept[count++] = buffer;
    builder->waits[buffer] = true;
    while (next < count) {
        uint32_t at = reduction->kept[next++];
        for (uint64_t i = conflicts->first[at]; i < conflicts->first[at + 1]; i++)
            if (!builder->waits[conflicts->other[i]]) {
                builder->waits[conflicts->other[i]] = true;
                reduction->kept[count++] = conflicts->other[i];
            }
    }
    return count;
}

static int compare_buffers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void collect_components(struct builder *builder)
{
    struct reduction *reduction = builder->reduction;
    uint32_t count = 0;
    for (uint32_t b = 0; b < builder->problem->buffers; b++) {
        if (builder->waits[b])
            continue;
        uint32_t begin = count;
        count = collect_component(builder, b, count);
        qsort(reduction->kept + begin, count - begin, sizeof *reduction->kept, compare_buffers);
        reduction->first[++reduction->components] = count;
    }
}

static enum status create_arrays(struct builder *builder, struct error *error)
{
    struct reduction *reduction = builder->reduction;
    uint32_t buffers = builder->problem->buffers;
    TRY(memory_create(&reduction->first, (size_t)buffers + 1, sizeof(uint32_t), error));
    TRY(memory_create(&reduction->kept, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&reduction->waiting, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&builder->near_bytes, buffers, sizeof(uint64_t), error));
    TRY(memory_create(&builder->near_count, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&builder->waits, buffers, sizeof(bool), error));
    TRY(memory_create(&builder->pending, buffers, sizeof(uint32_t), error));
    return memory_create(&builder->is_pending, buffers, sizeof(bool), error);
}

enum status reduction_create(const struct problem *problem, uint64_t bound_bytes,
                             uint64_t unit_bytes, struct reduction **created, struct error *error)
{
    struct builder builder = {.problem = problem, .bound = bound_bytes, .unit = unit_bytes};
    enum status status;
    TRY(memory_create(&builder.reduction, 1, sizeof *builder.reduction, error));
    TRY_OR_DONE(status, conflicts_create(problem, &builder.reduction->conflicts, error));
    TRY_OR_DONE(status, create_arrays(&builder, error));
    take_all_away(&builder);
    collect_components(&builder);
    *created = builder.reduction;
done:
    memory_free(builder.near_bytes);
    memory_free(builder.near_count);
    memory_free(builder.waits);
    memory_free(builder.pending);
    memory_free(builder.is_pending);
    if (status)
        reduction_free(builder.reduction);
    return status;
}

void reduction_free(struct reduction *reduction)
{
    if (!reduction)
        return;
    memory_free(reduction->first);
    memory_free(reduction->kept);
    memory_free(reduction->waiting);
    conflicts_free(reduction->conflicts);
    memory_free(reduction);
}

enum status reduction_extract(const struct reduction *reduction, const struct problem *problem,
                              uint32_t component, struct problem **extracted, struct error *error)
{
    enum status status = problem_create(extracted, "component", error);
    if (status)
        return status;
    for (uint32_t i = reduction->first[component]; i < reduction->first[component + 1] && !status;
         i++)
        status = problem_add_copy(*extracted, problem, reduction->kept[i], error);
    if (!status)
        status = problem_finish(*extracted, error);
    if (status)
        problem_free(*extracted);
    return status;
}

enum status reduction_place_waiting(const struct reduction *reduction,
                                    const struct problem *problem, struct plan *plan,
                                    struct error *error)
{
    const struct fit *fit = fit_find("first");
    struct interval *taken;
    enum status status = STATUS_OK;
    TRY(memory_create(&taken, fit_most_taken(problem, reduction->conflicts), sizeof *taken, error));
    for (uint32_t i = 0; i < reduction->removed; i++)
        plan->offset[reduction->waiting[i]] = PROBLEM_FREE;
    for (uint32_t i = reduction->removed; i-- > 0 && !status;)
        status = fit_place(fit, problem, reduction->conflicts, reduction->waiting[i], taken, plan,
                           error);
    memory_free(taken);
    return status;
}
