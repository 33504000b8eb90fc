#include "solvers/mip/model/lines.h"

#include <assert.h>
#include <string.h>

#include "solvers/mip/model/switches.h"

enum { MOST_MEMBERS = 64 };

/* The windows of a section's members, in scaled bytes. Sets of members are bits. */
struct line {
    uint32_t members;
    uint32_t order[MOST_MEMBERS]; /* members by begin */
    int64_t begin[MOST_MEMBERS];  /* each begins there or above it */
    int64_t end[MOST_MEMBERS];    /* and ends there or below it */
    int64_t length[MOST_MEMBERS];
    int64_t raised[MOST_MEMBERS];                      /* what was found of begin */
    uint64_t below[MOST_MEMBERS], above[MOST_MEMBERS]; /* those that lie there */
    bool is_infeasible;
};

static uint64_t bit(uint32_t member)
{
    return UINT64_C(1) << member;
}

/* Where the members end at least, if each begins at its begin or above it. */
static int64_t pile_up(const struct line *line, uint64_t members)
{
    int64_t top = INT64_MIN;
    for (uint32_t k = 0; k < line->members; k++) {
        uint32_t i = line->order[k];
        if (members & bit(i))
            top = (line->begin[i] > top ? line->begin[i] : top) + line->length[i];
    }
    return top;
}

static void put_below(struct line *line, uint32_t lower, uint32_t upper)
{
    assert(lower != upper && lower < line->members && upper < line->members);
    line->is_infeasible |= (line->below[lower] & bit(upper)) != 0;
    line->below[upper] |= bit(lower);
    line->above[lower] |= bit(upper);
}

static void sort_members(struct line *line)
{
    for (uint32_t i = 0; i < line->members; i++) {
        uint32_t k = i;
        for (; k > 0 && line->begin[line->order[k - 1]] > line->begin[i]; k--)
            line->order[k] = line->order[k - 1];
        line->order[k] = i;
    }
}

/* What lies below a member holds it up; what would lift it too far lies above it. */
static void lift_member(struct line *line, uint32_t i)
{
    assert(!(line->below[i] & line->above[i]));
    for (uint32_t j = 0; j < line->members; j++)
        if (line->below[i] & bit(j))
            for (uint64_t rest = line->below[j] & ~line->below[i]; rest; rest &= rest - 1)
                put_below(line, (uint32_t)__builtin_ctzll(rest), i);
    int64_t top = pile_up(line, line->below[i]);
    if (top > line->raised[i])
        line->raised[i] = top;
    for (uint32_t j = 0; j < line->members; j++)
        if (j != i && !((line->below[i] | line->above[i]) & bit(j)) &&
            pile_up(line, line->below[i] | line->below[j] | bit(j)) >
                line->end[i] - line->length[i])
            put_below(line, i, j);
    line->is_infeasible |= line->raised[i] + line->length[i] > line->end[i];
}

/* Where some members and one more do not end in time for the last of these, the one lies above them
   (edge finding, Carlier and Pinson 1989). */
static void find_last(struct line *line, uint32_t last)
{
    uint64_t early = 0;
    for (uint32_t j = 0; j < line->members; j++)
        early |= line->end[j] <= line->end[last] ? bit(j) : 0;
    line->is_infeasible |= pile_up(line, early) > line->end[last];
    for (uint32_t i = 0; i < line->members; i++)
        if (!(early & bit(i)) && early & ~line->below[i] &&
            pile_up(line, early | bit(i)) > line->end[last])
            for (uint64_t rest = early & ~line->below[i]; rest; rest &= rest - 1)
                put_below(line, (uint32_t)__builtin_ctzll(rest), i);
}

/* Draws conclusions upwards, and turns the line upside down. */
static void settle_and_turn(struct line *line)
{
    sort_members(line);
    memcpy(line->raised, line->begin, sizeof line->raised);
    for (uint32_t i = 0; i < line->members && !line->is_infeasible; i++)
        lift_member(line, i);
    for (uint32_t i = 0; i < line->members && !line->is_infeasible; i++)
        find_last(line, i);
    for (uint32_t i = 0; i < line->members; i++) {
        uint64_t below = line->below[i];
        line->begin[i] = -line->end[i];
        line->end[i] = -line->raised[i];
        line->below[i] = line->above[i];
        line->above[i] = below;
        assert(line->is_infeasible || line->begin[i] + line->length[i] <= line->end[i]);
    }
}

