#include "solvers/exact/line_plan.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/timeline.h"

/* Blocks share a list if their sizes lie in the same eighth of the range between two powers of
   two. */
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

/* In which list a block of this number of bytes is. */
static uint32_t find_list(uint64_t bytes)
{
    assert(bytes > 0);
    uint32_t log = 63 - (uint32_t)__builtin_clzll(bytes);
    uint64_t part = log < PARTS_LOG ? bytes << (PARTS_LOG - log) : bytes >> (log - PARTS_LOG);
    assert(part >= PARTS && part < 2 * PARTS);
    return log * PARTS + (uint32_t)(part - PARTS);
}

static void add_free(struct line *line, uint32_t index)
{
    struct block *block = &line->block[index];
    uint32_t list = find_list(block->bytes);
    assert(!block->is_free && index != NO_BLOCK && list < LISTS);
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

/* A free block of at least `bytes` bytes, or NO_BLOCK. In the list that these bytes belong to some
   blocks are too small; only the first few of them are looked at, then the next list with a block
   in it. */
static uint32_t find_free(const struct line *line, uint64_t bytes)
{
    enum { LOOKS = 16 };
    uint32_t list = find_list(bytes), index = line->first[list];
    for (uint32_t i = 0; i < LOOKS && index != NO_BLOCK; i++) {
        if (line->block[index].bytes >= bytes)
            return index;
        index = line->block[index].next;
    }
    if (++list == LISTS)
        return NO_BLOCK;
    uint32_t word = list / 64;
    uint64_t bits = line->used[word] & UINT64_MAX << list % 64;
    while (!bits && ++word < WORDS)
        bits = line->used[word];
    return bits ? line->first[word * 64 + (uint32_t)__builtin_ctzll(bits)] : NO_BLOCK;
}

/* Takes a block that is not in use and puts it above the one with this index, or as the first. */
static uint32_t add_above(struct line *line, uint32_t below, uint64_t begin, uint64_t bytes)
{
    uint32_t index = line->unused;
    assert(index != NO_BLOCK && bytes > 0);
    struct block *block = &line->block[index];
    assert(below != NO_BLOCK || line->highest == NO_BLOCK);
    assert(below == NO_BLOCK || line->block[below].begin + line->block[below].bytes == begin);
    line->unused = block->next;
    *block = (struct block){.begin = begin, .bytes = bytes, .below = below, .above = NO_BLOCK};
    if (below != NO_BLOCK) {
        block->above = line->block[below].above;
        line->block[below].above = index;
    }
    if (block->above != NO_BLOCK)
        line->block[block->above].below = index;
    else
        line->highest = index;
    return index;
}

static void take_out(struct line *line, uint32_t index)
{
    struct block *block = &line->block[index];
    assert(!block->is_free);
    if (block->below != NO_BLOCK)
        line->block[block->below].above = block->above;
    if (block->above != NO_BLOCK)
        line->block[block->above].below = block->below;
    else
        line->highest = block->below;
    block->next = line->unused;
    line->unused = index;
}

/* The block that begins where the buffer is put: a free one, cut down to its bytes, or one above
   all others. */
static uint32_t allocate(struct line *line, uint64_t bytes)
{
    uint32_t index = find_free(line, bytes), highest = line->highest;
    if (index != NO_BLOCK) {
        remove_free(line, index);
        struct block *block = &line->block[index];
        uint64_t rest = block->bytes - bytes;
        assert(block->bytes >= bytes);
        block->bytes = bytes;
        if (rest)
            add_free(line, add_above(line, index, block->begin + bytes, rest));
        return index;
    }
    if (highest == NO_BLOCK)
        return add_above(line, NO_BLOCK, 0, bytes);
    const struct block *last = &line->block[highest];
    assert(last->above == NO_BLOCK);
    if (!last->is_free)
        return add_above(line, highest, last->begin + last->bytes, bytes);

    /* The last block is free and too small, so it grows. */
    remove_free(line, highest);
    line->block[highest].bytes = bytes;
    return highest;
}

/* Frees the block, and makes one block of it and its free neighbours. */
static void release(struct line *line, uint32_t index)
{
    uint32_t below = line->block[index].below, above = line->block[index].above;
    assert(!line->block[index].is_free);
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
        line->taken[b] = allocate(line, align_up(problem->size[b], line->alignment));
        assert(line->block[line->taken[b]].begin % line->alignment == 0);
        offset[b] = line->block[line->taken[b]].begin;
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
        assert(live > 0 && live <= problem->buffers);
        most = live > most ? live : most;
    }
    return most;
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
        assert(*alignment > 0 && *alignment % own == 0);
        if (*alignment > MOST_ALIGNMENT ||
            !checked_add(problem->size[b], MOST_ALIGNMENT, &padded) ||
            !checked_add(sum, padded, &sum) || sum > INT64_MAX)
            return false;
    }
    return true;
}

static void release_line(struct line *line)
{
    timeline_free(&line->timeline);
    memory_free(line->taken);
    memory_free(line->block);
}

enum status line_plan_make(const struct problem *problem, uint64_t *offset, uint64_t *peak_bytes,
                           struct error *error)
{
    SCOPED(release_line) struct line line = {.problem = problem};
    *peak_bytes = UINT64_MAX;
    if (problem_is_by_clocks(problem) || !find_alignment(problem, &line.alignment))
        return STATUS_OK;
    TRY(timeline_create(problem, &line.timeline, error));
    TRY(memory_create(&line.taken, problem->buffers, sizeof *line.taken, error));
    uint32_t blocks = 2 * count_most_live(&line) + 1;
    TRY(memory_create(&line.block, blocks, sizeof *line.block, error));
    for (uint32_t i = 0; i < blocks; i++)
        line.block[i].next = i + 1 < blocks ? i + 1 : NO_BLOCK;
    line.highest = NO_BLOCK;
    for (uint32_t i = 0; i < LISTS; i++)
        line.first[i] = NO_BLOCK;
    *peak_bytes = place_all(&line, offset);
    return STATUS_OK;
}
