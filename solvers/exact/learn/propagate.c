#include "solvers/exact/learn/propagate.h"

#include <assert.h>

#include "solvers/exact/learn/clauses.h"
#include "solvers/exact/learn/disjunctive.h"
#include "solvers/exact/learn/trail.h"

/* The literal holds: the least offset of `from` raises that of `to`, or in the other direction the
   greatest offset of `to` lowers that of `from`. */
static bool pass_on(struct exact_learn *learn, uint32_t literal, uint32_t direction)
{
    const struct exact_literal *edge = &learn->literal[literal];
    assert(learn->truth[literal] > 0 && direction < 2);
    uint32_t source = direction ? 2 * edge->to + 1 : 2 * edge->from;
    uint32_t bound = direction ? 2 * edge->from + 1 : 2 * edge->to;
    int64_t value = learn->value[source] + edge->distance;
    return value <= learn->value[bound] ||
           exact_learn_raise(learn, bound, value,
                             (struct exact_reason){EXACT_BY_LITERAL, literal, 0});
}

/* The literal is open: its opposite holds where there is no room for it. */
static bool check_room(struct exact_learn *learn, uint32_t literal)
{
    const struct exact_literal *edge = &learn->literal[literal];
    assert(!learn->truth[literal] && !learn->truth[literal ^ 1]);
    int64_t lowest = learn->value[2 * (size_t)edge->from];
    if (lowest + edge->distance + learn->value[2 * (size_t)edge->to + 1] <= 0)
        return true;
    return exact_learn_assert(learn, literal ^ 1, lowest,
                              (struct exact_reason){.kind = EXACT_BY_BOUNDS});
}

/* The bound rose: literals of its buffer that hold pass it on, and open ones may have no room. */
static bool visit_bound(struct exact_learn *learn, uint32_t bound)
{
    assert(bound < 2 * learn->model->buffers);
    uint32_t buffer = bound / 2, direction = bound & 1;
    for (uint64_t i = learn->first[buffer]; i < learn->first[buffer + 1]; i++) {
        uint32_t literal = 2 * learn->variable[i];
        literal |= (learn->literal[literal].from == buffer) == (direction == 1);
        assert((direction ? learn->literal[literal].to : learn->literal[literal].from) == buffer);
        if (learn->truth[literal] > 0 && !pass_on(learn, literal, direction))
            return false;
        if (!learn->truth[literal] && !check_room(learn, literal))
            return false;
    }
    return true;
}

/* A pair of buffers may forbid several intervals of their distance. Where the distance lies beyond
   one of them, it lies beyond those before it, too, so their literals hold as well. */
static bool pass_to_pair(struct exact_learn *learn, uint32_t literal)
{
    assert(learn->truth[literal] > 0);
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
        if (!exact_learn_assert(learn, other, 0,
                                (struct exact_reason){EXACT_BY_ATOMS, learn->conflict, 1}))
            return false;
    }
    return true;
}

static bool visit_literal(struct exact_learn *learn, uint32_t literal)
{
    assert(learn->truth[literal] > 0);
    exact_learn_mark_sections(learn, learn->literal[literal].to);
    return exact_learn_visit_clauses(learn, literal) && pass_on(learn, literal, 0) &&
           pass_on(learn, literal, 1) && pass_to_pair(learn, literal);
}

static bool visit_event(struct exact_learn *learn, uint32_t item)
{
    assert(item < 2 * (learn->variables + learn->model->buffers));
    if (exact_is_literal(learn, item))
        return visit_literal(learn, item);
    return visit_bound(learn, item - 2 * learn->variables);
}

bool exact_learn_propagate(struct exact_learn *learn)
{
    assert(learn->handled <= learn->events);
    learn->conflict_limit = UINT64_MAX;
    while (learn->handled < learn->events || learn->dirty_count) {
        if (learn->handled < learn->events) {
            if (!visit_event(learn, learn->event[learn->handled++].atom.item))
                return false;
            continue;
        }
        uint32_t section = learn->dirty[--learn->dirty_count];
        assert(learn->is_dirty[section]);
        learn->is_dirty[section] = false;
        if (!exact_learn_refresh_section(learn, section))
            return false;
    }
    assert(learn->handled == learn->events);
    return true;
}
