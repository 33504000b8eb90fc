#include "solvers/exact/race/handover.h"

#include <assert.h>

#include "solvers/exact/race/raise.h"

/* A conclusion for a greater capacity, which has more slack, holds for all capacities up to that
   one, so that a proof covers more. The rule therefore reckons with a capacity that is greater by
   this part of itself. */
enum { CAPACITY_PER_SLACK = 1024 };

/* The section on one side of a border, and the buffers that are live there and not on the other
   side. */
struct side {
    uint64_t floor, slack;
    const uint32_t *buffer; /* [count] */
    uint32_t count;
};

/* What the buffers of a side can cover of begin .. end - 1. */
struct cover {
    uint64_t bytes;
    uint64_t growing; /* by how many bytes more for each byte that the end goes up */
    uint64_t next;    /* from this end on another buffer reaches in, too */
};

static struct cover find_cover(const struct exact_state *state, const struct side *side,
                               uint64_t begin, uint64_t end)
{
    struct cover cover = {.next = UINT64_MAX};
    assert(begin < end);
    for (uint32_t i = 0; i < side->count && cover.bytes < end - begin; i++) {
        uint32_t buffer = side->buffer[i];
        uint64_t lowest = state->lowest[buffer], size = state->model->size[buffer];
        assert(buffer < state->model->buffers && size > 0);
        if (state->placed[buffer])
            continue;
        if (lowest >= end) {
            cover.next = lowest < cover.next ? lowest : cover.next;
            continue;
        }
        uint64_t most = end - (lowest > begin ? lowest : begin);
        cover.growing += most < size;
        cover.bytes += most < size ? most : size;
    }
    return cover;
}

/* The least offset from `offset` on at which the side can take over the buffer's bytes, UINT64_MAX
   for none. Bytes below the floor are not asked for: nobody has them for certain, or a placed
   buffer. */
static uint64_t find_offset(const struct exact_state *state, const struct side *side,
                            uint64_t offset, uint64_t size)
{
    for (;;) {
        uint64_t begin = offset > side->floor ? offset : side->floor, end = offset + size;
        if (end <= begin || end - begin <= side->slack)
            return offset;
        struct cover cover = find_cover(state, side, begin, end);
        assert(cover.bytes <= UINT64_MAX - side->slack);
        uint64_t covered = cover.bytes + side->slack;
        if (covered >= end - begin)
            return offset;
        if (offset < side->floor) {
            offset = side->floor;
            continue;
        }
        if (!cover.growing && cover.next == UINT64_MAX)
            return UINT64_MAX;
        uint64_t to_next = cover.next - end + 1, step = to_next;
        if (cover.growing)
            step = (end - begin - covered + cover.growing - 1) / cover.growing;
        assert(step > 0 && to_next > 0);
        offset += step < to_next ? step : to_next;
    }
}

/* Raises those of the other side that this side cannot take over where they are. */
static bool raise_other(struct exact_state *state, uint64_t capacity, const struct side *side,
                        const struct side *other)
{
    for (uint32_t i = 0; i < other->count; i++) {
        uint32_t buffer = other->buffer[i];
        uint64_t size = state->model->size[buffer], lowest = state->lowest[buffer];
        if (size <= side->slack)
            return true;
        if (state->placed[buffer])
            continue;
        uint64_t offset = find_offset(state, side, lowest, size);
        if (offset == lowest)
            continue;
        exact_state_lower_next_capacity(state, capacity + 1);
        if (offset == UINT64_MAX) {
            state->experience->counter[SEARCH_FAILED_HANDOVER]++;
            return false;
        }
        state->experience->counter[SEARCH_RAISED_HANDOVER]++;
        if (!exact_raise(state, buffer, offset))
            return false;
    }
    return true;
}

/* Looks at the borders before the sections of a batch, and at the one behind it. A section with
   nothing left has no floor, and nothing to take over. */
static bool look_at_batch(struct exact_state *state, uint64_t capacity, uint32_t batch)
{
    const struct exact_batches *batches = &state->batches;
    const struct exact_borders *borders = &batches->grid->borders;
    const uint64_t *floor = state->floor, *left = state->compared;
    assert(batch < batches->grid->batches);
    uint32_t lanes = batches->grid->lanes, sections = state->model->sections;
    uint32_t first = batch ? batch * lanes : 1;
    uint32_t last = (batch + 1) * lanes < sections ? (batch + 1) * lanes : sections - 1;
    if (first > last)
        return true;
    exact_batches_read(batches, EXACT_FLOOR, first - 1, last + 1, state->floor);
    exact_batches_read(batches, EXACT_BYTES_LEFT, first - 1, last + 1, state->compared);
    for (uint32_t border = first; border <= last; border++) {
        uint32_t end = borders->first_end[border], begin = borders->first_begin[border];
        struct side side[2] = {
            {.buffer = borders->ending + end, .count = borders->first_end[border + 1] - end},
            {.buffer = borders->beginning + begin,
             .count = borders->first_begin[border + 1] - begin}};
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t s = border - 1 + i;
            if (floor[s] == UINT64_MAX)
                continue;
            assert(floor[s] + left[s] <= state->capacity && state->capacity <= capacity);
            side[i].floor = floor[s];
            side[i].slack = capacity - floor[s] - left[s];
            if (!raise_other(state, capacity, &side[i], &side[1 - i]))
                return false;
        }
    }
    return true;
}

bool exact_handover_refresh(struct exact_state *state)
{
    struct exact_batches *batches = &state->batches;
    assert(!batches->touched_count);
    if (!(state->rules & EXACT_RULE_HANDOVER) || !state->model->whole)
        return true;
    uint64_t capacity = state->capacity + state->capacity / CAPACITY_PER_SLACK;
    assert(state->next_capacity > state->capacity);
    if (capacity >= state->next_capacity)
        capacity = state->next_capacity - 1;
    for (uint32_t b = 0; b < batches->grid->batches; b++) {
        bool is_changed = batches->is_changed[b];
        batches->is_changed[b] = false;
        if (is_changed && !look_at_batch(state, capacity, b))
            return false;
    }
    return true;
}
