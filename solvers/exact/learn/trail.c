#include "core/memory.h"
#include "solvers/exact/learn/state.h"

void exact_learn_add_atom(struct exact_learn *learn, uint32_t item, int64_t value)
{
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
    return !status;
}

bool exact_learn_assert(struct exact_learn *learn, uint32_t literal, enum exact_reason reason,
                        uint32_t source, uint32_t count, int64_t value)
{
    const struct exact_event event = {
        .atom = {literal, value}, .reason = reason, .source = source, .count = count};
    learn->truth[literal] = 1;
    learn->truth[literal ^ 1] = -1;
    learn->phase[literal / 2] = (int8_t)(literal & 1);
    learn->event_of[literal / 2] = learn->events;
    return add_event(learn, &event);
}

/* With a greater one only 0 is left of the offsets. */
static int64_t get_alignment(const struct exact_learn *learn, uint32_t buffer)
{
    uint64_t alignment = learn->model->alignment[buffer];
    return (int64_t)(alignment < EXACT_LEARN_MOST ? alignment : EXACT_LEARN_MOST);
}

static int64_t round_up(const struct exact_learn *learn, uint32_t bound, int64_t value)
{
    int64_t alignment = get_alignment(learn, bound / 2);
    int64_t remainder = alignment == 1 ? 0 : value % alignment;
    return remainder > 0 ? value - remainder + alignment : value - remainder;
}

int64_t exact_learn_unrounded(const struct exact_learn *learn, uint32_t bound, int64_t value)
{
    return round_up(learn, bound, value) - get_alignment(learn, bound / 2) + 1;
}

static void mark_sections(struct exact_learn *learn, uint32_t buffer)
{
    const struct exact_model *model = learn->model;
    for (uint64_t i = model->first_section[buffer]; i < model->first_section[buffer + 1]; i++) {
        uint32_t section = model->section[i];
        if (learn->is_dirty[section])
            continue;
        learn->is_dirty[section] = true;
        learn->dirty[learn->dirty_count++] = section;
    }
}

/* A least offset above the greatest one; what is too much of the first is left out. */
static bool refuse_bounds(struct exact_learn *learn, uint32_t buffer)
{
    int64_t lowest = learn->value[2 * (size_t)buffer];
    learn->counter[SEARCH_FAILED_SPAN]++;
    learn->conflict = learn->atoms;
    exact_learn_add_atom(learn, exact_bound_item(learn, 2 * buffer), lowest);
    exact_learn_add_atom(learn, exact_bound_item(learn, 2 * buffer + 1), 1 - lowest);
    return false;
}

bool exact_learn_raise(struct exact_learn *learn, uint32_t bound, int64_t value,
                       enum exact_reason reason, uint32_t source, uint32_t count)
{
    value = round_up(learn, bound, value);
    const struct exact_event event = {.atom = {exact_bound_item(learn, bound), value},
                                      .reason = reason,
                                      .source = source,
                                      .count = count,
                                      .previous = learn->latest[bound]};
    if (!add_event(learn, &event))
        return false;
    learn->latest[bound] = learn->events - 1;
    learn->value[bound] = value;
    mark_sections(learn, bound / 2);
    return value + learn->value[bound ^ 1] <= 0 || refuse_bounds(learn, bound / 2);
}

/* The literal holds: passes bound 2 from on to 2 to, or in the other direction 2 to + 1 to 2 from +
   1. */
static bool pass_on(struct exact_learn *learn, uint32_t literal, uint32_t direction)
{
    const struct exact_literal *edge = &learn->literal[literal];
    uint32_t source = direction ? 2 * edge->to + 1 : 2 * edge->from;
    uint32_t bound = direction ? 2 * edge->from + 1 : 2 * edge->to;
    int64_t value = learn->value[source] + edge->distance;
    return value <= learn->value[bound] ||
           exact_learn_raise(learn, bound, value, EXACT_BY_LITERAL, literal, 0);
}

/* The literal is open: its opposite holds where there is no room for it. */
static bool check_room(struct exact_learn *learn, uint32_t literal)
{
    const struct exact_literal *edge = &learn->literal[literal];
    int64_t lowest = learn->value[2 * (size_t)edge->from];
    if (lowest + edge->distance + learn->value[2 * (size_t)edge->to + 1] <= 0)
        return true;
    return exact_learn_assert(learn, literal ^ 1, EXACT_BY_BOUNDS, 0, 0, lowest);
}

