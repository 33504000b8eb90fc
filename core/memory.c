#include "core/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"

#ifdef MEMPLAN_COUNTS_NO_MEMORY

/* For the library (api/), which has no variables that are written. */
static int refuse_allocation(void)
{
    return 0;
}

static void *count_block(void *block)
{
    return block;
}

static void forget_block(void)
{
}

#else

static _Atomic uint64_t allowed_allocations = UINT64_MAX;
static _Atomic uint64_t live_blocks;

static int refuse_allocation(void)
{
    if (atomic_load_explicit(&allowed_allocations, memory_order_relaxed) == UINT64_MAX)
        return 0;
    if (atomic_fetch_sub(&allowed_allocations, 1) != 0)
        return 0;
    atomic_store(&allowed_allocations, UINT64_MAX);
    return 1;
}

static void *count_block(void *block)
{
    if (block)
        atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return block;
}

static void forget_block(void)
{
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
}

void memory_fail_after(uint64_t allowed)
{
    atomic_store(&allowed_allocations, allowed);
}

uint64_t memory_live_blocks(void)
{
    return atomic_load(&live_blocks);
}

#endif

void *memory_allocate(size_t count, size_t item_bytes)
{
    if (refuse_allocation())
        return NULL;
    return count_block(calloc(count ? count : 1, item_bytes ? item_bytes : 1));
}

void *memory_resize(void *block, size_t bytes)
{
    if (refuse_allocation())
        return NULL;
    void *resized = realloc(block, bytes ? bytes : 1);
    return block ? resized : count_block(resized);
}

void memory_free(void *block)
{
    if (block)
        forget_block();
    free(block);
}

char *memory_copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = memory_allocate(bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

enum status memory_create(void *block, size_t count, size_t item_bytes, struct error *error)
{
    void *created = memory_allocate(count, item_bytes);
    if (!created)
        return error_no_memory(error);
    memcpy(block, &created, sizeof created);
    return STATUS_OK;
}

enum status memory_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes,
                           struct error *error)
{
    if (needed <= *capacity)
        return STATUS_OK;
    size_t grown = *capacity + *capacity / 2 + 8;
    if (grown < needed)
        grown = needed;
    uint64_t bytes;
    void *block;
    memcpy(&block, items, sizeof block);
    if (!checked_multiply(grown, item_bytes, &bytes) || bytes > SIZE_MAX / 2)
        return error_no_memory(error);
    block = memory_resize(block, (size_t)bytes);
    if (!block)
        return error_no_memory(error);
    memcpy(items, &block, sizeof block);
    *capacity = grown;
    return STATUS_OK;
}
