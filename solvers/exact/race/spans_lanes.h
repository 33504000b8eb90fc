/* A pass over a batch of sections, for one width of number: spans.c includes this once for each
   width, with LANE and NAME() as lanes.h says. A mask is a vector that is -1 where it holds and 0
   elsewhere. */

#include "solvers/exact/race/lanes.h"

/* A pass over the entries that are left in a batch, in the order of their releases: the release of
   an entry is the lowest address at which its bytes can begin. */
struct NAME(pass) {
    struct exact_state *state;
    uint32_t batch;
    uint32_t *order;
    LANE *release;
    uint32_t left;
    LANE capacity;
    NAME(vector) highest; /* for each section the highest release that its lowest entry can have */
    bool again; /* another entry of the batch was raised, so it has to be looked at again */
};

/* a where the mask holds, b elsewhere. */
#define CHOOSE(mask, a, b) (((a) & (mask)) | ((b) & ~(mask)))

INLINE bool NAME(is_any)(const NAME(vector) * mask)
{
    typedef uint64_t words __attribute__((vector_size(EXACT_BATCH_BYTES), may_alias));
    const words *word = (const words *)mask;
    return (*word)[0] | (*word)[1] | (*word)[2] | (*word)[3];
}

INLINE uint32_t NAME(find_most)(const NAME(vector) * numbers)
{
    uint32_t most = 0;
    for (uint32_t l = 1; l < LANES; l++)
        most = (*numbers)[l] > (*numbers)[most] ? l : most;
    return most;
}

INLINE LANE NAME(find_least)(const NAME(vector) * numbers)
{
    LANE least = (*numbers)[0];
    for (uint32_t l = 1; l < LANES; l++)
        least = (*numbers)[l] < least ? (*numbers)[l] : least;
    return least;
}

/* The lowest address at which the entry's bytes can begin. All addresses above the capacity count
   as the first of them, so that they fit the narrow numbers. */
INLINE LANE NAME(find_release)(const struct exact_state *state, const struct exact_entry *entry)
{
    uint64_t release = state->lowest[entry->buffer] + entry->lower;
    return (LANE)(release > state->capacity ? state->capacity + 1 : release);
}

/* Sorts the entries by release, by insertion, since they were in order before a few were raised. */
static void NAME(sort)(const struct NAME(pass) * pass)
{
    const struct exact_entry *entries = pass->state->batches.grid->entry;
    uint32_t *order = pass->order;
    LANE *release = pass->release, last = 0;
    for (uint32_t i = 0; i < pass->left; i++) {
        uint32_t entry = order[i], at = i;
        LANE key = NAME(find_release)(pass->state, &entries[entry]);
        if (last <= key) {
            last = release[i] = key;
            continue;
        }
        for (; at && release[at - 1] > key; at--) {
            release[at] = release[at - 1];
            order[at] = order[at - 1];
        }
        release[at] = key;
        order[at] = entry;
    }
}

/* The least capacity at which an entry of this release can be the lowest in the section of the
   lane. Conclusions from the fact that it is too high hold only below this capacity. */
INLINE uint64_t NAME(find_next_capacity)(const struct NAME(pass) * pass, LANE release,
                                         uint32_t lane)
{
    return (uint64_t)(pass->capacity - pass->highest[lane] + release);
}

/* Refuses the node because of the section of the lane, whose refusal holds for all capacities below
   the span. */
static bool NAME(refuse)(const struct NAME(pass) * pass, uint32_t lane, uint64_t span)
{
    struct exact_state *state = pass->state;
    uint32_t section = pass->batch * LANES + lane;
    state->experience->counter[SEARCH_FAILED_SPAN]++;
    assert(span > state->capacity && section < state->model->sections);
    exact_state_lower_next_capacity(state, span);
    add_weight(state, section);
    state->batches.refused_last = pass->batch;
    return false;
}

/* Raises the buffer of an entry: in the sections where it cannot be the lowest it lies above the
   least end of the entries that can. *end has this least end for these sections, MOST where no
   entry can be the lowest, and 0 for all other sections. */
