#include "solvers/mip/model/pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "solvers/mip/model/switches.h"

static int compare_pairs(const void *left, const void *right)
{
    const struct mip_pair *a = left, *b = right;
    const uint64_t x[] = {a->first,       a->second,       a->first_lower,
                          a->first_upper, a->second_lower, a->second_upper};
    const uint64_t y[] = {b->first,       b->second,       b->first_lower,
                          b->first_upper, b->second_lower, b->second_upper};
    for (int i = 0; i < 6; i++)
        if (x[i] != y[i])
            return compare_numbers(x[i], y[i]);
    return 0;
}

static struct mip_pair make_pair(const struct mip_pairs *pairs, uint64_t i, uint64_t j)
{
    struct mip_window first = mip_section_window(pairs, i), second = mip_section_window(pairs, j);
    assert(first.buffer < second.buffer);
    return (struct mip_pair){first.buffer, second.buffer, first.lower,
                             first.upper,  second.lower,  second.upper};
}

uint64_t mip_count_members(const struct sections *sections)
{
    uint64_t entries = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        uint64_t members = sections->first[s + 1] - sections->first[s];
        entries += members * members;
    }
    return entries;
}

struct mip_window mip_section_window(const struct mip_pairs *pairs, uint64_t member)
{
    uint32_t segment = pairs->sections->segment[member];
    return (struct mip_window){pairs->sections->member[member],
                               problem_window_lower(pairs->problem, segment) / pairs->scale,
                               problem_window_upper(pairs->problem, segment) / pairs->scale};
}

static enum status list_pairs_of_members(struct mip_pairs *pairs, struct error *error)
{
    const struct sections *sections = pairs->sections;
    uint64_t place = 0;
    TRY(memory_create(&pairs->of_members, mip_count_members(sections) / 2,
                      sizeof *pairs->of_members, error));
    TRY(memory_create(&pairs->first_of, sections->first[sections->count], sizeof *pairs->first_of,
                      error));
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++) {
            /* The place of the pair with member j is first_of[i] + j, modulo 2^64. */
            pairs->first_of[i] = place - i - 1;
            for (uint64_t j = i + 1; j < sections->first[s + 1]; j++) {
                struct mip_pair key = make_pair(pairs, i, j);
                const struct mip_pair *found =
                    bsearch(&key, pairs->pair, pairs->count, sizeof key, compare_pairs);
                assert(found);
                pairs->of_members[place++] = (uint32_t)(found - pairs->pair);
            }
        }
    return STATUS_OK;
}

enum status mip_pairs_collect(struct mip_pairs *pairs, struct error *error)
{
    const struct sections *sections = pairs->sections;
    uint32_t count = 0;
    assert(pairs->scale > 0);
    TRY(memory_create(&pairs->pair, mip_count_members(sections) / 2, sizeof *pairs->pair, error));
    struct mip_pair *pair = pairs->pair;
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (uint64_t j = i + 1; j < sections->first[s + 1]; j++) {
                assert(sections->member[i] < sections->member[j]);
                pair[count++] = make_pair(pairs, i, j);
            }
    assert(2 * (uint64_t)count <= mip_count_members(sections));
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (uint32_t i = 0; i < count; i++) /* each pair once */
        if (!pairs->count || compare_pairs(&pair[pairs->count - 1], &pair[i]) != 0)
            pair[pairs->count++] = pair[i];
    return list_pairs_of_members(pairs, error);
}

void mip_pairs_clear(struct mip_pairs *pairs)
{
    memory_free_all(pairs->pair, pairs->of_members, pairs->first_of, pairs->direction,
                    pairs->lowest, pairs->highest, pairs->changed, pairs->twin);
}

enum status mip_pairs_copy(const struct mip_pairs *pairs, struct mip_pairs *copy,
                           struct error *error)
{
    uint32_t buffers = pairs->problem->buffers;
    *copy = *pairs;
    copy->direction = NULL;
    copy->lowest = copy->highest = NULL;
    copy->changed = NULL;
    TRY(memory_create(&copy->direction, copy->count, sizeof *copy->direction, error));
    TRY(memory_create_all(buffers, error, &copy->lowest, &copy->highest, &copy->changed));
    mip_pairs_restore(pairs, copy);
    return STATUS_OK;
}

