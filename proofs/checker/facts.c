#include "proofs/checker/facts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

bool check_facts_create(struct facts *facts)
{
    size_t buffers = facts->problem->buffers;
    facts->place = check_create(buffers, sizeof *facts->place, facts->fault);
    facts->touched = check_create(buffers, sizeof *facts->touched, facts->fault);
    return facts->place && facts->touched;
}

void check_facts_free(struct facts *facts)
{
    for (size_t c = 0; c < facts->clauses; c++)
        free(facts->clause[c].literal);
    free(facts->clause);
    free(facts->clique);
    free(facts->member);
    free(facts->choice);
    free(facts->holds);
    free(facts->held);
    free(facts->place);
    free(facts->touched);
}

static int64_t round_down(int64_t value, int64_t step)
{
    assert(step >= 1);
    int64_t rest = value % step;
    return rest < 0 ? value - rest - step : value - rest;
}

static void set_first(const struct facts *facts, uint32_t b)
{
    struct place *place = &facts->place[b];
    int64_t fixed = facts->problem->buffer[b].fixed;
    int64_t highest = facts->capacity - facts->problem->buffer[b].size;
    place->low = fixed == BUFFER_FREE ? 0 : fixed;
    place->high =
        fixed == BUFFER_FREE || fixed > highest ? round_down(highest, place->step) : fixed;
    place->is_touched = false;
}

static bool is_of_unit(const struct problem *problem, const struct buffer *buffer, int64_t unit)
{
    bool fine = buffer->size % unit == 0 &&
                (buffer->fixed == BUFFER_FREE || buffer->fixed % unit == 0) &&
                (buffer->alignment % unit == 0 || unit % buffer->alignment == 0);
    for (size_t s = buffer->first; fine && s < buffer->end; s++)
        fine = problem->segment[s].begin % unit == 0 && problem->segment[s].end % unit == 0;
    return fine;
}

bool check_facts_begin(struct facts *facts, int64_t capacity, int64_t unit)
{
    const struct problem *problem = facts->problem;
    facts->capacity = capacity;
    if (unit < 1 || capacity < 0)
        return UNREADABLE(facts->fault, "found a unit below 1, or a capacity below 0");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        if (!facts->place[b].is_used)
            continue;
        if (!is_of_unit(problem, buffer, unit))
            return REFUSED(facts->fault, "buffer %" PRIu32 " is not in units of %" PRId64, b, unit);
        /* A fixed offset stays what it is, whatever the alignment. */
        facts->place[b].step = buffer->fixed != BUFFER_FREE ? 1
                               : buffer->alignment > unit   ? buffer->alignment
                                                            : unit;
        set_first(facts, b);
        facts->absurd_at_first |= facts->place[b].low > facts->place[b].high;
    }
    facts->absurd = facts->absurd_at_first;
    return true;
}

static void touch(struct facts *facts, uint32_t b)
{
    struct place *place = &facts->place[b];
    assert(place->is_used);
    if (!place->is_touched)
        facts->touched[facts->touched_count++] = b;
    place->is_touched = true;
    facts->absurd |= place->low > place->high;
}

void check_facts_raise(struct facts *facts, uint32_t b, int64_t low)
{
    struct place *place = &facts->place[b];
    if (low <= place->low)
        return;
    /* Not rounded where it is too high anyway, so that nothing overflows. */
    place->low = low > place->high ? low : -round_down(-low, place->step);
    touch(facts, b);
}

void check_facts_lower(struct facts *facts, uint32_t b, int64_t high)
{
    struct place *place = &facts->place[b];
    if (high >= place->high)
        return;
    place->high = high < place->low ? high : round_down(high, place->step);
    touch(facts, b);
}

/* The choice that a literal is about. */
static size_t get_choice(int64_t literal)
{
    assert(literal);
    return (size_t)(literal < 0 ? -literal : literal) - 1;
}

struct difference check_facts_difference(const struct facts *facts, int64_t literal)
{
    const struct choice *choice = &facts->choice[get_choice(literal)];
    return literal > 0 ? (struct difference){choice->first, choice->second, choice->up}
                       : (struct difference){choice->second, choice->first, choice->down};
}

bool check_facts_holds(const struct facts *facts, int64_t literal)
{
    return facts->holds[get_choice(literal)] & (literal > 0 ? 1 : 2);
}

void check_facts_hold(struct facts *facts, int64_t literal)
{
    size_t choice = get_choice(literal);
    assert(facts->proves && choice < facts->choices);
    if (!facts->holds[choice])
        facts->held[facts->held_count++] = choice;
    facts->holds[choice] |= literal > 0 ? 1 : 2;
    facts->absurd |= facts->holds[choice] == 3;
}

bool check_facts_end_clause(struct facts *facts)
{
    if (!facts->proves)
        return true;
    if (!facts->absurd)
        return REFUSED(facts->fault,
                       "the proof of clause %zu ended before this line without a contradiction",
                       facts->clauses);
    facts->refuted |= !facts->clause[facts->clauses - 1].literals;
    while (facts->held_count)
        facts->holds[facts->held[--facts->held_count]] = 0;
    while (facts->touched_count)
        set_first(facts, facts->touched[--facts->touched_count]);
    facts->absurd = facts->absurd_at_first;
    facts->proves = false;
    return true;
}

const struct member *check_facts_member(const struct facts *facts, int64_t clique, uint32_t buffer)
{
    assert(clique >= 1 && (size_t)clique <= facts->cliques);
    for (size_t m = facts->clique[clique - 1]; m < facts->clique[clique]; m++)
        if (facts->member[m].buffer == buffer)
            return &facts->member[m];
    return NULL;
}
