#include "solvers/exact/line_plan.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/timeline.h"

/* Blocks share a list where their sizes lie between the same two powers of two, in the same eighth
   of the way from one to the other. */
enum { PARTS_LOG = 3, PARTS = 1 << PARTS_LOG, LISTS = 64 * PARTS, WORDS = LISTS / 64 };

/* The greatest alignment to which all sizes may be rounded up. */
enum { MOST_ALIGNMENT = 4096 };

#define NO_BLOCK UINT32_MAX

struct block {
    uint64_t begin, bytes;
    uint32_t below, above;   /* its neighbours in the arena, or NO_BLOCK */
    uint32_t previous, next; /* of a free block, in its list; next also of those not in use */
    bool is_free;
};

struct line {
    const struct problem *problem;
    uint64_t alignment;
    struct timeline timeline;
    struct block *block; /* two for each of the most buffers that are live at once, and one more */
    uint32_t unused;     /* first of the blocks that are not in use */
    uint32_t highest;    /* the block that ends last, or NO_BLOCK */
    uint32_t first[LISTS];
    uint64_t used[WORDS]; /* lists that are not empty, a bit each */
    uint32_t *taken;      /* [buffers] the block of each that is live */
};

static uint32_t find_log(uint64_t number)
{
    return 63 - (uint32_t)__builtin_clzll(number);
}

/* In which list a block of this number of bytes is. */
static uint32_t find_list(uint64_t bytes)
{
    assert(bytes > 0);
    uint32_t log = find_log(bytes);
    uint64_t part = log < PARTS_LOG ? bytes << (PARTS_LOG - log) : bytes >> (log - PARTS_LOG);
    return log * PARTS + (uint32_t)(part - PARTS);
}

static void add_free(struct line *line, uint32_t index)
{
    struct block *block = &line->block[index];
    uint32_t list = find_list(block->bytes);
    block->is_free = true;
    block->previous = NO_BLOCK;
    block->next = line->first[list];
    if (block->next != NO_BLOCK)
        line->block[block->next].previous = index;
    line->first[list] = index;
    line->used[list / 64] |= UINT64_C(1) << list % 64;
}

static void remove_free(struct line *line, uint32_t index)
{
    struct block *block = &line->block[index];
    uint32_t list = find_list(block->bytes);
    assert(block->is_free);
    block->is_free = false;
    if (block->next != NO_BLOCK)
        line->block[block->next].previous = block->previous;
    if (block->previous != NO_BLOCK)
        line->block[block->previous].next = block->next;
    else
        line->first[list] = block->next;
    if (line->first[list] == NO_BLOCK)
        line->used[list / 64] &= ~(UINT64_C(1) << list % 64);
}

/* The first list from this one on that is not empty, or LISTS. */
static uint32_t find_used(const struct line *line, uint32_t list)
{
    uint32_t word = list / 64;
    uint64_t bits = list < LISTS ? line->used[word] & UINT64_MAX << list % 64 : 0;
    while (!bits && ++word < WORDS)
        bits = line->used[word];
    return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : LISTS;
}

/* A free block of at least `bytes` bytes, or NO_BLOCK. In the list that these bytes belong to some
   blocks are too small; only the first few of them are looked at. */
static uint32_t find_free(const struct line *line, uint64_t bytes)
{
    enum { LOOKS = 16 };
    uint32_t list = find_list(bytes), index = line->first[list];
    for (uint32_t i = 0; i < LOOKS && index != NO_BLOCK; i++) {
        if (line->block[index].bytes >= bytes)
            return index;
        index = line->block[index].next;
    }
    list = find_used(line, list + 1);
    return list < LISTS ? line->first[list] : NO_BLOCK;
}

static uint32_t use_block(struct line *line)
{
    uint32_t index = line->unused;
    assert(index != NO_BLOCK);
    line->unused = line->block[index].next;
    return index;
}

static void drop_block(struct line *line, uint32_t index)
{
    line->block[index].next = line->unused;
    line->unused = index;
}

static void put_above(struct line *line, uint32_t index, uint32_t below)
{
    struct block *block = &line->block[index];
    block->below = below;
    block->above = below == NO_BLOCK ? NO_BLOCK : line->block[below].above;
    if (below != NO_BLOCK)
        line->block[below].above = index;
    if (block->above != NO_BLOCK)
        line->block[block->above].below = index;
    else
        line->highest = index;
}

static void take_out(struct line *line, uint32_t index)
{
    const struct block *block = &line->block[index];
    if (block->below != NO_BLOCK)
        line->block[block->below].above = block->above;
    if (block->above != NO_BLOCK)
        line->block[block->above].below = block->below;
    else
        line->highest = block->below;
    drop_block(line, index);
}

/* Cuts the block down to `bytes` bytes. What is over becomes a free block of its own. */
static void split(struct line *line, uint32_t index, uint64_t bytes)
{
    struct block *block = &line->block[index];
    if (block->bytes == bytes)
        return;
    uint32_t rest = use_block(line);
    line->block[rest] =
        (struct block){.begin = block->begin + bytes, .bytes = block->bytes - bytes};
    block->bytes = bytes;
    put_above(line, rest, index);
    add_free(line, rest);
}

