/* Changes to the numbers of blocks, for one width of number: blocks.c includes this once for each
   width, with LANE and NAME() as lanes.h says. */

#include "solvers/exact/race/lanes.h"

static void NAME(add_bytes)(struct exact_blocks *blocks, uint32_t block, uint32_t entry, bool left)
{
    LANE width = (LANE)blocks->grid->entry[entry].width;
    struct NAME(block) *found = NAME(find_block)(blocks, block);
    assert(block < blocks->grid->blocks && entry < blocks->grid->entries);
    found->bytes_left += *NAME(find_inside)(blocks, entry) & (LANE)(left ? width : -width);
}

static void NAME(restore)(struct exact_blocks *blocks, const struct exact_saved_block *saved)
{
    struct NAME(block) *found = NAME(find_block)(blocks, saved->block);
    memcpy(&found->floor, saved->found, sizeof saved->found);
}

static void NAME(read)(const struct exact_blocks *blocks, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number)
{
    for (uint32_t b = begin / LANES; b < (end + LANES - 1) / LANES; b++) {
        const NAME(vector) *found = &NAME(find_block)(blocks, b)->bytes_left + what;
        for (uint32_t l = 0; l < LANES; l++)
            number[b * LANES + l] = (uint64_t)((const LANE *)found)[l];
        for (uint32_t l = 0; what == EXACT_FLOOR && l < LANES; l++)
            number[b * LANES + l] =
                number[b * LANES + l] == MOST ? UINT64_MAX : number[b * LANES + l];
    }
}

#undef INLINE
#undef LANES
#undef MOST
#undef LANE
#undef NAME