static void read_line(const struct mip_pairs *pairs, uint32_t section, struct line *line)
{
    uint64_t first = pairs->sections->first[section];
    line->members = (uint32_t)(pairs->sections->first[section + 1] - first);
    line->is_infeasible = false;
    assert(line->members <= MOST_MEMBERS);
    for (uint32_t i = 0; i < line->members; i++) {
        struct mip_window window = mip_section_window(pairs, first + i);
        int64_t lower = (int64_t)window.lower, upper = (int64_t)window.upper;
        line->begin[i] = pairs->lowest[window.buffer] + lower;
        line->end[i] = pairs->highest[window.buffer] + upper;
        line->length[i] = upper - lower;
        line->below[i] = line->above[i] = 0;
    }
    for (uint32_t i = 0; i < line->members; i++)
        for (uint32_t j = i + 1; j < line->members; j++) {
            unsigned char direction = pairs->direction[mip_pairs_at(pairs, first + i, first + j)];
            if (direction != MIP_OPEN)
                put_below(line, direction == MIP_FIRST_BELOW ? i : j,
                          direction == MIP_FIRST_BELOW ? j : i);
        }
}

static bool write_line(struct mip_pairs *pairs, uint32_t section, const struct line *line)
{
    uint64_t first = pairs->sections->first[section];
    bool changed = false;
    for (uint32_t i = 0; i < line->members; i++) {
        struct mip_window window = mip_section_window(pairs, first + i);
        int64_t lower = (int64_t)window.lower, upper = (int64_t)window.upper;
        assert(line->begin[i] - lower >= pairs->lowest[window.buffer] &&
               line->end[i] - upper <= pairs->highest[window.buffer]);
        changed |=
            mip_pairs_narrow(pairs, window.buffer, line->begin[i] - lower, line->end[i] - upper);
        for (uint32_t j = i + 1; j < line->members; j++) {
            uint32_t pair = mip_pairs_at(pairs, first + i, first + j);
            bool is_settled = (line->below[i] | line->above[i]) & bit(j);
            if (pairs->direction[pair] == MIP_OPEN && is_settled)
                changed |= mip_pairs_direct(
                    pairs, pair, line->above[i] & bit(j) ? MIP_FIRST_BELOW : MIP_SECOND_BELOW);
        }
    }
    return changed;
}

static bool has_changed(const struct mip_pairs *pairs, uint32_t section, uint64_t since)
{
    const struct sections *sections = pairs->sections;
    for (uint64_t i = sections->first[section]; i < sections->first[section + 1]; i++)
        if (pairs->changed[sections->member[i]] >= since)
            return true;
    return false;
}

/* Draws what the sections say of boxes and directions, once for each of which a member has changed
   in round `since` or later. Returns whether anything changed. */
static bool settle_lines(struct mip_pairs *pairs, uint64_t since, bool *is_infeasible)
{
    const uint64_t *first = pairs->sections->first;
    bool changed = false;
    for (uint32_t s = 0; s < pairs->sections->count && !*is_infeasible; s++) {
        struct line line;
        uint64_t members = first[s + 1] - first[s];
        if (members > MOST_MEMBERS || !has_changed(pairs, s, since))
            continue;
        pairs->work += members * members;
        read_line(pairs, s, &line);
        settle_and_turn(&line);
        settle_and_turn(&line);
        *is_infeasible = line.is_infeasible;
        changed |= !line.is_infeasible && write_line(pairs, s, &line);
    }
    return changed;
}

bool mip_lines_propagate(struct mip_pairs *pairs, unsigned switches)
{
    uint32_t buffers = pairs->problem->buffers;
    bool changed = (switches & MIP_DIRECTIONS) != 0, is_infeasible = false;
    uint64_t since = pairs->round, since_lines = since; /* when both were last looked at */
    assert(pairs->direction && pairs->lowest && pairs->highest);
    /* Boxes may narrow unit by unit for a long time; all that was concluded until the last round is
       true. */
    for (uint32_t round = 0; round <= buffers && changed && !is_infeasible; round++) {
        uint64_t now = ++pairs->round;
        changed = mip_pairs_conclude(pairs, since, &is_infeasible);
        since = now;
        if (switches & MIP_LINES && !changed && !is_infeasible) {
            now = ++pairs->round;
            changed = settle_lines(pairs, since_lines, &is_infeasible);
            since_lines = now;
        }
    }
    pairs->round++;
    for (uint32_t b = 0; b < buffers; b++)
        is_infeasible |= pairs->lowest[b] > pairs->highest[b];
    return !is_infeasible;
}
