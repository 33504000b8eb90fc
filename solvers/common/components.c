#include "solvers/common/components.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "planning/arena/fit.h"
#include "planning/problem/copy.h"
#include "planning/problem/unit.h"
#include "planning/verify/problem/plan.h"

struct builder {
    const struct problem *problem;
    struct components *components;
    uint64_t bound_bytes, unit_bytes;
    uint64_t *near_bytes; /* [buffers] sum of its conflicting buffers that do not wait */
    uint32_t *near_count; /* [buffers] how many these are */
    bool *is_done;        /* [buffers] it waits, or its component has been collected */
    uint32_t *pending;    /* [buffers] to be looked at (again) */
    bool *is_pending;     /* [buffers] */
    uint32_t pending_count;
};

static void add_pending(struct builder *builder, uint32_t buffer)
{
    assert(buffer < builder->problem->buffers);
    if (builder->is_done[buffer] || builder->is_pending[buffer])
        return;
    builder->is_pending[buffer] = true;
    assert(builder->pending_count < builder->problem->buffers);
    builder->pending[builder->pending_count++] = buffer;
}

static bool can_wait(const struct builder *builder, uint32_t buffer)
{
    assert(builder->problem->size[buffer] % builder->unit_bytes == 0);
    const struct problem *problem = builder->problem;
    uint64_t near = builder->near_bytes[buffer];
    assert(!builder->is_done[buffer] && builder->unit_bytes > 0);
    if (problem_fixed_offset(problem, buffer) != PROBLEM_FREE || near >= builder->bound_bytes)
        return false;
    assert(near % builder->unit_bytes == 0);
    uint64_t free_units = (builder->bound_bytes - near) / builder->unit_bytes;
    uint64_t size_units = problem->size[buffer] / builder->unit_bytes;
    uint64_t alignment = problem_alignment(problem, buffer);
    uint64_t align_units =
        builder->unit_bytes % alignment == 0 ? 1 : (alignment - 2) / builder->unit_bytes + 2;
    assert(size_units + align_units >= 2);
    uint64_t lost_units;
    return checked_multiply(builder->near_count[buffer] + (uint64_t)1, size_units + align_units - 2,
                            &lost_units) &&
           free_units > lost_units;
}

static void take_all_away(struct builder *builder)
{
    const struct problem *problem = builder->problem;
    struct components *components = builder->components;
    const struct conflicts *conflicts = components->conflicts;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        builder->near_count[b] = (uint32_t)(conflicts->first[b + 1] - conflicts->first[b]);
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            builder->near_bytes[b] += problem->size[conflicts->other[i]];
        add_pending(builder, b);
    }
    while (builder->pending_count) {
        uint32_t buffer = builder->pending[--builder->pending_count];
        assert(builder->is_pending[buffer] && !builder->is_done[buffer]);
        builder->is_pending[buffer] = false;
        if (!can_wait(builder, buffer))
            continue;
        builder->is_done[buffer] = true;
        assert(components->waiting_count < problem->buffers);
        components->waiting[components->waiting_count++] = buffer;
        for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
            uint32_t other = conflicts->other[i];
            assert(builder->near_count[other] > 0);
            assert(builder->near_bytes[other] >= problem->size[buffer]);
            builder->near_bytes[other] -= problem->size[buffer];
            builder->near_count[other]--;
            add_pending(builder, other);
        }
    }
}

/* Collects into kept, component after component, what can be reached from each other over conflicts
   and does not wait. */
static void collect_components(struct builder *builder)
{
    struct components *components = builder->components;
    const struct conflicts *conflicts = components->conflicts;
    uint32_t count = 0, *kept = components->kept;
    for (uint32_t b = 0; b < builder->problem->buffers; b++) {
        if (builder->is_done[b])
            continue;
        uint32_t begin = count;
        kept[count++] = b;
        builder->is_done[b] = true;
        for (uint32_t next = begin; next < count; next++)
            for (uint64_t i = conflicts->first[kept[next]]; i < conflicts->first[kept[next] + 1];
                 i++)
                if (!builder->is_done[conflicts->other[i]]) {
                    builder->is_done[conflicts->other[i]] = true;
                    kept[count++] = conflicts->other[i];
                }
        assert(count <= builder->problem->buffers);
        qsort(kept + begin, count - begin, sizeof *kept, compare_number_items_32);
        components->first[++components->count] = count;
    }
    assert(count + components->waiting_count == builder->problem->buffers);
}

/* Empties the lists of conflicts of all buffers that do not wait: from now on conflicts are only
   used to place those that wait. */