/* Makes a block above all others. Where the last block is free, and so too small, it grows
   instead. */
static uint32_t extend(struct line *line, uint64_t bytes)
{
    uint32_t index = line->highest;
    if (index != NO_BLOCK && line->block[index].is_free) {
        remove_free(line, index);
        line->block[index].bytes = bytes;
        return index;
    }
    const struct block *highest = index == NO_BLOCK ? NULL : &line->block[index];
    uint64_t begin = highest ? highest->begin + highest->bytes : 0;
    uint32_t added = use_block(line);
    line->block[added] = (struct block){.begin = begin, .bytes = bytes};
    put_above(line, added, index);
    return added;
}

static uint64_t allocate(struct line *line, uint32_t buffer)
{
    uint64_t bytes = align_up(line->problem->size[buffer], line->alignment);
    uint32_t index = find_free(line, bytes);
    if (index == NO_BLOCK) {
        index = extend(line, bytes);
    } else {
        remove_free(line, index);
        split(line, index, bytes);
    }
    line->taken[buffer] = index;
    return line->block[index].begin;
}

/* Frees the block, and makes one block of it and its free neighbours. */
static void release(struct line *line, uint32_t index)
{
    uint32_t below = line->block[index].below, above = line->block[index].above;
    if (above != NO_BLOCK && line->block[above].is_free) {
        remove_free(line, above);
        line->block[index].bytes += line->block[above].bytes;
        take_out(line, above);
    }
    if (below != NO_BLOCK && line->block[below].is_free) {
        remove_free(line, below);
        line->block[below].bytes += line->block[index].bytes;
        take_out(line, index);
        index = below;
    }
    add_free(line, index);
}

static bool is_first(const struct line *line, uint32_t segment)
{
    return line->problem->first[line->timeline.buffer[segment]] == segment;
}

static bool is_last(const struct line *line, uint32_t segment)
{
    return line->problem->first[line->timeline.buffer[segment] + 1] == segment + 1;
}

static uint64_t place_all(struct line *line, uint64_t *offset)
{
    const struct problem *problem = line->problem;
    const struct timeline *timeline = &line->timeline;
    uint64_t peak_bytes = 0;
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], b = timeline->buffer[segment];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++)
            if (is_last(line, timeline->by_upper[ended]))
                release(line, line->taken[timeline->buffer[timeline->by_upper[ended]]]);
        if (!is_first(line, segment))
            continue;
        offset[b] = allocate(line, b);
        uint64_t end = offset[b] + problem->size[b];
        peak_bytes = end > peak_bytes ? end : peak_bytes;
    }
    return peak_bytes;
}

/* The greatest number of buffers that are between their first and their last step at once. */
static uint32_t count_most_live(const struct line *line)
{
    const struct problem *problem = line->problem;
    const struct timeline *timeline = &line->timeline;
    uint32_t live = 0, most = 0;
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++)
            live -= is_last(line, timeline->by_upper[ended]);
        live += is_first(line, segment);
        most = live > most ? live : most;
    }
    return most;
}

static enum status create_blocks(struct line *line, struct error *error)
{
    TRY(timeline_create(line->problem, &line->timeline, error));
    TRY(memory_create(&line->taken, line->problem->buffers, sizeof *line->taken, error));
    uint32_t blocks = 2 * count_most_live(line) + 1;
    TRY(memory_create(&line->block, blocks, sizeof *line->block, error));
    line->unused = line->highest = NO_BLOCK;
    for (uint32_t i = blocks; i-- > 0;)
        drop_block(line, i);
    for (uint32_t i = 0; i < LISTS; i++)
        line->first[i] = NO_BLOCK;
    return STATUS_OK;
}

/* Finds the common multiple of all alignments, to which sizes are rounded up. False where there is
   a fixed buffer, where the multiple is too large, or where the sizes do not add up without
   overflow. */
static bool find_alignment(const struct problem *problem, uint64_t *alignment)
{
    uint64_t sum = 0, padded;
    *alignment = 1;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t own = problem_alignment(problem, b);
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE || own > MOST_ALIGNMENT)
            return false;
        if (own > 1)
            *alignment *= own / greatest_common_divisor(*alignment, own);
        if (*alignment > MOST_ALIGNMENT ||
            !checked_add(problem->size[b], MOST_ALIGNMENT, &padded) ||
            !checked_add(sum, padded, &sum) || sum > INT64_MAX)
            return false;
    }
    return true;
}

enum status line_plan_make(const struct problem *problem, uint64_t *offset, uint64_t *peak_bytes,
                           struct error *error)
{
    struct line line = {.problem = problem};
    *peak_bytes = UINT64_MAX;
    if (problem_is_by_clocks(problem) || !find_alignment(problem, &line.alignment))
        return STATUS_OK;
    enum status status = create_blocks(&line, error);
    if (!status)
        *peak_bytes = place_all(&line, offset);
    timeline_free(&line.timeline);
    memory_free(line.taken);
    memory_free(line.block);
    return status;
}
