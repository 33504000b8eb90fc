#include "solvers/window/live_index.h"

#include <assert.h>

#include "core/memory.h"

/* Before each checkpoint, since the one before it, at least so many segments have started, and at
   least as many as it lists. So all lists together have no more entries than there are segments. */
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
    TRY(memory_create(&index->position, segments / FEWEST_STARTS + 1, sizeof *index->position,
                      error));
    TRY(memory_create(&index->first, segments / FEWEST_STARTS + 2, sizeof *index->first, error));
    TRY(memory_create(&index->live, segments, sizeof *index->live, error));
    return memory_create(&index->found, segments, sizeof *index->found, error);
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
    memory_free(index->position);
    memory_free(index->first);
    memory_free(index->live);
    memory_free(index->found);
    memory_free(index);
}

/* The index of the last checkpoint whose step is not after the given one, or the number of
   checkpoints where all are after it. */
static uint32_t find_checkpoint(const struct live_index *index, uint32_t step)
{
    uint32_t begin = 0, end = index->checkpoints;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (get_lower(index, index->position[middle]) <= step)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin ? begin - 1 : index->checkpoints;
}

uint32_t live_index_find(struct live_index *index, uint32_t begin, uint32_t end)
{
    assert(begin < end);
    const struct problem *problem = index->problem;
    uint32_t count = 0, position = 0, checkpoint = find_checkpoint(index, begin);
    if (checkpoint < index->checkpoints) {
        position = index->position[checkpoint];
        for (uint64_t i = index->first[checkpoint]; i < index->first[checkpoint + 1]; i++)
            if (problem->upper[index->live[i]] > begin)
                index->found[count++] = index->live[i];
    }
    for (; position < problem->segments && get_lower(index, position) < end; position++)
        if (problem->upper[index->timeline.by_lower[position]] > begin)
            index->found[count++] = index->timeline.by_lower[position];
    return count;
}
