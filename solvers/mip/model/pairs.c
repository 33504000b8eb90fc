#include "solvers/mip/model/pairs.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_pairs(const void *left, const void *right)
{
    const struct mip_pair *a = left, *b = right;
    const uint64_t x[] = {a->first,       a->second,       a->first_lower,
                          a->first_upper, a->second_lower, a->second_upper};
    const uint64_t y[] = {b->first,       b->second,       b->first_lower,
                          b->first_upper, b->second_lower, b->second_upper};
    for (int i = 0; i < 6; i++)
        if (x[i] != y[i])
            return compare_u64(x[i], y[i]);
    return 0;
}

static struct mip_pair make_pair(const struct mip_pairs *pairs, struct mip_window first,
                                 struct mip_window second)
{
    assert(first.buffer < second.buffer);
    const struct problem *problem = pairs->problem;
    uint64_t scale = pairs->scale;
    return (struct mip_pair){.first = first.buffer,
                             .second = second.buffer,
                             .first_lower = problem_window_lower(problem, first.segment) / scale,
                             .first_upper = problem_window_upper(problem, first.segment) / scale,
                             .second_lower = problem_window_lower(problem, second.segment) / scale,
                             .second_upper = problem_window_upper(problem, second.segment) / scale};
}

uint64_t mip_pairs_entries(const struct sections *sections)
{
    uint64_t entries = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        uint64_t members = sections->first[s + 1] - sections->first[s];
        entries += members * members;
    }
    return entries;
}

static uint32_t drop_repeated(struct mip_pair *pair, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!kept || compare_pairs(&pair[kept - 1], &pair[i]) != 0)
            pair[kept++] = pair[i];
    return kept;
}

/* The segment of a section's member. */
static struct mip_window get_window(const struct sections *sections, uint64_t member)
{
    return (struct mip_window){sections->member[member], sections->segment[member]};
}

enum status mip_pairs_collect(struct mip_pairs *pairs, const struct sections *sections,
                              struct error *error)
{
    uint32_t count = 0;
    assert(pairs->scale > 0);
    TRY(memory_create(&pairs->pair, mip_pairs_entries(sections) / 2, sizeof *pairs->pair, error));
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (uint64_t j = i + 1; j < sections->first[s + 1]; j++) {
                assert(sections->member[i] < sections->member[j]);
                pairs->pair[count++] =
                    make_pair(pairs, get_window(sections, i), get_window(sections, j));
            }
    assert(2 * (uint64_t)count <= mip_pairs_entries(sections));
    qsort(pairs->pair, count, sizeof *pairs->pair, compare_pairs);
    pairs->count = drop_repeated(pairs->pair, count);
    return STATUS_OK;
}

uint32_t mip_pairs_find(const struct mip_pairs *pairs, struct mip_window one,
                        struct mip_window other, bool *one_is_first)
{
    assert(one.buffer != other.buffer);
    *one_is_first = one.buffer < other.buffer;
    struct mip_pair key =
        *one_is_first ? make_pair(pairs, one, other) : make_pair(pairs, other, one);
    const struct mip_pair *found =
        bsearch(&key, pairs->pair, pairs->count, sizeof key, compare_pairs);
    assert(found);
    return (uint32_t)(found - pairs->pair);
}