static bool visit_bound(struct exact_learn *learn, uint32_t bound)
{
    uint32_t buffer = bound / 2, direction = bound & 1;
    for (uint64_t i = learn->first[buffer]; i < learn->first[buffer + 1]; i++) {
        uint32_t literal = 2 * learn->variable[i];
        literal |= (learn->literal[literal].from == buffer) == (direction == 1);
        if (learn->truth[literal] > 0 && !pass_on(learn, literal, direction))
            return false;
        if (!learn->truth[literal] && !check_room(learn, literal))
            return false;
    }
    return true;
}

/* Of the intervals of a pair: beyond one means beyond those before it. */
static bool pass_to_pair(struct exact_learn *learn, uint32_t literal)
{
    const struct exact_literal *edge = &learn->literal[literal];
    for (int step = -1; step <= 1; step += 2) {
        int64_t next = (int64_t)(literal / 2) + step;
        if (next < 0 || next >= learn->variables)
            continue;
        uint32_t other = 2 * (uint32_t)next + (literal & 1);
        if (learn->literal[other].from != edge->from || learn->literal[other].to != edge->to ||
            learn->literal[other].distance > edge->distance || learn->truth[other] > 0)
            continue;
        learn->conflict = learn->atoms;
        exact_learn_add_atom(learn, literal, 0);
        if (learn->truth[other] < 0) {
            exact_learn_add_atom(learn, other ^ 1, 0);
            return false;
        }
        if (!exact_learn_assert(learn, other, EXACT_BY_ATOMS, learn->conflict, 1, 0))
            return false;
    }
    return true;
}

static bool visit_literal(struct exact_learn *learn, uint32_t literal)
{
    mark_sections(learn, learn->literal[literal].to);
    return exact_learn_visit_clauses(learn, literal) && pass_on(learn, literal, 0) &&
           pass_on(learn, literal, 1) && pass_to_pair(learn, literal);
}

static bool visit_event(struct exact_learn *learn, uint32_t item)
{
    if (exact_is_literal(learn, item))
        return visit_literal(learn, item);
    return visit_bound(learn, item - 2 * learn->variables);
}

static void forget_dirty(struct exact_learn *learn)
{
    while (learn->dirty_count)
        learn->is_dirty[learn->dirty[--learn->dirty_count]] = false;
}

bool exact_learn_propagate(struct exact_learn *learn)
{
    learn->conflict_limit = UINT64_MAX;
    while (learn->handled < learn->events || learn->dirty_count) {
        if (learn->handled < learn->events) {
            if (!visit_event(learn, learn->event[learn->handled++].atom.item))
                return false;
            continue;
        }
        uint32_t section = learn->dirty[--learn->dirty_count];
        learn->is_dirty[section] = false;
        if (!exact_learn_refresh_section(learn, section))
            return false;
    }
    return true;
}

static void undo_event(struct exact_learn *learn)
{
    const struct exact_event *event = &learn->event[--learn->events];
    uint32_t item = event->atom.item;
    if (exact_is_literal(learn, item)) {
        learn->truth[item] = learn->truth[item ^ 1] = 0;
        return;
    }
    uint32_t bound = item - 2 * learn->variables;
    learn->latest[bound] = event->previous;
    if (event->previous != EXACT_NONE)
        learn->value[bound] = learn->event[event->previous].atom.value;
}

static void undo_events(struct exact_learn *learn, uint32_t events)
{
    while (learn->events > events) {
        const struct exact_event *event = &learn->event[learn->events - 1];
        if (event->reason == EXACT_BY_ATOMS)
            learn->atoms = event->source;
        undo_event(learn);
    }
    learn->handled = events;
    forget_dirty(learn);
}

void exact_learn_undo(struct exact_learn *learn, uint32_t levels)
{
    if (learn->levels <= levels)
        return;
    undo_events(learn, learn->level_begin[levels]);
    learn->levels = levels;
}

bool exact_learn_start(struct exact_learn *learn)
{
    const struct exact_model *model = learn->model;
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
        if (!exact_learn_raise(learn, 2 * b, lowest, EXACT_BY_START, 0, 0) ||
            !exact_learn_raise(learn, 2 * b + 1, -highest, EXACT_BY_START, 0, 0))
            return false;
    }
    return true;
}
