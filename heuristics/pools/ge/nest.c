#include "heuristics/pools/ge/nest.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"
#include "heuristics/common/treap.h"

enum { MOST_DEPTH = 100 };

struct block {
    uint64_t size, used;     /* its own bytes, and the bytes of the blocks directly inside it */
    uint64_t offset;         /* in the block around it */
    uint32_t first, members; /* its buffers, in nest.member */
    uint32_t begin;          /* first step of any of its buffers */
    uint32_t object;         /* the object that it was made of, at last the one that it is in */
    uint32_t around;         /* the block around it, or POOLS_NONE */
    /* The first and the last block directly inside it, and the next block in the same one around;
       or POOLS_NONE. */
    uint32_t inner, last, next;
};

struct nest {
    struct pools *pools;
    struct block *block;  /* [blocks] largest first */
    uint32_t *member;     /* [buffers] ordered by object */
    struct treap by_time; /* buffers ordered by block, then by first step */
    uint32_t blocks;
};

/* Largest first; of equals the one with more buffers, then the earlier begun. */
static int compare_ascending(const void *left, const void *right)
{
    const struct block *a = left, *b = right;
    int order = compare_numbers(b->size, a->size);
    order = order ? order : compare_numbers(b->members, a->members);
    order = order ? order : compare_numbers(a->begin, b->begin);
    return order ? order : compare_numbers(a->object, b->object);
}

/* Largest first; of equals the later begun. */
static int compare_descending(const void *left, const void *right)
{
    const struct block *a = left, *b = right;
    int order = compare_numbers(b->size, a->size);
    order = order ? order : compare_numbers(b->begin, a->begin);
    return order ? order : compare_numbers(a->object, b->object);
}

/* Makes a block of each object, with its buffers, and sorts the blocks. */
static void fill_blocks(struct nest *nest, bool ascending)
{
    const struct pools *pools = nest->pools;
    const struct problem *problem = pools->problem;
    uint32_t first = 0;
    nest->blocks = pools->objects;
    for (uint32_t o = 0; o < pools->objects; o++)
        nest->block[o] = (struct block){.size = pools->bytes[o],
                                        .begin = UINT32_MAX,
                                        .object = o,
                                        .around = POOLS_NONE,
                                        .inner = POOLS_NONE,
                                        .last = POOLS_NONE,
                                        .next = POOLS_NONE};
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (pools->object[b] != POOLS_NONE)
            nest->block[pools->object[b]].members++;
    for (uint32_t o = 0; o < pools->objects; o++) {
        nest->block[o].first = first;
        first += nest->block[o].members;
        nest->block[o].members = 0;
    }
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (pools->object[b] == POOLS_NONE)
            continue;
        struct block *block = &nest->block[pools->object[b]];
        uint32_t lower = problem_lower(problem, b);
        nest->member[block->first + block->members++] = b;
        block->begin = lower < block->begin ? lower : block->begin;
    }
    qsort(nest->block, nest->blocks, sizeof *nest->block,
          ascending ? compare_ascending : compare_descending);
    for (uint32_t i = 0; i < nest->blocks; i++)
        for (uint32_t m = 0; m < nest->block[i].members; m++) {
            uint32_t b = nest->member[nest->block[i].first + m];
            treap_add(&nest->by_time, b, (struct treap_key){i, problem_lower(problem, b), b});
        }
}

/* Whether none of the outer block's own buffers is live together with one of the inner block's. */
static bool are_apart(const struct nest *nest, uint32_t outer, uint32_t inner)
{
    const struct problem *problem = nest->pools->problem;
    const struct block *block = &nest->block[inner];
    for (uint32_t m = block->first; m < block->first + block->members; m++) {
        uint32_t lower = problem_lower(problem, nest->member[m]);
        uint32_t upper = problem_upper(problem, nest->member[m]);
        uint32_t before = treap_below(&nest->by_time, (struct treap_key){outer, upper, 0});
        if (before != TREAP_NONE && nest->by_time.node[before].key.group == outer &&
            problem_upper(problem, before) > lower)
            return false;
    }
    return true;
}

static bool take_inside(struct nest *nest, uint32_t outer, uint32_t inner, uint32_t depth)
{
    struct block *around = &nest->block[outer], *block = &nest->block[inner];
    bool room = around->used <= around->size && block->size <= around->size - around->used;
    if (depth > MOST_DEPTH || (!room && around->inner == POOLS_NONE) ||
        !are_apart(nest, outer, inner))
        return false;
    for (uint32_t i = around->inner; i != POOLS_NONE; i = nest->block[i].next)
        if (take_inside(nest, i, inner, depth + 1))
            return true;
    if (!room)
        return false;
    assert(outer < inner && block->around == POOLS_NONE);
    block->around = outer;
    block->offset = around->used;
    around->used += block->size;
    if (around->inner == POOLS_NONE)
        around->inner = inner;
    else
        nest->block[around->last].next = inner;
    around->last = inner;
    return true;
}

enum status ge_nest(struct pools *pools, const struct ge_nesting *nesting, bool *fits,
                    struct scratch *scratch, struct error *error)
{
    struct nest nest = {.pools = pools};
    uint32_t buffers = pools->problem->buffers;
    TRY(scratch_take(scratch, &nest.block, pools->objects, sizeof *nest.block, error));
    TRY(scratch_take(scratch, &nest.member, buffers, sizeof *nest.member, error));
    TRY(treap_create(&nest.by_time, buffers, scratch, error));
    fill_blocks(&nest, nesting->ascending);
    for (uint32_t i = 0; i < nest.blocks; i++)
        for (uint32_t j = i + 1; nest.block[i].around == POOLS_NONE && j < nest.blocks; j++)
            if (nest.block[j].around == POOLS_NONE && nest.block[j].inner == POOLS_NONE)
                take_inside(&nest, i, j, 1);

    /* The outermost blocks become the objects. A block comes before the blocks inside it, so one
       pass finds the offset of each block in its object. */
    *fits = false;
    pools->objects = 0;
    for (uint32_t i = 0; i < nest.blocks; i++) {
        struct block *block = &nest.block[i];
        const struct block *around = &nest.block[block->around == POOLS_NONE ? i : block->around];
        block->object = around == block ? pools_add(pools, 0) : around->object;
        block->offset += around == block ? 0 : around->offset;
        for (uint32_t m = block->first; m < block->first + block->members; m++) {
            uint32_t b = nest.member[m];
            uint64_t end;
            if (!checked_add(block->offset, pools->problem->size[b], &end) ||
                !checked_align(end, nesting->granule_bytes, &end))
                return STATUS_OK;
            pools_join(pools, block->object, b, end);
            pools->inside[b] = block->offset;
        }
    }
    *fits = true;
    return STATUS_OK;
}
