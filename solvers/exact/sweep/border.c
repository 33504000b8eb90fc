#include "solvers/exact/sweep/border.h"

#include <assert.h>

#include "solvers/exact/sweep/blocks.h"

static struct sweep_group read_group(const struct groups *groups, uint32_t section)
{
    assert(section < groups->lists);
    size_t first = groups->first[section];
    return (struct sweep_group){groups->item + first,
                                (uint32_t)(groups->first[section + 1] - first)};
}

struct sweep_border sweep_border_find(const struct sweep_pieces *pieces, bool backwards,
                                      uint32_t index)
{
    uint32_t sections = pieces->first_in.lists;
    assert(index + 1 < sections);
    uint32_t before = backwards ? sections - 2 - index : index;
    struct sweep_group earlier = read_group(&pieces->last_in, before);
    struct sweep_group later = read_group(&pieces->first_in, before + 1);
    return (struct sweep_border){.ending = backwards ? later : earlier,
                                 .beginning = backwards ? earlier : later,
                                 .has_bits = earlier.count <= BLOCKS_MOST_ITEMS &&
                                             later.count <= BLOCKS_MOST_ITEMS};
}

struct sweep_group sweep_border_start(const struct sweep_pieces *pieces, bool backwards)
{
    return backwards ? read_group(&pieces->last_in, pieces->last_in.lists - 1)
                     : read_group(&pieces->first_in, 0);
}

uint64_t sweep_border_bits(const struct sweep_border *border, const struct sweep_group *group)
{
    assert(group->count > 0);
    return border->has_bits ? UINT64_MAX >> (64 - group->count) : 1;
}

uint32_t sweep_border_list(const struct sweep_border *border, const struct sweep_group *group,
                           uint64_t bits, uint32_t *listed)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < group->count; i++)
        if (!border->has_bits || bits >> i & 1)
            listed[found++] = group->piece[i];
    return found;
}
