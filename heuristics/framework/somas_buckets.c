#include "heuristics/framework/somas_buckets.h"

#include <assert.h>

#include "core/checked.h"

/* The best gap that was found so far for one buffer. */
struct choice {
    const struct somas_buckets *buckets;
    uint32_t buffer;
    enum somas_gap first_gap;
    uint32_t bucket; /* the first bucket that may have room */
    bool found;      /* it has room, at `offset` in a gap of `bytes` bytes */
    uint64_t offset, bytes;
};

static bool is_better(enum somas_gap gap, const struct choice *choice, uint64_t offset,
                      uint64_t bytes)
{
    if (gap == SOMAS_BEST)
        return bytes < choice->bytes;
    if (gap == SOMAS_LARGEST)
        return bytes > choice->bytes;
    return gap == SOMAS_HIGHEST ? offset > choice->offset : offset < choice->offset;
}

/* Considers free bytes [begin, end) inside one bucket. */
static void consider(struct choice *choice, uint64_t begin, uint64_t end)
{
    const struct problem *problem = choice->buckets->problem;
    enum somas_gap gap = choice->bucket ? SOMAS_BEST : choice->first_gap;
    uint64_t offset, top;
    if (!checked_align(begin, problem_alignment(problem, choice->buffer), &offset) ||
        !checked_add(offset, problem->size[choice->buffer], &top) || top > end)
        return;
    if (choice->found && !is_better(gap, choice, offset, end - begin))
        return;
    choice->found = true;
    choice->offset = offset;
    choice->bytes = end - begin;
}

/* Considers a gap in each bucket that it overlaps; a gap may reach over several buckets, and a
   bucket may have several gaps. Gaps come from low to high. False when no later gap can change the
   choice. */
static bool visit_gap(struct choice *choice, uint64_t begin, uint64_t end)
{
    const struct somas_buckets *buckets = choice->buckets;
    while (choice->bucket < buckets->count) {
        uint64_t bucket_begin = buckets->begin[choice->bucket];
        uint64_t bucket_end = buckets->end[choice->bucket];
        if (bucket_begin >= end)
            return true;
        if (bucket_end > begin)
            consider(choice, begin > bucket_begin ? begin : bucket_begin,
                     end < bucket_end ? end : bucket_end);
        if (bucket_end > end)
            return true;
        if (choice->found)
            return false;
        choice->bucket++;
    }
    return false;
}

enum status somas_buckets_place(struct somas_buckets *buckets, const struct somas_rule *rule,
                                uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    const struct problem *problem = buckets->problem;
    buckets->count = 0;
    buckets->top = problem_fixed_end(problem);
    TRY(occupancy_begin(buckets->occupancy, offset, error));
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = rule->sorted[i];
        struct choice choice = {.buckets = buckets, .buffer = b, .first_gap = rule->gap};
        struct gap_walk walk;
        struct gap gap;
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            continue;
        occupancy_walk(buckets->occupancy, b, &walk);
        while (gap_walk_next(&walk, &gap) && visit_gap(&choice, gap.begin, gap.end))
            ;
        offset[b] = choice.offset;
        if (!choice.found) { /* a new bucket is opened */
            if (!checked_align(buckets->top, problem_alignment(problem, b), &offset[b]) ||
                !checked_add(offset[b], problem->size[b], &buckets->top) ||
                buckets->top == PROBLEM_FREE)
                return error_set(error, STATUS_BAD_INPUT,
                                 "no place below 2^64 bytes for buffer '%s'",
                                 names_get(&problem->names, b));
            assert(buckets->count < problem->buffers);
            buckets->begin[buckets->count] = offset[b];
            buckets->end[buckets->count++] = buckets->top;
        }
        TRY(occupancy_take(buckets->occupancy, b, offset[b], offset[b] + problem->size[b], error));
    }
    *peak_bytes = buckets->top;
    return STATUS_OK;
}

enum status somas_buckets_create(const struct problem *problem, struct occupancy *occupancy,
                                 struct somas_buckets *buckets, struct scratch *scratch,
                                 struct error *error)
{
    size_t buffers = problem->buffers;
    *buckets = (struct somas_buckets){.problem = problem, .occupancy = occupancy};
    TRY(scratch_take(scratch, &buckets->begin, buffers, sizeof *buckets->begin, error));
    return scratch_take(scratch, &buckets->end, buffers, sizeof *buckets->end, error);
}