static enum status keep_waiting_lists(struct builder *builder, struct error *error)
{
    const struct components *components = builder->components;
    struct conflicts *conflicts = components->conflicts;
    uint32_t buffers = builder->problem->buffers;
    bool *waits = builder->is_pending; /* no longer needed for what is pending */
    uint64_t kept = 0, begin = 0;
    memset(waits, 0, buffers * sizeof *waits);
    for (uint32_t i = 0; i < components->waiting_count; i++)
        waits[components->waiting[i]] = true;
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t end = conflicts->first[b + 1], count = waits[b] ? end - begin : 0;
        assert(begin <= end && kept <= begin);
        memmove(conflicts->other + kept, conflicts->other + begin,
                count * sizeof *conflicts->other);
        kept += count;
        conflicts->first[b + 1] = kept;
        begin = end;
    }
    uint32_t *other = memory_resize(conflicts->other, kept * sizeof *other);
    if (!other)
        return error_no_memory(error);
    conflicts->other = other;
    return STATUS_OK;
}

enum status components_create(const struct problem *problem, uint64_t bound_bytes,
                              struct components *components, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct builder builder = {.problem = problem,
                              .components = components,
                              .bound_bytes = bound_bytes,
                              .unit_bytes = problem_unit_bytes(problem)};
    uint32_t buffers = problem->buffers;
    *components = (struct components){.problem = problem};
    struct scratch *memory = &components->memory;
    TRY(conflicts_create(problem, &components->conflicts, error));
    TRY(scratch_take(memory, &components->first, buffers + (size_t)1, sizeof(uint32_t), error));
    TRY(scratch_take_all(memory, buffers, error, &components->kept, &components->waiting));
    TRY(scratch_take_all(&scratch, buffers, error, &builder.near_bytes, &builder.near_count,
                         &builder.is_done, &builder.pending, &builder.is_pending));
    take_all_away(&builder);
    collect_components(&builder);
    return keep_waiting_lists(&builder, error);
}

void components_clear(struct components *components)
{
    scratch_free(&components->memory);
    conflicts_free(components->conflicts);
    *components = (struct components){0};
}

/* The component's buffers. *count is set to their number. */
static const uint32_t *get_buffers(const struct components *components, uint32_t component,
                                   uint32_t *count)
{
    const uint32_t *first = &components->first[component];
    assert(component < components->count && first[0] < first[1]);
    *count = first[1] - first[0];
    return components->kept + first[0];
}

enum status components_solve(const struct components *components, uint32_t component,
                             components_visit *visit, void *context, struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    uint32_t count;
    const uint32_t *buffer = get_buffers(components, component, &count);
    TRY(problem_copy_part(components->problem, "component", buffer, count, &problem, error));
    return visit(context, component, problem, error);
}

uint64_t components_peak_bytes(const struct components *components, uint32_t component,
                               const struct plan *whole)
{
    uint32_t count;
    const uint32_t *buffer = get_buffers(components, component, &count);
    uint64_t peak_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(whole->offset[buffer[i]] != PROBLEM_FREE);
        uint64_t end = whole->offset[buffer[i]] + components->problem->size[buffer[i]];
        peak_bytes = end > peak_bytes ? end : peak_bytes;
    }
    return peak_bytes;
}

void components_take(const struct components *components, uint32_t component,
                     const struct plan *whole, uint64_t *offset)
{
    assert(whole->buffers == components->problem->buffers);
    uint32_t count;
    const uint32_t *buffer = get_buffers(components, component, &count);
    for (uint32_t i = 0; i < count; i++)
        offset[i] = whole->offset[buffer[i]];
}

void components_put(const struct components *components, uint32_t component, const uint64_t *offset,
                    uint64_t unit_bytes, struct plan *whole)
{
    assert(whole->buffers == components->problem->buffers && unit_bytes > 0);
    uint32_t count;
    const uint32_t *buffer = get_buffers(components, component, &count);
    for (uint32_t i = 0; i < count; i++)
        whole->offset[buffer[i]] = offset[i] * unit_bytes;
}

enum status components_finish(const struct components *components, struct plan *whole,
                              struct error *error)
{
    const struct problem *problem = components->problem;
    const struct fit *fit = fit_find("first");
    SCOPED(memory_release) struct interval *taken = NULL;
    assert(whole->buffers == problem->buffers && components->waiting_count <= problem->buffers);
    TRY(memory_create(&taken, fit_most_taken(problem, components->conflicts), sizeof *taken,
                      error));
    const struct fit_neighbours neighbours = {problem, components->conflicts, taken};
    for (uint32_t i = 0; i < components->waiting_count; i++)
        whole->offset[components->waiting[i]] = PROBLEM_FREE;
    for (uint32_t i = components->waiting_count; i-- > 0;)
        TRY(fit_place(fit, &neighbours, components->waiting[i], whole, error));
    return plan_set_peak(whole, problem, error);
}

enum status components_find_start(const struct planner_task *task, const struct plan **start,
                                  struct error *error)
{
    struct verdict verdict;
    *start = NULL;
    if (!task->start || !plan_found(task->start))
        return STATUS_OK;
    TRY(verify_plan(task->problem, task->start, &verdict, error));
    if (verdict.fault == VERIFY_VALID)
        *start = task->start;
    return STATUS_OK;
}
