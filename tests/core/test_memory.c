#include <stdbool.h>
#include <string.h>

#include "core/memory.h"
#include "support/must.h"

/* AddressSanitizer ends the program when calloc is asked for too much, unless it is told not to. It
   looks for this function from a library of its own, so it must be visible. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* What one case leaves behind would hide in the count of the next. */
static uint64_t live_at_start;

static void begin(void)
{
    live_at_start = memory_live_blocks();
}

static uint64_t count_live(void)
{
    return memory_live_blocks() - live_at_start;
}

static void test_allocate(void)
{
    void *block;
    begin();
    unsigned char *bytes = memory_allocate(100, 3);
    bool zeroed = bytes != NULL;
    for (int i = 0; zeroed && i < 300; i++)
        zeroed = bytes[i] == 0;
    CU_ASSERT_TRUE(zeroed);
    CU_ASSERT_EQUAL(count_live(), 1);
    void *none = memory_allocate(0, 8), *empty = memory_allocate(8, 0);
    CU_ASSERT(none && empty);
    memory_free(bytes);
    memory_free(none);
    memory_free(empty);
    memory_free(NULL);
    CU_ASSERT_PTR_NULL(memory_allocate(SIZE_MAX / 2, 3));
    CU_ASSERT_EQUAL(memory_create(&block, SIZE_MAX / 2, 3, &error), STATUS_INTERNAL);
    CU_ASSERT_STRING_EQUAL(error.text, "out of memory");
    CU_ASSERT_EQUAL(count_live(), 0);
}

static void test_resize(void)
{
    begin();
    char *block = memory_resize(NULL, 4);
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    memcpy(block, "abc", 4);
    memory_fail_after(0);
    CU_ASSERT_PTR_NULL(memory_resize(block, 100));
    block = memory_resize(block, 100000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    CU_ASSERT_STRING_EQUAL(block, "abc");
    block = memory_resize(block, 0);
    CU_ASSERT_PTR_NOT_NULL(block);
    CU_ASSERT_EQUAL(count_live(), 1);
    memory_free(block);
    CU_ASSERT_EQUAL(count_live(), 0);
}

static void test_copy_text(void)
{
    const char *text = "a text";
    begin();
    char *copy = memory_copy_text(text);
    CU_ASSERT_STRING_EQUAL(copy, text);
    CU_ASSERT_PTR_NOT_EQUAL(copy, text);
    memory_free(copy);
    memory_fail_after(0);
    CU_ASSERT_PTR_NULL(memory_copy_text(text));
    CU_ASSERT_EQUAL(count_live(), 0);
}

/* Adding one item at a time moves the array a few dozen times, not a hundred thousand times; what
   has room stays where it is. */
static void test_reserve_grows(void)
{
    uint32_t *items = NULL, moves = 0, right = 0;
    size_t capacity = 0;
    begin();
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        must(memory_reserve(&items, &capacity, (size_t)i + 1, sizeof *items, &error));
        moves += capacity != before;
        items[i] = i;
    }
    const uint32_t *place = items;
    size_t before = capacity;
    CU_ASSERT(capacity >= 100000 && moves < 40);
    must(memory_reserve(&items, &capacity, capacity, sizeof *items, &error));
    must(memory_reserve(&items, &capacity, 0, sizeof *items, &error));
    CU_ASSERT(items == place && capacity == before);
    for (uint32_t i = 0; i < 100000; i++)
        right += items[i] == i;
    CU_ASSERT_EQUAL(right, 100000);
    CU_ASSERT_EQUAL(count_live(), 1);
    memory_free(items);
    items = NULL;
    capacity = 0;
    must(memory_reserve(&items, &capacity, 1000, 1, &error));
    CU_ASSERT_EQUAL(capacity, 1000);
    memory_free(items);
}

/* A refusal leaves the array as it was. */
static void test_reserve_refuses(void)
{
    uint64_t *items = NULL;
    size_t capacity = 0;
    begin();
    must(memory_reserve(&items, &capacity, 3, sizeof *items, &error));
    items[2] = 42;
    size_t before = capacity;
    CU_ASSERT_EQUAL(memory_reserve(&items, &capacity, SIZE_MAX / 4, sizeof *items, &error),
                    STATUS_INTERNAL);
    CU_ASSERT_EQUAL(memory_reserve(&items, &capacity, SIZE_MAX / 8, sizeof *items, &error),
                    STATUS_INTERNAL);
    memory_fail_after(0);
    CU_ASSERT_EQUAL(memory_reserve(&items, &capacity, 1000, sizeof *items, &error),
                    STATUS_INTERNAL);
    CU_ASSERT_STRING_EQUAL(error.text, "out of memory");
    CU_ASSERT_EQUAL(capacity, before);
    CU_ASSERT_EQUAL(items[2], 42);
    CU_ASSERT_EQUAL(count_live(), 1);
    memory_free(items);
}

static void test_fail_after(void)
{
    void *blocks[4];
    begin();
    memory_fail_after(2);
    for (int i = 0; i < 4; i++)
        blocks[i] = memory_allocate(1, 1);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(blocks[i] == NULL, i == 2);
    CU_ASSERT_EQUAL(count_live(), 3);
    for (int i = 0; i < 4; i++)
        memory_free(blocks[i]);
    /* A failure is called off. */
    memory_fail_after(0);
    memory_fail_after(UINT64_MAX);
    void *block = memory_allocate(1, 1);
    CU_ASSERT_PTR_NOT_NULL(block);
    memory_free(block);
    CU_ASSERT_EQUAL(count_live(), 0);
}

/* What is allocated before does not count, and what was freed still does. */
static void test_peak(void)
{
    void *before = memory_allocate(100000, 1);
    memory_begin_peak();
    CU_ASSERT_EQUAL(memory_peak_bytes(), 0);
    char *first = memory_allocate(1000, 1);
    memory_free(before);
    char *second = memory_resize(NULL, 50000);
    CU_ASSERT_TRUE(memory_peak_bytes() >= 1000 && memory_peak_bytes() < 2000);
    memory_free(second);
    first = memory_resize(first, 300000);
    CU_ASSERT_TRUE(memory_peak_bytes() >= 200000 && memory_peak_bytes() < 220000);
    memory_free(first);
    CU_ASSERT_TRUE(memory_peak_bytes() >= 200000 && memory_peak_bytes() < 220000);
    memory_begin_peak();
    CU_ASSERT_EQUAL(memory_peak_bytes(), 0);
}

static const struct test_case cases[] = {
    {"allocate", test_allocate},
    {"resize", test_resize},
    {"copy a text", test_copy_text},
    {"reserve grows by half", test_reserve_grows},
    {"reserve refuses and leaves the array", test_reserve_refuses},
    {"the allocation after n fails, once", test_fail_after},
    {"the most that was allocated at once", test_peak},
};

TESTING_MAIN("core/memory", cases)
