/* Allocators that run with the network: best fit with joining; the address allocator of ggml,
   ggml-org/ggml src/ggml-alloc.c @ d99724f2b141, with one chunk without limit, whose last free
   block, which grows, is taken only where no other one fits; and TensorFlow's BFC allocator,
   openxla/openxla xla/tsl/framework/bfc_allocator.cc @ 84d7260817c4, whose bins only find the least
   free chunk that fits faster.

   Departure: where a buffer asks for more, all sizes are in units that are also multiples of its
   alignment, so that every offset is aligned. */

#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "heuristics/sizes/calls.h"
#include "heuristics/sizes/size_rules.h"

#define FREE UINT32_MAX

struct allocator_rule {
    uint64_t unit_bytes;
    uint64_t first_region_bytes; /* 0: one region that never ends */
    uint64_t most_spare_bytes;   /* a block with fewer spare bytes is split only if it is twice as
                                    large as needed */
    bool highest;                /* of equal blocks */
};

struct block {
    uint64_t begin, bytes;
    uint32_t buffer; /* or FREE */
    uint32_t region;
};

struct allocator {
    const struct allocator_rule *rule;
    struct block *block; /* [count] by address */
    uint32_t count, regions;
    size_t capacity;
    uint64_t unit, region_bytes; /* of the next region */
    uint64_t end;                /* of the regions, or of the highest byte that was ever used */
};

static void free_allocator(struct allocator *allocator)
{
    memory_free(allocator->block);
}

static enum status insert_block(struct allocator *allocator, uint32_t at, struct block block,
                                struct error *error)
{
    TRY(memory_reserve(&allocator->block, &allocator->capacity, (size_t)allocator->count + 1,
                       sizeof *allocator->block, error));
    struct block *blocks = allocator->block;
    memmove(blocks + at + 1, blocks + at, (allocator->count++ - at) * sizeof *blocks);
    blocks[at] = block;
    return STATUS_OK;
}

/* Adds a region that is large enough: of the bytes that the next one has, doubled until they are
   enough, or else doubled afterwards. */
static enum status add_region(struct allocator *allocator, uint64_t bytes, struct error *error)
{
    struct block added = {.begin = allocator->end, .buffer = FREE, .region = allocator->regions++};
    bool grew = allocator->region_bytes < bytes;
    while (allocator->region_bytes < bytes)
        allocator->region_bytes *= 2;
    added.bytes = allocator->region_bytes;
    if (!grew)
        allocator->region_bytes *= 2;
    if (!checked_add(allocator->end, added.bytes, &allocator->end) || allocator->end > INT64_MAX)
        return size_rules_fail_full(error);
    return insert_block(allocator, allocator->count, added, error);
}

static uint32_t find_block(const struct allocator *allocator, uint64_t bytes)
{
    const struct block *block = allocator->block;
    uint32_t best = allocator->count;
    for (uint32_t i = 0; i < allocator->count; i++)
        if (block[i].buffer == FREE && block[i].bytes >= bytes &&
            (best == allocator->count || block[i].bytes < block[best].bytes ||
             (allocator->rule->highest && block[i].bytes == block[best].bytes)))
            best = i;
    return best;
}

static enum status allocate(struct allocator *allocator, uint32_t buffer, uint64_t size,
                            uint64_t *offset, struct error *error)
{
    const struct allocator_rule *rule = allocator->rule;
    uint64_t bytes;
    if (!checked_align(size, allocator->unit, &bytes) || bytes > INT64_MAX)
        return size_rules_fail_full(error);
    uint32_t at = find_block(allocator, bytes);
    if (at == allocator->count && !rule->first_region_bytes)
        return size_rules_fail_full(error);
    if (at == allocator->count)
        TRY(add_region(allocator, bytes, error));
    struct block whole = allocator->block[at];
    uint64_t spare = whole.bytes - bytes;
    if (spare && (spare >= bytes || spare >= rule->most_spare_bytes)) {
        struct block rest = {whole.begin + bytes, spare, FREE, whole.region};
        TRY(insert_block(allocator, at + 1, rest, error));
        allocator->block[at].bytes = bytes;
    }
    allocator->block[at].buffer = buffer;
    *offset = whole.begin;
    if (!rule->first_region_bytes && whole.begin + bytes > allocator->end)
        allocator->end = whole.begin + bytes;
    return STATUS_OK;
}

static void join_with_next(struct allocator *allocator, uint32_t at)
{
    struct block *block = allocator->block + at;
    if (at + 1 >= allocator->count || block[0].buffer != FREE || block[1].buffer != FREE ||
        block[0].region != block[1].region)
        return;
    block[0].bytes += block[1].bytes;
    memmove(block + 1, block + 2, (--allocator->count - at - 1) * sizeof *block);
}

static void release(struct allocator *allocator, uint32_t buffer)
{
    uint32_t at = 0;
    while (allocator->block[at].buffer != buffer)
        at++;
    allocator->block[at].buffer = FREE;
    join_with_next(allocator, at);
    if (at)
        join_with_next(allocator, at - 1);
}

static enum status run(const struct size_rule_task *task, const struct allocator_rule *rule,
                       uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    const struct problem *problem = task->family->problem;
    SCOPED(free_allocator)
    struct allocator allocator = {.rule = rule, .region_bytes = rule->first_region_bytes};
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct event *event;
    TRY(size_rules_find_unit(problem, rule->unit_bytes, &allocator.unit, error));
    if (!rule->first_region_bytes)
        TRY(insert_block(&allocator, 0, (struct block){0, INT64_MAX, FREE, 0}, error));
    TRY(size_rules_calls(problem, &event, &scratch, error));
    for (uint32_t i = 0; i < 2 * problem->buffers; i++) {
        uint32_t b = event[i].buffer;
        if (event[i].frees)
            release(&allocator, b);
        else
            TRY(allocate(&allocator, b, task->size[b], &offset[b], error));
    }
    *peak_bytes = allocator.end;
    return STATUS_OK;
}

enum status size_rules_best_fit(const struct size_rule_task *task, uint64_t *offset,
                                uint64_t *peak_bytes, struct error *error)
{
    return run(task, &(struct allocator_rule){.unit_bytes = 1}, offset, peak_bytes, error);
}

enum status size_rules_ggml(const struct size_rule_task *task, uint64_t *offset,
                            uint64_t *peak_bytes, struct error *error)
{
    const struct allocator_rule rule = {.unit_bytes = 32, .highest = true};
    return run(task, &rule, offset, peak_bytes, error);
}

enum status size_rules_bfc(const struct size_rule_task *task, uint64_t *offset,
                           uint64_t *peak_bytes, struct error *error)
{
    const struct allocator_rule rule = {.unit_bytes = 256,
                                        .first_region_bytes = UINT64_C(2) << 20,
                                        .most_spare_bytes = UINT64_C(128) << 20};
    return run(task, &rule, offset, peak_bytes, error);
}
