#include "solvers/window/draft.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/memory.h"

/* Between two checkpoints at least this number of segments starts, and at least as many as the
   second one lists. So all lists together have no more entries than there are segments. */
enum { FEWEST_STARTS = 64 };

static uint32_t get_lower(const struct live_index *index, uint32_t position)
{
    return index->problem->lower[index->timeline.by_lower[position]];
}

enum status live_index_create(const struct problem *problem, struct live_index **created,
                              struct error *error)
{
    SCOPED(live_index_release) struct live_index *index = NULL;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct live_set live;
    size_t segments = problem->segments, most = segments / FEWEST_STARTS + 1;
    uint32_t since = 0; /* starts since the last checkpoint */
    TRY(memory_create(&index, 1, sizeof *index, error));
    index->problem = problem;
    const struct timeline *timeline = &index->timeline;
    TRY(timeline_create(problem, &index->timeline, error));
    TRY(scratch_take(&index->memory, &index->position, most, sizeof *index->position, error));
    TRY(scratch_take(&index->memory, &index->first, most + 1, sizeof *index->first, error));
    TRY(scratch_take_all(&index->memory, segments, error, &index->live, &index->found));
    TRY(live_set_create(&live, problem->segments, &scratch, error));
    for (uint32_t i = 0, ended = 0; i < segments; i++, since++) {
        for (; problem->upper[timeline->by_upper[ended]] <= get_lower(index, i); ended++)
            live_set_remove(&live, timeline->by_upper[ended]);
        assert(ended <= i && live.count == i - ended);
        if (since >= FEWEST_STARTS && since >= live.count) {
            uint64_t first = index->first[index->checkpoints];
            assert(first + live.count <= segments);
            for (uint32_t k = 0; k < live.count; k++)
                index->live[first + k] = live.item[k];
            index->position[index->checkpoints++] = i;
            index->first[index->checkpoints] = first + live.count;
            since = 0;
        }
        live_set_insert(&live, timeline->by_lower[i]);
    }
    assert(index->checkpoints < most);
    HAND_OVER(index, created);
}

void live_index_free(struct live_index *index)
{
    if (!index)
        return;
    timeline_free(&index->timeline);
    scratch_free(&index->memory);
    memory_free(index);
}

uint32_t live_index_find(struct live_index *index, uint32_t begin, uint32_t end)
{
    assert(begin < end);
    const struct problem *problem = index->problem;
    uint32_t count = 0, position = 0;
    uint32_t after =
        BINARY_SEARCH(at, 0, index->checkpoints, get_lower(index, index->position[at]) > begin);
    if (after) {
        position = index->position[after - 1];
        for (uint64_t i = index->first[after - 1]; i < index->first[after]; i++)
            if (problem->upper[index->live[i]] > begin)
                index->found[count++] = index->live[i];
    }
    for (; position < problem->segments && get_lower(index, position) < end; position++)
        if (problem->upper[index->timeline.by_lower[position]] > begin)
            index->found[count++] = index->timeline.by_lower[position];
    return count;
}

static uint64_t get_width(const struct problem *problem, uint32_t segment)
{
    assert(segment < problem->segments);
    return problem_window_upper(problem, segment) - problem_window_lower(problem, segment);
}

enum status draft_create(const struct problem *problem, struct draft **created, struct error *error)
{
    SCOPED(draft_release) struct draft *draft = NULL;
    uint32_t buffers = problem->buffers, segments = problem->segments;
    TRY(memory_create(&draft, 1, sizeof *draft, error));
    struct scratch *memory = &draft->memory;
    draft->problem = problem;
    TRY(live_index_create(problem, &draft->index, error));
    TRY(scratch_take_all(memory, buffers, error, &draft->offset, &draft->area));
    TRY(scratch_take(memory, &draft->load, segments, sizeof *draft->load, error));
    TRY(heap_reserve(&draft->unplaced, buffers, error));
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t steps = 0;
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            steps += problem->upper[s] - problem->lower[s];
        if (!checked_multiply(problem->size[b], steps, &draft->area[b]))
            draft->area[b] = UINT64_MAX;
    }
    const struct timeline *timeline = &draft->index->timeline;
    uint64_t load = 0;
    for (uint32_t i = 0, ended = 0; i < segments; i++) {
        uint32_t begun = timeline->by_lower[i];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[begun]; ended++)
            load -= get_width(problem, timeline->by_upper[ended]);
        load += get_width(problem, begun);
        assert(load >= get_width(problem, begun) && ended <= i);
        draft->load[i] = load;
    }
    draft_clear(draft, UINT64_MAX);
    HAND_OVER(draft, created);
}

void draft_free(struct draft *draft)
{
    if (!draft)
        return;
    live_index_free(draft->index);
    scratch_free(&draft->memory);
    heap_free(&draft->unplaced);
    memory_free(draft);
}

void draft_clear(struct draft *draft, uint64_t capacity_bytes)
{
    assert(capacity_bytes > 0);
    draft->capacity_bytes = capacity_bytes;
    draft->unplaced.count = 0;
    for (uint32_t b = 0; b < draft->problem->buffers; b++)
        draft->offset[b] = problem_fixed_offset(draft->problem, b);
}

enum status draft_wait(struct draft *draft, uint32_t buffer, struct error *error)
{
    assert(problem_fixed_offset(draft->problem, buffer) == PROBLEM_FREE);
    assert(draft->unplaced.count < draft->problem->buffers);
    draft->offset[buffer] = PROBLEM_FREE;
    return heap_push(&draft->unplaced, ~draft->area[buffer], buffer, error);
}

uint32_t draft_next(struct draft *draft)
{
    assert(draft->unplaced.count > 0);
    assert(draft->offset[draft->unplaced.item[0].value] == PROBLEM_FREE);
    return heap_pop(&draft->unplaced).value;
}
