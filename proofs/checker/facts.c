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

/* Sets what is known of a used buffer before anything is assumed. */
static void set_first(uint32_t b)
{
    struct place *place = &check_facts.place[b];
    int64_t fixed = check_facts.problem->buffer[b].fixed;
    int64_t highest = check_facts.capacity - check_facts.problem->buffer[b].size;
    bool is_fixed = fixed != BUFFER_FREE;
    place->low = is_fixed ? fixed : 0;
    place->high = is_fixed && fixed <= highest ? fixed : check_round_down(highest, place->step);
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

void check_facts_begin(const struct problem *problem, const bool *used, int64_t capacity,
                       int64_t unit)
{
    check_facts.problem = problem;
    check_facts.capacity = capacity;
    check_facts.place = check_create(problem->buffers, sizeof *check_facts.place);
    check_facts.touched = check_create(problem->buffers, sizeof *check_facts.touched);
    if (unit < 1 || capacity < 0)
        UNREADABLE("found a unit below 1, or a capacity below 0");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        struct place *place = &check_facts.place[b];
        place->is_used = used[b];
        if (!used[b])
            continue;
        if (!is_of_unit(problem, buffer, unit))
            REFUSED("buffer %" PRIu32 " is not in units of %" PRId64, b, unit);
        place->step = buffer->alignment > unit ? buffer->alignment : unit;
        if (buffer->fixed != BUFFER_FREE)
            place->step = 1; /* it stays where it is, whatever the alignment */
        set_first(b);
        check_facts.absurd_at_first |= place->low > place->high;
    }
    check_facts.absurd = check_facts.absurd_at_first;
}

void check_facts_free(void)
{
    for (size_t c = 0; c < check_facts.clauses; c++)
        free(check_facts.clause[c].literal);
    free(check_facts.clause);
    free(check_facts.clique);
    free(check_facts.member);
    free(check_facts.choice);
    free(check_facts.held);
    free(check_facts.place);
    free(check_facts.touched);
    memset(&check_facts, 0, sizeof check_facts);
}

void check_facts_bound(uint32_t b, int64_t low, int64_t high)
{
    struct place *place = &check_facts.place[b];
    /* Not rounded where nothing is left anyway, so that nothing overflows. */
    if (low > place->low)
        place->low = low > place->high ? low : -check_round_down(-low, place->step);
    if (high < place->high)
        place->high = high < place->low ? high : check_round_down(high, place->step);
    check_facts.absurd |= place->low > place->high;
    if (!place->is_touched)
        check_facts.touched[check_facts.touched_count++] = b;
    place->is_touched = true;
}

static struct choice *get_choice(int64_t literal)
{
    return &check_facts.choice[(literal < 0 ? -literal : literal) - 1];
}

struct difference check_facts_difference(int64_t literal)
{
    const struct choice *choice = get_choice(literal);
    return literal > 0 ? (struct difference){choice->first, choice->second, choice->up}
                       : (struct difference){choice->second, choice->first, choice->down};
}

bool check_facts_holds(int64_t literal)
{
    return get_choice(literal)->holds[literal < 0];
}

void check_facts_add(int64_t literal)
{
    struct choice *choice = get_choice(literal);
    if (!choice->holds[0] && !choice->holds[1])
        check_facts.held[check_facts.held_count++] = (size_t)(choice - check_facts.choice);
    choice->holds[literal < 0] = true;
    check_facts.absurd |= choice->holds[0] && choice->holds[1];
}

void check_facts_end_clause(void)
{
    if (!check_facts.proves)
        return;
    if (!check_facts.absurd)
        REFUSED("the proof of clause %zu ended before this line without a contradiction",
                check_facts.clauses);
    check_facts.refuted |= !check_facts.clause[check_facts.clauses - 1].literals;
    while (check_facts.held_count) {
        struct choice *choice = &check_facts.choice[check_facts.held[--check_facts.held_count]];
        choice->holds[0] = choice->holds[1] = false;
    }
    while (check_facts.touched_count)
        set_first(check_facts.touched[--check_facts.touched_count]);
    check_facts.absurd = check_facts.absurd_at_first;
    check_facts.proves = false;
}

bool check_facts_uses(int64_t buffer)
{
    return buffer >= 0 && buffer < check_facts.problem->buffers &&
           check_facts.place[buffer].is_used;
}
