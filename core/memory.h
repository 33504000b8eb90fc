#ifndef MEMPLAN_CORE_MEMORY_H
#define MEMPLAN_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Every allocation of the libraries goes through here, so that a test can make the n-th one fail
   and count what is left. All functions are safe to call from several threads. */

/* Zeroed memory for count items, never NULL on success even for none; NULL when there is none or
   count * item_bytes overflows. The caller frees it with memory_free. */
void *memory_allocate(size_t count, size_t item_bytes);
void *memory_resize(void *block, size_t bytes);
void memory_free(void *block); /* NULL is fine */
/* Frees each of several blocks. */
#define memory_free_all(...)                                                                       \
    memory_free_blocks((void *const[]){__VA_ARGS__},                                               \
                       sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void memory_free_blocks(void *const *block, size_t count);
void memory_release(void *pointer); /* for SCOPED: frees what the pointer at this address holds */
char *memory_copy_text(const char *text);

/* memory_allocate into *block, with STATUS_INTERNAL in error when it fails. */
enum status memory_create(void *block, size_t count, size_t item_bytes, struct error *error);
/* Does this for up to eight arrays of count items each: memory_create_all(count, error, &a, &b). */
#define memory_create_all(count, error, ...)                                                       \
    memory_create_arrays(MEMORY_ARRAYS(__VA_ARGS__), count, error)

/* Arrays to be created, up to one without items: where each is kept, and the bytes of an item. */
struct memory_array {
    void *block;
    size_t item_bytes;
};
enum status memory_create_arrays(const struct memory_array *array, size_t count,
                                 struct error *error);
#define MEMORY_ARRAYS(...)                                                                         \
    ((const struct memory_array[]){                                                                \
        MEMORY_ARRAYS_OF(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)(__VA_ARGS__){NULL, 0}})
#define MEMORY_ARRAYS_OF(a, b, c, d, e, f, g, h, count, ...) MEMORY_ARRAYS_##count
#define MEMORY_ARRAYS_1(a) {a, sizeof **(a)},
#define MEMORY_ARRAYS_2(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_1(__VA_ARGS__)
#define MEMORY_ARRAYS_3(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_2(__VA_ARGS__)
#define MEMORY_ARRAYS_4(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_3(__VA_ARGS__)
#define MEMORY_ARRAYS_5(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_4(__VA_ARGS__)
#define MEMORY_ARRAYS_6(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_5(__VA_ARGS__)
#define MEMORY_ARRAYS_7(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_6(__VA_ARGS__)
#define MEMORY_ARRAYS_8(a, ...) MEMORY_ARRAYS_1(a) MEMORY_ARRAYS_7(__VA_ARGS__)

/* Makes room in the array *items (of *capacity items) for needed items; grows by half, large ones
   by an eighth, so that adding one at a time costs O(1) amortised. The items beyond the old
   capacity are not zeroed. */
enum status memory_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes,
                           struct error *error);

/* For tests: after `allowed` more successful allocations one fails; UINT64_MAX: none. */
void memory_fail_after(uint64_t allowed);
uint64_t memory_live_blocks(void);

/* How much memory a piece of work needs: the most bytes that were allocated at once since
   memory_begin_peak, beyond those that were allocated then; in all threads, and as the allocator
   rounds them up. One piece of work at a time. The library (api/) does not count: 0. */
void memory_begin_peak(void);
uint64_t memory_peak_bytes(void);

#endif
