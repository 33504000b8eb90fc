#include "datasets/json/supply.h"

#include <stdint.h>
#include <string.h>

#include "support/fail_each.h"
#include "support/testing.h"

static void test_blocks(void)
{
    struct supply supply;
    struct error error;
    unsigned char *block[8];
    CU_ASSERT_EQUAL_FATAL(supply_create(&supply, 0, &error), STATUS_OK);
    yajl_alloc_funcs functions = supply_functions(&supply);
    for (unsigned i = 0; i < 8; i++) {
        block[i] = functions.malloc(functions.ctx, 3 * i + 1);
        CU_ASSERT_EQUAL((uintptr_t)block[i] % sizeof(long double), 0);
        memset(block[i], (int)i, 3 * i + 1);
    }
    functions.free(functions.ctx, block[3]);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 3 * i + 1; k++)
            CU_ASSERT_EQUAL(block[i][k], i);
    supply_free(&supply);
}

static void test_longer_blocks(void)
{
    struct supply supply;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(supply_create(&supply, 0, &error), STATUS_OK);
    yajl_alloc_funcs functions = supply_functions(&supply);
    char *first = functions.realloc(functions.ctx, NULL, 6);
    memcpy(first, "first", 6);
    char *second = functions.malloc(functions.ctx, 7);
    memcpy(second, "second", 7);
    CU_ASSERT_PTR_EQUAL(functions.realloc(functions.ctx, second, 2000), second);
    char *moved = functions.realloc(functions.ctx, first, 3000);
    CU_ASSERT(moved >= second + 2000);
    memset(moved + 6, 1, 3000 - 6);
    CU_ASSERT_STRING_EQUAL(moved, "first");
    CU_ASSERT_STRING_EQUAL(second, "second");
    supply_free(&supply);
}

static enum status create_and_free(const void *input, struct error *error)
{
    struct supply supply;
    (void)input;
    TRY(supply_create(&supply, 1000, error));
    supply_free(&supply);
    return STATUS_OK;
}

static void test_allocations(void)
{
    fail_each(create_and_free, NULL);
}

static const struct test_case cases[] = {
    {"blocks are aligned and apart", test_blocks},
    {"longer blocks hold what they held", test_longer_blocks},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/json/supply", cases)
