#include "heuristics/skyline/best_block.h"

#include <assert.h>
#include <stdbool.h>

#define NO_RANK UINT32_MAX

/* Bounds on the blocks of a subtree that have not been taken. */
struct reach {
    uint32_t least_rank;
    uint32_t least_lower, most_lower, least_upper, most_upper;
};

/* A subtree as a range of positions. Its root is the block in the middle of [begin, end), its
   children are the ranges before and after it. */
struct range {
    uint32_t begin, end;
};

struct skyline_blocks {
    struct skyline_block *block; /* [count] by position in the tree */
    uint32_t count;
    struct reach *reach; /* [count] the bounds of the subtree whose root is at the position */
    bool *taken;         /* [count] whether the block at the position was taken */
    uint32_t *position;  /* [count] the position of the block of each rank */
};

struct query {
    const struct skyline_blocks *blocks;
    uint32_t from, to;
    uint32_t rank; /* the least rank found so far */
};

static uint32_t get_middle(struct range range)
{
    return range.begin + (range.end - range.begin) / 2;
}

/* Quickselect: rearranges a range so that its middle block is the one that sorting by a coordinate
   would put there, with lower ones before it and greater ones behind. */
static void select_middle(struct skyline_block *block, struct range range, bool by_upper)
{
    uint32_t middle = get_middle(range);
    while (range.end - range.begin > 1) {
        const struct skyline_block *pivot = &block[get_middle(range)];
        uint32_t value = by_upper ? pivot->upper : pivot->lower;
        uint32_t low = range.begin, high = range.end - 1;
        for (;; low++, high--) {
            while ((by_upper ? block[low].upper : block[low].lower) < value)
                low++;
            while ((by_upper ? block[high].upper : block[high].lower) > value)
                high--;
            if (low >= high)
                break;
            struct skyline_block held = block[low];
            block[low] = block[high];
            block[high] = held;
        }
        uint32_t split = low > range.begin ? low : low + 1;
        if (middle < split)
            range.end = split;
        else
            range.begin = split;
    }
}

static void update_reach(struct skyline_blocks *blocks, struct range range)
{
    uint32_t root = get_middle(range);
    const struct skyline_block *block = &blocks->block[root];
    const struct range parts[] = {{range.begin, root}, {root + 1, range.end}};
    struct reach all = {NO_RANK, UINT32_MAX, 0, UINT32_MAX, 0};
    if (!blocks->taken[root])
        all = (struct reach){block->rank, block->lower, block->lower, block->upper, block->upper};
    for (int i = 0; i < 2; i++) {
        if (parts[i].begin >= parts[i].end)
            continue;
        const struct reach part = blocks->reach[get_middle(parts[i])];
        all.least_rank = part.least_rank < all.least_rank ? part.least_rank : all.least_rank;
        all.least_lower = part.least_lower < all.least_lower ? part.least_lower : all.least_lower;
        all.most_lower = part.most_lower > all.most_lower ? part.most_lower : all.most_lower;
        all.least_upper = part.least_upper < all.least_upper ? part.least_upper : all.least_upper;
        all.most_upper = part.most_upper > all.most_upper ? part.most_upper : all.most_upper;
    }
    blocks->reach[root] = all;
}

static void build_tree(struct skyline_blocks *blocks, struct range range, bool by_upper)
{
    if (range.begin >= range.end)
        return;
    uint32_t root = get_middle(range);
    select_middle(blocks->block, range, by_upper);
    build_tree(blocks, (struct range){range.begin, root}, !by_upper);
    build_tree(blocks, (struct range){root + 1, range.end}, !by_upper);
    blocks->position[blocks->block[root].rank] = root;
    update_reach(blocks, range);
}

enum status skyline_blocks_create(struct skyline_block *block, uint32_t count,
                                  struct skyline_blocks **created, struct scratch *scratch,
                                  struct error *error)
{
    struct skyline_blocks *blocks;
    TRY(scratch_take(scratch, &blocks, 1, sizeof *blocks, error));
    blocks->block = block;
    blocks->count = count;
    TRY(scratch_take_all(scratch, count, error, &blocks->reach, &blocks->taken, &blocks->position));
    build_tree(blocks, (struct range){0, count}, false);
    *created = blocks;
    return STATUS_OK;
}

static void search_tree(struct query *query, struct range range)
{
    const struct skyline_blocks *blocks = query->blocks;
    if (range.begin >= range.end)
        return;
    uint32_t root = get_middle(range);
    const struct reach *reach = &blocks->reach[root];
    if (reach->least_rank >= query->rank || reach->most_lower < query->from ||
        reach->least_upper > query->to)
        return;
    if (reach->least_lower >= query->from && reach->most_upper <= query->to) {
        query->rank = reach->least_rank;
        return;
    }
    const struct skyline_block *block = &blocks->block[root];
    if (!blocks->taken[root] && block->rank < query->rank && block->lower >= query->from &&
        block->upper <= query->to)
        query->rank = block->rank;
    search_tree(query, (struct range){range.begin, root});
    search_tree(query, (struct range){root + 1, range.end});
}

static void take_position(struct skyline_blocks *blocks, struct range range, uint32_t position)
{
    uint32_t root = get_middle(range);
    assert(range.begin <= position && position < range.end && !blocks->taken[position]);
    if (position == root)
        blocks->taken[root] = true;
    else if (position < root)
        take_position(blocks, (struct range){range.begin, root}, position);
    else
        take_position(blocks, (struct range){root + 1, range.end}, position);
    update_reach(blocks, range);
}

const struct skyline_block *skyline_blocks_take(struct skyline_blocks *blocks, uint32_t from,
                                                uint32_t to)
{
    const struct range all = {0, blocks->count};
    struct query query = {blocks, from, to, NO_RANK};
    search_tree(&query, all);
    if (query.rank == NO_RANK)
        return NULL;
    take_position(blocks, all, blocks->position[query.rank]);
    return &blocks->block[blocks->position[query.rank]];
}
