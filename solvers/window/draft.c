#include "solvers/window/draft.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

static void find_areas(struct draft *draft)
{
    const struct problem *problem = draft->problem;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t steps = 0;
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            steps += problem->upper[s] - problem->lower[s];
        if (!checked_multiply(problem->size[b], steps, &draft->area[b]))
            draft->area[b] = UINT64_MAX;
    }
}

static uint64_t get_width(const struct problem *problem, uint32_t segment)
{
    return problem_window_upper(problem, segment) - problem_window_lower(problem, segment);
}

static void find_loads(struct draft *draft)
{
    const struct problem *problem = draft->problem;
    const struct timeline *timeline = &draft->index->timeline;
    uint64_t load = 0;
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t begun = timeline->by_lower[i];
        while (problem->upper[timeline->by_upper[ended]] <= problem->lower[begun])
            load -= get_width(problem, timeline->by_upper[ended++]);
        load += get_width(problem, begun);
        draft->load[i] = load;
    }
}

static enum status create_arrays(struct draft *draft, struct error *error)
{
    const struct problem *problem = draft->problem;
    TRY(live_index_create(problem, &draft->index, error));
    TRY(memory_create(&draft->offset, problem->buffers, sizeof *draft->offset, error));
    TRY(memory_create(&draft->area, problem->buffers, sizeof *draft->area, error));
    TRY(memory_create(&draft->load, problem->segments, sizeof *draft->load, error));
    return heap_reserve(&draft->unplaced, problem->buffers, error);
}

enum status draft_create(const struct problem *problem, struct draft **created, struct error *error)
{
    struct draft *draft;
    TRY(memory_create(&draft, 1, sizeof *draft, error));
    draft->problem = problem;
    enum status status = create_arrays(draft, error);
    if (status) {
        draft_free(draft);
        return status;
    }
    find_areas(draft);
    find_loads(draft);
    draft_clear(draft, UINT64_MAX);
    *created = draft;
    return STATUS_OK;
}

void draft_free(struct draft *draft)
{
    if (!draft)
        return;
    live_index_free(draft->index);
    memory_free(draft->offset);
    memory_free(draft->area);
    memory_free(draft->load);
    heap_free(&draft->unplaced);
    memory_free(draft);
}

void draft_clear(struct draft *draft, uint64_t capacity_bytes)
{
    draft->capacity_bytes = capacity_bytes;
    draft->unplaced.count = 0;
    for (uint32_t b = 0; b < draft->problem->buffers; b++)
        draft->offset[b] = problem_fixed_offset(draft->problem, b);
}

enum status draft_wait(struct draft *draft, uint32_t buffer, struct error *error)
{
    assert(problem_fixed_offset(draft->problem, buffer) == PROBLEM_FREE);
    draft->offset[buffer] = PROBLEM_FREE;
    return heap_push(&draft->unplaced, ~draft->area[buffer], buffer, error);
}

uint32_t draft_next(struct draft *draft)
{
    assert(draft->unplaced.count > 0);
    return heap_pop(&draft->unplaced).value;
}
