#include "solvers/exact/line_plan.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/timeline.h"

/* Chunks share a list if their sizes lie in the same eighth of the range between two powers of
   two. */
enum { PARTS_LOG = 3, PARTS = 1 << PARTS_LOG, LISTS = 64 * PARTS, WORDS = LISTS / 64 };

/* The greatest alignment to which all sizes may be rounded up. */
enum { MOST_ALIGNMENT = 4096 };

#define NO_CHUNK UINT32_MAX

struct chunk {
    uint64_t begin, bytes;
    uint32_t below, above;   /* its neighbours in the arena, or NO_CHUNK */
    uint32_t previous, next; /* of a free chunk, in its list; next also of those not in use */
    bool is_free;
};

struct line {
    const struct problem *problem;
    uint64_t alignment;
    struct timeline timeline;
    struct chunk *chunk; /* two for each of the most buffers that are live at once, and one more */
    uint32_t unused;     /* first of the chunks that are not in use */
    uint32_t highest;    /* the chunk that ends last, or NO_CHUNK */
    uint32_t first[LISTS];
    uint64_t used[WORDS]; /* lists that are not empty, a bit each */
    uint32_t *taken;      /* [buffers] the chunk of each that is live */
};

/* In which list a chunk of this number of bytes is. */
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
    struct chunk *chunk = &line->chunk[index];
    uint32_t list = find_list(chunk->bytes);
    assert(!chunk->is_free && index != NO_CHUNK && list < LISTS);
    chunk->is_free = true;
    chunk->previous = NO_CHUNK;
    chunk->next = line->first[list];
    if (chunk->next != NO_CHUNK)
        line->chunk[chunk->next].previous = index;
    line->first[list] = index;
    line->used[list / 64] |= UINT64_C(1) << list % 64;
}

static void remove_free(struct line *line, uint32_t index)
{
    struct chunk *chunk = &line->chunk[index];
    uint32_t list = find_list(chunk->bytes);
    assert(chunk->is_free);
    chunk->is_free = false;
    if (chunk->next != NO_CHUNK)
        line->chunk[chunk->next].previous = chunk->previous;
    if (chunk->previous != NO_CHUNK)
        line->chunk[chunk->previous].next = chunk->next;
    else
        line->first[list] = chunk->next;
    if (line->first[list] == NO_CHUNK)
        line->used[list / 64] &= ~(UINT64_C(1) << list % 64);
}

/* A free chunk of at least `bytes` bytes, or NO_CHUNK. In the list that these bytes belong to some
   chunks are too small; only the first few of them are looked at, then the next list with a chunk
   in it. */
static uint32_t find_free(const struct line *line, uint64_t bytes)
{
    enum { LOOKS = 16 };
    uint32_t list = find_list(bytes), index = line->first[list];
    for (uint32_t i = 0; i < LOOKS && index != NO_CHUNK; i++) {
        if (line->chunk[index].bytes >= bytes)
            return index;
        index = line->chunk[index].next;
    }
    if (++list == LISTS)
        return NO_CHUNK;
    uint32_t word = list / 64;
    uint64_t bits = line->used[word] & UINT64_MAX << list % 64;
    while (!bits && ++word < WORDS)
        bits = line->used[word];
    return bits ? line->first[word * 64 + (uint32_t)__builtin_ctzll(bits)] : NO_CHUNK;
}

/* Takes a chunk that is not in use and puts it above the one with this index, or as the first. */
static uint32_t add_above(struct line *line, uint32_t below, uint64_t begin, uint64_t bytes)
{
    uint32_t index = line->unused;
    assert(index != NO_CHUNK && bytes > 0);
    struct chunk *chunk = &line->chunk[index];
    assert(below != NO_CHUNK || line->highest == NO_CHUNK);
    assert(below == NO_CHUNK || line->chunk[below].begin + line->chunk[below].bytes == begin);
    line->unused = chunk->next;
    *chunk = (struct chunk){.begin = begin, .bytes = bytes, .below = below, .above = NO_CHUNK};
    if (below != NO_CHUNK) {
        chunk->above = line->chunk[below].above;
        line->chunk[below].above = index;
    }
    if (chunk->above != NO_CHUNK)
        line->chunk[chunk->above].below = index;
    else
        line->highest = index;
    return index;
}

static void take_out(struct line *line, uint32_t index)
{
    struct chunk *chunk = &line->chunk[index];
    assert(!chunk->is_free);
    if (chunk->below != NO_CHUNK)
        line->chunk[chunk->below].above = chunk->above;
    if (chunk->above != NO_CHUNK)
        line->chunk[chunk->above].below = chunk->below;
    else
        line->highest = chunk->below;
    chunk->next = line->unused;
    line->unused = index;
}

/* The chunk that begins where the buffer is put: a free one, cut down to its bytes, or one above
   all others. */
static uint32_t allocate(struct line *line, uint64_t bytes)
{
    uint32_t index = find_free(line, bytes), highest = line->highest;
    if (index != NO_CHUNK) {
        remove_free(line, index);
        struct chunk *chunk = &line->chunk[index];
        uint64_t rest = chunk->bytes - bytes;
        assert(chunk->bytes >= bytes);
        chunk->bytes = bytes;
        if (rest)
            add_free(line, add_above(line, index, chunk->begin + bytes, rest));
        return index;
    }
    if (highest == NO_CHUNK)
        return add_above(line, NO_CHUNK, 0, bytes);
    const struct chunk *last = &line->chunk[highest];
    assert(last->above == NO_CHUNK);
    if (!last->is_free)
        return add_above(line, highest, last->begin + last->bytes, bytes);

    /* The last chunk is free and too small, so it grows. */
    remove_free(line, highest);
    line->chunk[highest].bytes = bytes;
    return highest;
}

/* Frees the chunk, and makes one chunk of it and its free neighbours. */
static void release(struct line *line, uint32_t index)
{
    uint32_t below = line->chunk[index].below, above = line->chunk[index].above;
    assert(!line->chunk[index].is_free);
    if (above != NO_CHUNK && line->chunk[above].is_free) {
        remove_free(line, above);
        line->chunk[index].bytes += line->chunk[above].bytes;
        take_out(line, above);
    }
    if (below != NO_CHUNK && line->chunk[below].is_free) {
        remove_free(line, below);
        line->chunk[below].bytes += line->chunk[index].bytes;
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
        assert(line->chunk[line->taken[b]].begin % line->alignment == 0);
        offset[b] = line->chunk[line->taken[b]].begin;
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
    memory_free_all(line->taken, line->chunk);
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
    uint32_t chunks = 2 * count_most_live(&line) + 1;
    TRY(memory_create(&line.chunk, chunks, sizeof *line.chunk, error));
    for (uint32_t i = 0; i < chunks; i++)
        line.chunk[i].next = i + 1 < chunks ? i + 1 : NO_CHUNK;
    line.highest = NO_CHUNK;
    for (uint32_t i = 0; i < LISTS; i++)
        line.first[i] = NO_CHUNK;
    *peak_bytes = place_all(&line, offset);
    return STATUS_OK;
}