static bool NAME(raise)(struct NAME(pass) * pass, uint32_t index, const NAME(vector) * end)
{
    assert(index < pass->left);
    struct exact_state *state = pass->state;
    const struct exact_model *model = state->model;
    const uint32_t *rectangles = state->batches.grid->rectangles->first;
    const struct exact_entry *entry = &state->batches.grid->entry[pass->order[index]];
    uint32_t lane = NAME(find_most)(end), buffer = entry->buffer;
    LANE release = pass->release[index];
    if ((*end)[lane] == MOST)
        return NAME(refuse)(pass, lane, NAME(find_next_capacity)(pass, release, lane));
    exact_state_lower_next_capacity(state, NAME(find_next_capacity)(pass, release, lane));
    state->experience->counter[SEARCH_RAISED_FIRST]++;
    pass->again |=
        model->after[buffer] != EXACT_NONE || rectangles[buffer + 1] - rectangles[buffer] > 1;
    if (!exact_raise(state, buffer, (uint64_t)(*end)[lane] - entry->lower))
        return false;

    /* The entry moves up in the order. */
    uint32_t moved = pass->order[index], at = index;
    LANE key = NAME(find_release)(state, entry);
    for (; at + 1 < pass->left && pass->release[at + 1] < key; at++) {
        pass->release[at] = pass->release[at + 1];
        pass->order[at] = pass->order[at + 1];
    }
    pass->release[at] = key;
    pass->order[at] = moved;
    return true;
}

/* Goes through the entries by release and puts each, in its sections, on top of those before it.
   When it comes to an entry that is too high to be the lowest, it has seen all that can be. */
CLONES static bool NAME(walk)(struct NAME(pass) * pass, struct NAME(batch) * found)
{
    const struct exact_batches *batches = &pass->state->batches;
    const NAME(vector) none = {0}, highest = pass->highest;
    NAME(vector) floor = none + MOST, span = none, candidates = none, least_end = none + MOST;
    LANE all_until = pass->state->rules & EXACT_RULE_FIRST ? NAME(find_least)(&highest) : MOST;
    for (uint32_t i = 0; i < pass->left;) {
        const struct exact_entry *entry = &batches->grid->entry[pass->order[i]];
        assert(!i || pass->release[i - 1] <= pass->release[i]);
        NAME(vector) inside = *NAME(find_inside)(batches, pass->order[i]);
        NAME(vector) release = none + pass->release[i], end = release + (LANE)entry->width;
        NAME(vector) low = inside & (release <= highest);
        if (pass->release[i] > all_until) {
            NAME(vector) above = inside & ~low & (least_end > release), rise = above & least_end;
            if (NAME(is_any)(&above)) {
                if (!NAME(raise)(pass, i, &rise))
                    return false;
                continue;
            }
        }
        NAME(vector) offset = release - (LANE)entry->lower, lower = inside & (offset < floor);
        NAME(vector) begin = CHOOSE(span > release, span, release);
        NAME(vector) sooner = low & (end < least_end);
        span = CHOOSE(inside, begin + (LANE)entry->width, span);
        floor = CHOOSE(lower, offset, floor);
        least_end = CHOOSE(sooner, end, least_end);
        candidates -= low;
        i++;
    }
    found->floor = floor;
    found->span = span;
    found->candidates = candidates;
    return true;
}

static bool NAME(refresh)(struct exact_state *state, uint32_t batch)
{
    struct exact_batches *batches = &state->batches;
    struct NAME(batch) *found = NAME(find_batch)(batches, batch);

    /* What is known of the batch is saved in the first pass after a mark only, since going back to
       the mark needs no more. */
    if (batches->serial[batch] != state->top.serial) {
        assert(state->top.batches < state->saved_batch_capacity);
        struct exact_saved_batch *saved = &state->saved_batch[state->top.batches++];
        batches->serial[batch] = state->top.serial;
        saved->batch = batch;
        memcpy(saved->found, &found->floor, sizeof saved->found);
    }
    struct NAME(pass) pass = {.state = state,
                              .batch = batch,
                              .order = batches->order + batches->grid->first[batch],
                              .release = batches->release,
                              .left = batches->left[batch],
                              .capacity = (LANE)state->capacity};
    pass.highest = pass.capacity - found->bytes_left;
    NAME(sort)(&pass);
    assert(!pass.left || pass.release[0] <= pass.release[pass.left - 1]);
    if (!NAME(walk)(&pass, found))
        return false;
    batches->is_touched[batch] = false;
    batches->is_changed[batch] = true;
    if (pass.again)
        exact_batches_touch_one(batches, batch);
    uint32_t lane = NAME(find_most)(&found->span);
    return found->span[lane] <= pass.capacity ||
           NAME(refuse)(&pass, lane, (uint64_t)found->span[lane]);
}
