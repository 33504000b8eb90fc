#include "solvers/exact/learn/trail.h"

#include <assert.h>

#include "core/memory.h"
#include "solvers/exact/learn/log.h"

void exact_learn_add_atom(struct exact_learn *learn, uint32_t item, int64_t value)
{
    assert(item < 2 * (learn->variables + learn->model->buffers));
    enum status status =
        memory_reserve(&learn->atom, &learn->atom_capacity, (size_t)learn->atoms + 1,
                       sizeof *learn->atom, learn->error);
    if (status)
        learn->status = status;
    else
        learn->atom[learn->atoms++] = (struct exact_atom){item, value};
}

static bool add_event(struct exact_learn *learn, const struct exact_event *event)
{
    enum status status =
        memory_reserve(&learn->event, &learn->event_capacity, (size_t)learn->events + 1,
                       sizeof *learn->event, learn->error);
    if (status)
        learn->status = status;
    else
        learn->event[learn->events++] = *event;
    exact_log_add_event(learn);
    return !learn->status;
}

bool exact_learn_assert(struct exact_learn *learn, uint32_t literal, int64_t value,
                        struct exact_reason reason)
{
    const struct exact_event event = {.atom = {literal, value}, .reason = reason};
    assert(exact_is_literal(learn, literal) && !learn->truth[literal]);
    assert(!learn->truth[literal ^ 1]);
    learn->truth[literal] = 1;
    learn->truth[literal ^ 1] = -1;
    learn->phase[literal / 2] = (int8_t)(literal & 1);
    learn->event_of[literal / 2] = learn->events;
    return add_event(learn, &event);
}

/* The buffer's alignment, cut down to EXACT_LEARN_MOST: with a greater one, too, no offset but 0 is
   left. */
static int64_t get_alignment(const struct exact_learn *learn, uint32_t buffer)
{
    uint64_t alignment = learn->model->alignment[buffer];
    assert(alignment > 0);
    return (int64_t)(alignment < EXACT_LEARN_MOST ? alignment : EXACT_LEARN_MOST);
}

static int64_t round_up(const struct exact_learn *learn, uint32_t bound, int64_t value)
{
    assert(bound < 2 * learn->model->buffers);
    int64_t alignment = get_alignment(learn, bound / 2);
    assert(alignment > 0);
    int64_t remainder = alignment == 1 ? 0 : value % alignment;
    return remainder > 0 ? value - remainder + alignment : value - remainder;
}

int64_t exact_learn_unrounded(const struct exact_learn *learn, uint32_t bound, int64_t value)
{
    return round_up(learn, bound, value) - get_alignment(learn, bound / 2) + 1;
}

void exact_learn_mark_sections(struct exact_learn *learn, uint32_t buffer)
{
    assert(buffer < learn->model->buffers);
    const struct exact_model *model = learn->model;
    for (uint64_t i = model->first_section[buffer]; i < model->first_section[buffer + 1]; i++) {
        uint32_t section = model->section[i];
        if (learn->is_dirty[section])
            continue;
        learn->is_dirty[section] = true;
        assert(learn->dirty_count < model->sections);
        learn->dirty[learn->dirty_count++] = section;
    }
}

bool exact_learn_raise(struct exact_learn *learn, uint32_t bound, int64_t value,
                       struct exact_reason reason)
{
    value = round_up(learn, bound, value);
    assert(bound < 2 * learn->model->buffers && value > learn->value[bound]);
    const struct exact_event event = {.atom = {exact_bound_item(learn, bound), value},
                                      .reason = reason,
                                      .previous = learn->latest[bound]};
    if (!add_event(learn, &event))
        return false;
    learn->latest[bound] = learn->events - 1;
    learn->value[bound] = value;
    exact_learn_mark_sections(learn, bound / 2);
    if (value + learn->value[bound ^ 1] <= 0)
        return true;

    /* The conflict: the buffer's least offset is above its greatest one. Of the greatest one it
       needs no more than that it is below the least one. */
    uint32_t least = bound & ~UINT32_C(1);
    int64_t lowest = learn->value[least];
    assert(lowest > -learn->value[least + 1]);
    learn->counter[SEARCH_FAILED_SPAN]++;
    learn->conflict = learn->atoms;
    exact_log_conflict(learn, (struct exact_derivation){.rule = EXACT_STEP_NONE});
    exact_learn_add_atom(learn, exact_bound_item(learn, least), lowest);
    exact_learn_add_atom(learn, exact_bound_item(learn, least + 1), 1 - lowest);
    return false;
}

static void undo_events(struct exact_learn *learn, uint32_t events)
{
    assert(events <= learn->events);
    while (learn->events > events) {
        const struct exact_event *event = &learn->event[--learn->events];
        uint32_t item = event->atom.item, bound = item - 2 * learn->variables;
        if (event->reason.kind == EXACT_BY_ATOMS)
            learn->atoms = event->reason.source;
        if (exact_is_literal(learn, item)) {
            assert(learn->truth[item] > 0 && learn->event_of[item / 2] == learn->events);
            learn->truth[item] = learn->truth[item ^ 1] = 0;
            continue;
        }
        assert(learn->latest[bound] == learn->events);
        learn->latest[bound] = event->previous;
        assert(bound < 2 * learn->model->buffers);
        if (event->previous != EXACT_NONE)
            learn->value[bound] = learn->event[event->previous].atom.value;
    }
    assert(learn->events == events);
    learn->handled = events;
    while (learn->dirty_count)
        learn->is_dirty[learn->dirty[--learn->dirty_count]] = false;
}

void exact_learn_undo(struct exact_learn *learn, uint32_t levels)
{
    if (learn->levels <= levels)
        return;
    assert(learn->level_begin[levels] <= learn->events);
    undo_events(learn, learn->level_begin[levels]);
    learn->levels = levels;
}

bool exact_learn_start(struct exact_learn *learn)
{
    const struct exact_model *model = learn->model;
    const struct exact_reason start = {.kind = EXACT_BY_START};
    undo_events(learn, 0);
    learn->levels = learn->atoms = 0;
    learn->conflict_limit = UINT64_MAX;
    for (uint32_t i = 0; i < 2 * model->buffers; i++) {
        learn->latest[i] = EXACT_NONE;
        learn->value[i] = -(int64_t)EXACT_LEARN_MOST;
    }
    for (uint32_t b = 0; b < model->buffers; b++) {
        int64_t lowest = (int64_t)model->lowest[b];
        bool is_fixed = model->highest[b] != UINT64_MAX;
        int64_t highest = is_fixed ? lowest : (int64_t)learn->capacity - (int64_t)model->size[b];
        if (!exact_learn_raise(learn, 2 * b, lowest, start) ||
            !exact_learn_raise(learn, 2 * b + 1, -highest, start))
            return false;
    }
    return true;
}