void mip_pairs_copy_free(struct mip_pairs *copy)
{
    memory_free_all(copy->direction, copy->lowest, copy->highest, copy->changed);
}

void mip_pairs_restore(const struct mip_pairs *pairs, struct mip_pairs *copy)
{
    size_t buffers = pairs->problem->buffers;
    assert(pairs->count == copy->count && pairs->problem == copy->problem);
    if (pairs->count)
        memcpy(copy->direction, pairs->direction, pairs->count * sizeof *copy->direction);
    memcpy(copy->lowest, pairs->lowest, buffers * sizeof *copy->lowest);
    memcpy(copy->highest, pairs->highest, buffers * sizeof *copy->highest);
    copy->round++; /* no mark is of this round */
}

uint64_t mip_pairs_factor(const struct mip_pairs *pairs, uint32_t buffer)
{
    uint64_t alignment = problem_alignment(pairs->problem, buffer);
    assert(pairs->scale > 0);
    return pairs->scale % alignment == 0 ? 1 : alignment / pairs->scale;
}

/* Whether two buffers could change places in any plan. */
static bool are_twins(const struct problem *problem, uint32_t a, uint32_t b)
{
    uint32_t segments = problem->first[a + 1] - problem->first[a];
    assert(a < b);
    if (problem->size[a] != problem->size[b] ||
        problem_alignment(problem, a) != problem_alignment(problem, b) ||
        problem->first[b + 1] - problem->first[b] != segments ||
        problem_fixed_offset(problem, a) != PROBLEM_FREE ||
        problem_fixed_offset(problem, b) != PROBLEM_FREE)
        return false;
    for (uint32_t i = 0; i < segments; i++) {
        uint32_t s = problem->first[a] + i, t = problem->first[b] + i;
        if (problem->lower[s] != problem->lower[t] || problem->upper[s] != problem->upper[t] ||
            problem_window_lower(problem, s) != problem_window_lower(problem, t) ||
            problem_window_upper(problem, s) != problem_window_upper(problem, t))
            return false;
    }
    return true;
}

static bool has_twin(const struct mip_pairs *pairs, uint32_t buffer)
{
    for (uint32_t b = 0; b < pairs->problem->buffers; b++)
        if (b != buffer && pairs->twin[b] == pairs->twin[buffer])
            return true;
    return false;
}

/* The pair whose binary is fixed, since the mirror image of a plan is a plan: the one with the most
   bytes together, as fixing it says most. A buffer with a twin would change places with it. */
static uint32_t find_mirror_pair(const struct mip_pairs *pairs)
{
    const struct problem *problem = pairs->problem;
    uint32_t best = UINT32_MAX;
    uint64_t most_bytes = 0;
    if (problem_has_windows(problem))
        return UINT32_MAX;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE || mip_pairs_factor(pairs, b) > 1)
            return UINT32_MAX;
    for (uint32_t p = 0; p < pairs->count; p++) {
        const struct mip_pair *pair = &pairs->pair[p];
        uint64_t bytes = problem->size[pair->first] + problem->size[pair->second];
        if (bytes > most_bytes && !has_twin(pairs, pair->first) && !has_twin(pairs, pair->second)) {
            most_bytes = bytes;
            best = p;
        }
    }
    return best;
}

bool mip_pairs_narrow(struct mip_pairs *pairs, uint32_t buffer, int64_t least, int64_t most)
{
    int64_t factor = (int64_t)mip_pairs_factor(pairs, buffer);
    bool changed = false;
    assert(buffer < pairs->problem->buffers && factor > 0);
    if (least > pairs->lowest[buffer]) {
        pairs->lowest[buffer] = (least + factor - 1) / factor * factor;
        changed = true;
    }
    if (most < pairs->highest[buffer]) {
        pairs->highest[buffer] = most < 0 ? -1 : most / factor * factor;
        changed = true;
    }
    if (changed)
        pairs->changed[buffer] = pairs->round;
    return changed;
}

bool mip_pairs_direct(struct mip_pairs *pairs, uint32_t pair, enum mip_direction direction)
{
    assert(pair < pairs->count);
    if (pairs->direction[pair] == direction)
        return false;
    pairs->direction[pair] = (unsigned char)direction;
    pairs->changed[pairs->pair[pair].first] = pairs->changed[pairs->pair[pair].second] =
        pairs->round;
    return true;
}

