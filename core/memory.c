#include "core/memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"

#ifdef MEMPLAN_COUNTS_NO_MEMORY

/* The library (api/) is built without counters, since it has no variables that are written. */
static int refuse_allocation(void)
{
    return 0;
}

static void count_block(void *block)
{
    (void)block;
}

static void forget_block(void *block)
{
    (void)block;
}

void memory_begin_peak(void)
{
}

uint64_t memory_peak_bytes(void)
{
    return 0;
}

#else

static _Atomic uint64_t allowed_allocations = UINT64_MAX;
static _Atomic uint64_t live_blocks, live_bytes;
static _Atomic uint64_t most_bytes,
    bytes_at_begin; /* since memory_begin_peak, and when it was called */

static int refuse_allocation(void)
{
    if (atomic_load_explicit(&allowed_allocations, memory_order_relaxed) == UINT64_MAX)
        return 0;
    if (atomic_fetch_sub(&allowed_allocations, 1) != 0)
        return 0;
    atomic_store(&allowed_allocations, UINT64_MAX);
    return 1;
}

static void count_block(void *block)
{
    uint64_t bytes = malloc_usable_size(block);
    atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    uint64_t live = atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed) + bytes;
    uint64_t most = atomic_load_explicit(&most_bytes, memory_order_relaxed);
    while (live > most && !atomic_compare_exchange_weak(&most_bytes, &most, live))
        ;
}

static void forget_block(void *block)
{
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&live_bytes, malloc_usable_size(block), memory_order_relaxed);
}

void memory_fail_after(uint64_t allowed)
{
    atomic_store(&allowed_allocations, allowed);
}

uint64_t memory_live_blocks(void)
{
    return atomic_load(&live_blocks);
}

void memory_begin_peak(void)
{
    atomic_store(&bytes_at_begin, atomic_load(&live_bytes));
    atomic_store(&most_bytes, atomic_load(&live_bytes));
}

uint64_t memory_peak_bytes(void)
{
    return atomic_load(&most_bytes) - atomic_load(&bytes_at_begin);
}

#endif

void *memory_allocate(size_t count, size_t item_bytes)
{
    if (refuse_allocation())
        return NULL;
    void *block = calloc(count ? count : 1, item_bytes ? item_bytes : 1);
    if (block)
        count_block(block);
    return block;
}

void *memory_resize(void *block, size_t bytes)
{
    if (refuse_allocation())
        return NULL;
    if (block)
        forget_block(block);
    void *resized = realloc(block, bytes ? bytes : 1);
    if (resized || block)
        count_block(resized ? resized : block);
    return resized;
}

void memory_free(void *block)
{
    if (block)
        forget_block(block);
    free(block);
}

void memory_free_blocks(void *const *block, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory_free(block[i]);
}

void memory_release(void *pointer)
{
    void *held;
    memcpy(&held, pointer, sizeof held);
    memory_free(held);
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

enum status memory_create_arrays(const struct memory_array *array, size_t count,
                                 struct error *error)
{
    for (; array->block; array++)
        TRY(memory_create(array->block, count, array->item_bytes, error));
    return STATUS_OK;
}

enum { LARGE_BYTES = 1 << 17 }; /* from here on allocators move a block without copying it */

enum status memory_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes,
                           struct error *error)
{
    if (needed <= *capacity)
        return STATUS_OK;
    size_t grown = *capacity + *capacity / (*capacity > LARGE_BYTES / item_bytes ? 8 : 2) + 8;
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
