#include "core/heap.h"

#include <stdbool.h>

#include "core/memory.h"
#include "core/random.h"
#include "support/fail_each.h"
#include "support/must.h"

enum { ITEMS = 300 };

static bool is_before(struct heap_item a, struct heap_item b)
{
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

/* Index of the least of a list. */
static uint32_t find_least(const struct heap_item *item, uint32_t count)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++)
        if (is_before(item[i], item[least]))
            least = i;
    return least;
}

/* Against a list: pushes and pops in any order, with equal keys and equal items. */
static void the_least_comes_first(void)
{
    struct random_state random = random_seed(1);
    struct heap heap = {0};
    struct heap_item item[ITEMS];
    uint32_t count = 0;
    for (int i = 0; i < 20000; i++) {
        bool pushes = random_below(&random, 2);
        if (pushes && count < ITEMS) {
            item[count] = (struct heap_item){random_below(&random, 20) << 40,
                                             (uint32_t)random_below(&random, 10)};
            must(heap_push(&heap, item[count].key, item[count].value, &error));
            count++;
        } else if (!pushes && count) {
            uint32_t least = find_least(item, count);
            struct heap_item popped = heap_pop(&heap);
            CU_ASSERT(popped.key == item[least].key && popped.value == item[least].value);
            item[least] = item[--count];
        }
        CU_ASSERT_EQUAL_FATAL(heap.count, count);
        if (count) {
            uint32_t least = find_least(item, count);
            CU_ASSERT(heap.item[0].key == item[least].key &&
                      heap.item[0].value == item[least].value);
        }
    }
    heap_free(&heap);
    CU_ASSERT_EQUAL(heap.count, 0);
}

static void the_greatest_by_complement(void)
{
    static const uint64_t keys[] = {5, UINT64_MAX, 0, 7, UINT64_MAX - 1};
    static const uint64_t sorted[] = {UINT64_MAX, UINT64_MAX - 1, 7, 5, 0};
    struct heap heap = {0};
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++)
        must(heap_push(&heap, ~keys[i], i, &error));
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++)
        CU_ASSERT_EQUAL(~heap_pop(&heap).key, sorted[i]);
    heap_free(&heap);
}

static void pushing_into_room_cannot_fail(void)
{
    struct heap heap = {0};
    must(heap_reserve(&heap, ITEMS, &error));
    memory_fail_after(0);
    for (uint32_t i = 0; i < ITEMS; i++)
        must(heap_push(&heap, i, i, &error));
    memory_fail_after(UINT64_MAX);
    heap_free(&heap);
}

static enum status push_many(const void *input, struct error *found)
{
    struct heap heap = {0};
    enum status status = STATUS_OK;
    (void)input;
    for (uint32_t i = 0; i < ITEMS && !status; i++)
        status = heap_push(&heap, i, i, found);
    heap_free(&heap);
    return status;
}

static void no_memory(void)
{
    fail_each(push_many, NULL);
}

static const struct test_case cases[] = {
    {"the least comes first", the_least_comes_first},
    {"the greatest by complement", the_greatest_by_complement},
    {"pushing into room cannot fail", pushing_into_room_cannot_fail},
    {"no memory", no_memory},
};

TESTING_MAIN("core/heap", cases)
