#include "planning/verify/rank_set.h"

#include <assert.h>

enum { BITS = 64 };

enum status rank_set_create(uint32_t size, struct rank_set *set, struct scratch *scratch,
                            struct error *error)
{
    size_t words = size;
    *set = (struct rank_set){0};
    do {
        assert(set->levels < RANK_SET_LEVELS);
        words = words / BITS + 1;
        TRY(scratch_take(scratch, &set->word[set->levels++], words, sizeof(uint64_t), error));
    } while (words > 1);
    return STATUS_OK;
}

void rank_set_insert(struct rank_set *set, uint32_t number)
{
    for (uint32_t l = 0; l < set->levels; l++, number /= BITS)
        set->word[l][number / BITS] |= UINT64_C(1) << number % BITS;
}

void rank_set_remove(struct rank_set *set, uint32_t number)
{
    for (uint32_t l = 0; l < set->levels; l++, number /= BITS) {
        set->word[l][number / BITS] &= ~(UINT64_C(1) << number % BITS);
        if (set->word[l][number / BITS])
            return;
    }
}

bool rank_set_below(const struct rank_set *set, uint32_t number, uint32_t *below)
{
    assert(set->levels > 0);
    for (uint32_t l = 0; l < set->levels; l++, number /= BITS) {
        uint64_t word = set->word[l][number / BITS] & ((UINT64_C(1) << number % BITS) - 1);
        if (!word)
            continue;
        number = number / BITS * BITS + BITS - 1 - (uint32_t)__builtin_clzll(word);
        while (l-- > 0)
            number = number * BITS + BITS - 1 - (uint32_t)__builtin_clzll(set->word[l][number]);
        *below = number;
        return true;
    }
    return false;
}

bool rank_set_above(const struct rank_set *set, uint32_t number, uint32_t *above)
{
    assert(set->levels > 0);
    for (uint32_t l = 0; l < set->levels; l++, number /= BITS) {
        uint64_t word = set->word[l][number / BITS] & ~(UINT64_MAX >> (BITS - 1 - number % BITS));
        if (!word)
            continue;
        number = number / BITS * BITS + (uint32_t)__builtin_ctzll(word);
        while (l-- > 0)
            number = number * BITS + (uint32_t)__builtin_ctzll(set->word[l][number]);
        *above = number;
        return true;
    }
    return false;
}
