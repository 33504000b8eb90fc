#include "proofs/checker/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct facts check_facts;

void check_expect(bool condition, const char *text)
{
    if (!condition)
        REFUSED("rule %c: %s", check_facts.letter, text);
}

int64_t check_round_down(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return rest < 0 ? value - rest - step : value - rest;
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

/* What is known of a buffer before anything is assumed. A fixed one stays where it is, whatever its
   alignment. */
static struct place find_place(const struct buffer *buffer, int64_t capacity, int64_t unit)
{
    int64_t step = buffer->alignment > unit ? buffer->alignment : unit;
    int64_t fixed = buffer->fixed, highest = capacity - buffer->size;
    return fixed == BUFFER_FREE
               ? (struct place){step, 0, check_round_down(highest, step), true}
               : (struct place){1, fixed, fixed <= highest ? fixed : highest, true};
}

void check_facts_begin(const struct problem *problem, const bool *used, int64_t capacity,
                       int64_t unit)
{
    check_facts.problem = problem;
    check_facts.capacity = capacity;
    check_facts.place = check_create(problem->buffers, sizeof *check_facts.place);
    if (unit < 1 || capacity < 0)
        UNREADABLE("found a unit below 1, or a capacity below 0");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct place *place = &check_facts.place[b];
        if (!used[b])
            continue;
        if (!is_of_unit(problem, &problem->buffer[b], unit))
            REFUSED("buffer %" PRIu32 " is not in units of %" PRId64, b, unit);
        *place = find_place(&problem->buffer[b], capacity, unit);
        check_facts.absurd_at_first |= place->low > place->high;
    }
    check_facts.absurd = check_facts.absurd_at_first;
}

void check_facts_free(void)
{
    for (size_t c = 0; c < check_facts.clauses; c++)
        free(check_facts.clause[c].literal);
    for (size_t q = 0; q < check_facts.cliques; q++)
        free(check_facts.clique[q].member);
    free(check_facts.clause);
    free(check_facts.clique);
    free(check_facts.literal);
    free(check_facts.place);
    free(check_facts.change);
    memset(&check_facts, 0, sizeof check_facts);
}

static void change_number(int64_t *number, int64_t value)
{
    CHECK_APPEND(check_facts.change, check_facts.changes, (struct change){number, *number});
    *number = value;
}

void check_facts_bound(uint32_t b, int64_t low, int64_t high)
{
    struct place *place = &check_facts.place[b];
    /* Not rounded where nothing is left anyway, so that nothing overflows. */
    if (low > place->low)
        change_number(&place->low, low > place->high ? low : -check_round_down(-low, place->step));
    if (high < place->high)
        change_number(&place->high, high < place->low ? high : check_round_down(high, place->step));
    check_facts.absurd |= place->low > place->high;
}

struct difference *check_facts_get(int64_t literal)
{
    return literal > 0 ? &check_facts.literal[2 * (literal - 1)]
                       : &check_facts.literal[2 * (-literal - 1) + 1];
}

void check_facts_add(int64_t literal)
{
    if (!check_facts_get(literal)->holds)
        change_number(&check_facts_get(literal)->holds, 1);
    check_facts.absurd |= check_facts_get(-literal)->holds;
}

void check_facts_end_clause(void)
{
    if (!check_facts.proves)
        return;
    if (!check_facts.absurd)
        REFUSED("the proof of clause %zu ended before this line without a contradiction",
                check_facts.clauses);
    check_facts.refuted |= !check_facts.clause[check_facts.clauses - 1].literals;
    for (; check_facts.changes; check_facts.changes--) {
        const struct change *last = &check_facts.change[check_facts.changes - 1];
        *last->number = last->before;
    }
    check_facts.absurd = check_facts.absurd_at_first;
    check_facts.proves = false;
}
