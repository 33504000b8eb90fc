#include "solvers/window/draft.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/memory.h"

/* Before each checkpoint, since the one before it, at least this number of segments has started,
   and at least as many as it lists. So all lists together have no more entries than there are
   segments. */
enum { FEWEST_STARTS = 64 };

struct builder {
    struct live_index *index;
    struct live_set live;
    uint32_t ended; /* into timeline.by_upper */
    uint32_t since; /* starts since the last checkpoint */
};

static uint32_t get_lower(const struct live_index *index, uint32_t position)
{
    return index->problem->lower[index->timeline.by_lower[position]];
}

static void end_segments(struct builder *builder, uint32_t step)
{
    const struct live_index *index = builder->index;
    const struct timeline *timeline = &index->timeline;
    while (builder->ended < index->problem->segments &&
           index->problem->upper[timeline->by_upper[builder->ended]] <= step)
        live_set_remove(&builder->live, timeline->by_upper[builder->ended++]);
}

static void add_checkpoint(struct builder *builder, uint32_t position)
{
    struct live_index *index = builder->index;
    uint64_t first = index->first[index->checkpoints];
    assert(first + builder->live.count <= index->problem->segments);
    for (uint32_t i = 0; i < builder->live.count; i++)
        index->live[first + i] = builder->live.item[i];
    index->position[index->checkpoints++] = position;
    index->first[index->checkpoints] = first + builder->live.count;
    builder->since = 0;
}

static void add_checkpoints(struct builder *builder)
{
    struct live_index *index = builder->index;
    for (uint32_t i = 0; i < index->problem->segments; i++, builder->since++) {
        end_segments(builder, get_lower(index, i));
        if (builder->since >= FEWEST_STARTS && builder->since >= builder->live.count)
            add_checkpoint(builder, i);
        live_set_insert(&builder->live, index->timeline.by_lower[i]);
    }
}

static enum status create_arrays(struct live_index *index, struct error *error)
{
    size_t segments = index->problem->segments;
    TRY(timeline_create(index->problem, &index->timeline, error));
    TRY(scratch_take(&index->memory, &index->position, segments / FEWEST_STARTS + 1,
                     sizeof *index->position, error));
    TRY(scratch_take(&index->memory, &index->first, segments / FEWEST_STARTS + 2,
                     sizeof *index->first, error));
    TRY(scratch_take(&index->memory, &index->live, segments, sizeof *index->live, error));
    return scratch_take(&index->memory, &index->found, segments, sizeof *index->found, error);
}

enum status live_index_create(const struct problem *problem, struct live_index **created,
                              struct error *error)
{
    struct builder builder = {.index = NULL};
    struct scratch scratch = {0};
    enum status status;
    TRY(memory_create(&builder.index, 1, sizeof *builder.index, error));
    builder.index->problem = problem;
    TRY_OR_DONE(status, create_arrays(builder.index, error));
    TRY_OR_DONE(status, live_set_create(&builder.live, problem->segments, &scratch, error));
    add_checkpoints(&builder);
    *created = builder.index;
done:
    scratch_free(&scratch);
    if (status)
        live_index_free(builder.index);
    return status;
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

enum status draft_create(const struct problem *problem, struct draft **created, struct error *error)
{
    struct draft *draft;
    enum status status;
    TRY(memory_create(&draft, 1, sizeof *draft, error));
    draft->problem = problem;
    TRY_OR_DONE(status, live_index_create(problem, &draft->index, error));
    TRY_OR_DONE(status, scratch_take(&draft->memory, &draft->offset, problem->buffers,
                                     sizeof *draft->offset, error));
    TRY_OR_DONE(status, scratch_take(&draft->memory, &draft->area, problem->buffers,
                                     sizeof *draft->area, error));
    TRY_OR_DONE(status, scratch_take(&draft->memory, &draft->load, problem->segments,
                                     sizeof *draft->load, error));
    TRY_OR_DONE(status, heap_reserve(&draft->unplaced, problem->buffers, error));
    find_areas(draft);
    find_loads(draft);
    draft_clear(draft, UINT64_MAX);
    *created = draft;
done:
    if (status)
        draft_free(draft);
    return status;
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
