#include "solvers/exact/sweep/blocks.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"

enum {
    ALL_SETS = 12, /* of at most this number of items all sets are listed */
    SAME_SUM = 4,  /* sets of what begins, at most, that are tried for one of what ends */
};

static void add_set(struct block_set *set, uint32_t *sets, uint64_t sum, uint64_t bits)
{
    assert(*sets < BLOCKS_MOST_SETS);
    set[(*sets)++] = (struct block_set){sum, bits};
}

uint32_t blocks_list(const struct block_item *item, uint32_t count, struct block_set *set)
{
    uint64_t sum = 0, bits = 0;
    uint32_t sets = 0;
    assert(count > 0 && count <= BLOCKS_MOST_ITEMS);
    for (uint32_t i = 0; i < count; i++) {
        sum += item[i].size;
        assert(item[i].bits && !(bits & item[i].bits));
        bits |= item[i].bits;
    }
    if (count > ALL_SETS) {
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = i; j < count; j++) {
                uint64_t size = item[i].size + (j > i ? item[j].size : 0);
                add_set(set, &sets, size, item[i].bits | item[j].bits);
                add_set(set, &sets, sum - size, bits & ~(item[i].bits | item[j].bits));
            }
        return sets;
    }
    for (uint32_t chosen = 1; chosen + 1 < 1U << count; chosen++) {
        uint64_t size = 0, chosen_bits = 0;
        for (uint32_t i = 0; i < count; i++)
            if (chosen >> i & 1) {
                size += item[i].size;
                chosen_bits |= item[i].bits;
            }
        add_set(set, &sets, size, chosen_bits);
    }
    return sets;
}

COMPARE_MEMBERS(compare_sets, struct block_set, sum, bits)

uint32_t blocks_sort(struct block_set *set, uint32_t sets)
{
    uint32_t kept = 0;
    qsort(set, sets, sizeof *set, compare_sets);
    for (uint32_t i = 0; i < sets; i++)
        if (!kept || set[kept - 1].bits != set[i].bits)
            set[kept++] = set[i];
    assert(kept <= sets && (kept || !sets));
    return kept;
}

static uint32_t find_first(const struct block_set *set, uint32_t sets, uint64_t sum)
{
    uint32_t lower = 0;
    for (uint32_t upper = sets; lower < upper;) {
        uint32_t middle = lower + (upper - lower) / 2;
        if (set[middle].sum < sum)
            lower = middle + 1;
        else
            upper = middle;
    }
    assert(lower == sets || set[lower].sum >= sum);
    return lower;
}

static uint32_t count_buffers(const struct block *block)
{
    return (uint32_t)(__builtin_popcountll(block->ending) + __builtin_popcountll(block->beginning));
}

/* Keeps the blocks of the most buffers, in that order. */
static uint32_t insert(struct block *block, uint32_t blocks, struct block added)
{
    uint32_t at = blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST - 1;
    if (blocks == BLOCKS_MOST && count_buffers(&block[at]) >= count_buffers(&added))
        return blocks;
    for (; at > 0 && count_buffers(&block[at - 1]) < count_buffers(&added); at--)
        block[at] = block[at - 1];
    assert(at < BLOCKS_MOST && added.ending && added.beginning);
    block[at] = added;
    return blocks < BLOCKS_MOST ? blocks + 1 : blocks;
}

uint32_t blocks_match(const struct block_set *ending, uint32_t endings, uint64_t within,
                      const struct block_set *beginning, uint32_t beginnings, struct block *block)
{
    uint32_t blocks = 0;
    assert(within);
    for (uint32_t i = 0; i < endings; i++) {
        if (within & ~ending[i].bits)
            continue;
        uint32_t j = find_first(beginning, beginnings, ending[i].sum);
        for (uint32_t n = 0; n < SAME_SUM && j < beginnings && beginning[j].sum == ending[i].sum;
             n++, j++)
            blocks = insert(block, blocks, (struct block){ending[i].bits, beginning[j].bits});
    }
    return blocks;
}
