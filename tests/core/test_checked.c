#include "core/checked.h"
#include "support/testing.h"

static void test_sums_and_products(void)
{
    static const struct {
        bool (*compute)(uint64_t a, uint64_t b, uint64_t *result);
        uint64_t a, b, result;
        bool fits;
    } rows[] = {{checked_add, 2, 3, 5, true},
                {checked_add, UINT64_MAX - 1, 1, UINT64_MAX, true},
                {checked_add, UINT64_MAX, 1, 0, false},
                {checked_add, UINT64_MAX, UINT64_MAX, 0, false},
                {checked_multiply, 6, 7, 42, true},
                {checked_multiply, UINT64_MAX, 0, 0, true},
                {checked_multiply, UINT64_MAX / 3, 3, UINT64_MAX, true},
                {checked_multiply, UINT64_C(1) << 32, UINT64_C(1) << 32, 0, false},
                {checked_multiply, UINT64_MAX, 2, 0, false},
                {checked_align, UINT64_MAX, 2, 0, false},
                {checked_align, (UINT64_C(1) << 63) + 1, UINT64_C(1) << 63, 0, false},
                {checked_align, UINT64_C(1) << 63, UINT64_C(1) << 63, UINT64_C(1) << 63, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t result;
        CU_ASSERT_EQUAL(rows[i].compute(rows[i].a, rows[i].b, &result), rows[i].fits);
        CU_ASSERT(!rows[i].fits || result == rows[i].result);
    }
}

static void test_align(void)
{
    static const struct {
        uint64_t value, alignment, aligned;
    } rows[] = {{0, 1, 0},  {7, 1, 7},   {0, 8, 0},
                {1, 8, 8},  {8, 8, 8},   {9, 8, 16},
                {5, 6, 6},  {13, 6, 18}, {UINT64_MAX, 1, UINT64_MAX},
                {1, 64, 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t aligned;
        CU_ASSERT_TRUE(checked_align(rows[i].value, rows[i].alignment, &aligned));
        CU_ASSERT_EQUAL(aligned, rows[i].aligned);
    }
}

static void test_divisor(void)
{
    static const uint64_t rows[][3] = {
        {12, 18, 6}, {18, 12, 6},  {7, 5, 1},
        {0, 9, 9},   {9, 0, 9},    {0, 0, 0},
        {8, 8, 8},   {1, 1000, 1}, {UINT64_MAX, UINT64_MAX / 3, UINT64_MAX / 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(greatest_common_divisor(rows[i][0], rows[i][1]), rows[i][2]);
}

static const struct test_case cases[] = {
    {"sums and products", test_sums_and_products},
    {"align", test_align},
    {"greatest common divisor", test_divisor},
};

TESTING_MAIN("core/checked", cases)
