#include "core/checked.h"
#include "support/testing.h"

static void test_add(void)
{
    uint64_t sum;
    CU_ASSERT_TRUE(checked_add(2, 3, &sum));
    CU_ASSERT_EQUAL(sum, 5);
    CU_ASSERT_TRUE(checked_add(UINT64_MAX - 1, 1, &sum));
    CU_ASSERT_EQUAL(sum, UINT64_MAX);
    CU_ASSERT_FALSE(checked_add(UINT64_MAX, 1, &sum));
    CU_ASSERT_FALSE(checked_add(UINT64_MAX, UINT64_MAX, &sum));
}

static void test_multiply(void)
{
    uint64_t product;
    CU_ASSERT_TRUE(checked_multiply(6, 7, &product));
    CU_ASSERT_EQUAL(product, 42);
    CU_ASSERT_TRUE(checked_multiply(UINT64_MAX, 0, &product));
    CU_ASSERT_EQUAL(product, 0);
    CU_ASSERT_TRUE(checked_multiply(UINT64_MAX / 3, 3, &product));
    CU_ASSERT_EQUAL(product, UINT64_MAX);
    CU_ASSERT_FALSE(checked_multiply(UINT64_C(1) << 32, UINT64_C(1) << 32, &product));
    CU_ASSERT_FALSE(checked_multiply(UINT64_MAX, 2, &product));
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

static void test_align_refuses_overflow(void)
{
    uint64_t aligned;
    CU_ASSERT_FALSE(checked_align(UINT64_MAX, 2, &aligned));
    CU_ASSERT_FALSE(checked_align((UINT64_C(1) << 63) + 1, UINT64_C(1) << 63, &aligned));
    CU_ASSERT_TRUE(checked_align(UINT64_C(1) << 63, UINT64_C(1) << 63, &aligned));
    CU_ASSERT_EQUAL(aligned, UINT64_C(1) << 63);
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
    {"add", test_add},
    {"multiply", test_multiply},
    {"align", test_align},
    {"align refuses overflow", test_align_refuses_overflow},
    {"greatest common divisor", test_divisor},
};

TESTING_MAIN("core/checked", cases)