/* Narrows the boxes of two buffers, of which the lower one lies `apart` below the upper one. */
static bool narrow_both(struct mip_pairs *pairs, uint32_t lower, uint32_t upper, int64_t apart)
{
    assert(lower != upper);
    bool changed = mip_pairs_narrow(pairs, upper, pairs->lowest[lower] + apart, INT64_MAX);
    return mip_pairs_narrow(pairs, lower, INT64_MIN, pairs->highest[upper] - apart) || changed;
}

/* Draws conclusions for a pair: which direction the boxes leave, and what the direction says of the
   boxes. Returns whether anything changed. */
static bool settle_pair(struct mip_pairs *pairs, uint32_t p, bool *is_infeasible)
{
    const struct mip_pair *pair = &pairs->pair[p];
    bool first_can =
        pairs->lowest[pair->first] + mip_first_below(pair) <= pairs->highest[pair->second];
    bool second_can =
        pairs->lowest[pair->second] + mip_second_below(pair) <= pairs->highest[pair->first];
    enum mip_direction direction = (enum mip_direction)pairs->direction[p];
    assert(p < pairs->count && !*is_infeasible);
    *is_infeasible |= direction == MIP_FIRST_BELOW    ? !first_can
                      : direction == MIP_SECOND_BELOW ? !second_can
                                                      : !first_can && !second_can;
    if (*is_infeasible)
        return false;
    if (direction == MIP_OPEN && first_can && second_can)
        return false;
    if (direction == MIP_OPEN)
        direction = first_can ? MIP_FIRST_BELOW : MIP_SECOND_BELOW;
    bool changed = mip_pairs_direct(pairs, p, direction);
    return direction == MIP_FIRST_BELOW
               ? narrow_both(pairs, pair->first, pair->second, mip_first_below(pair)) || changed
               : narrow_both(pairs, pair->second, pair->first, mip_second_below(pair)) || changed;
}

bool mip_pairs_conclude(struct mip_pairs *pairs, uint64_t since, bool *is_infeasible)
{
    bool changed = false;
    assert(pairs->direction && pairs->lowest && pairs->highest && since <= pairs->round);
    for (uint32_t p = 0; p < pairs->count && !*is_infeasible; p++) {
        const struct mip_pair *pair = &pairs->pair[p];
        if (pairs->changed[pair->first] < since && pairs->changed[pair->second] < since)
            continue;
        changed |= settle_pair(pairs, p, is_infeasible);
        pairs->work++;
    }
    return changed;
}

enum status mip_pairs_settle(struct mip_pairs *pairs, uint64_t upper, unsigned switches,
                             struct error *error)
{
    const struct problem *problem = pairs->problem;
    TRY(memory_create(&pairs->direction, pairs->count, sizeof *pairs->direction, error));
    TRY(memory_create_all(problem->buffers, error, &pairs->lowest, &pairs->highest, &pairs->changed,
                          &pairs->twin));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t fixed = problem_fixed_offset(problem, b), size = problem->size[b] / pairs->scale;
        assert(size <= upper);
        uint64_t factor = mip_pairs_factor(pairs, b);
        pairs->highest[b] = (int64_t)((upper - size) / factor * factor);
        if (fixed != PROBLEM_FREE)
            pairs->lowest[b] = pairs->highest[b] = (int64_t)(fixed / pairs->scale);
        pairs->twin[b] = b;
        for (uint32_t a = 0; a < b && switches & MIP_TWINS && pairs->twin[b] == b; a++)
            if (are_twins(problem, a, b))
                pairs->twin[b] = a;
        assert(pairs->twin[pairs->twin[b]] == pairs->twin[b]);
    }
    pairs->mirror_pair = switches & MIP_MIRROR ? find_mirror_pair(pairs) : UINT32_MAX;
    for (uint32_t p = 0; p < pairs->count; p++)
        if (p == pairs->mirror_pair ||
            pairs->twin[pairs->pair[p].first] == pairs->twin[pairs->pair[p].second])
            pairs->direction[p] = MIP_FIRST_BELOW;
    return STATUS_OK;
}
