#include "dma/measured/calibration.h"

#include "support/testing.h"

static void test_between_sizes(void)
{
    const struct calibration calibration = {
        .copy_bytes = {64, 256, 1024}, .copy_ns = {100, 292, 300}, .sizes = 3};
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 64), 100, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 65), 101, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 256), 292, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 640), 296, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 1024), 300, 1e-9);
}

static void test_above_all_sizes(void)
{
    const struct calibration calibration = {
        .copy_bytes = {64, 256, 1024}, .copy_ns = {100, 292, 1060}, .sizes = 3};
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 2048), 2084, 1e-9);
}

/* The line through the first two sizes would be below zero. */
static void test_below_all_sizes(void)
{
    const struct calibration calibration = {
        .copy_bytes = {64, 256}, .copy_ns = {100, 868}, .sizes = 2};
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 63), 100, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(&calibration, 1), 100, 1e-9);
}

/* However busy the machine is, a larger copy takes no less and nothing takes no time. */
static void test_measured_here(void)
{
    struct calibration calibration = {0};
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(calibration_measure(5000, &calibration, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(calibration.sizes, 4);
    for (uint32_t i = 0; i < calibration.sizes; i++) {
        CU_ASSERT_EQUAL(calibration.copy_bytes[i], UINT64_C(64) << 2 * i);
        CU_ASSERT_TRUE(calibration.copy_ns[i] > 0);
        CU_ASSERT_TRUE(!i || calibration.copy_ns[i] >= calibration.copy_ns[i - 1]);
    }
    CU_ASSERT_TRUE(calibration.copy_bytes_per_second > 0 && calibration.round_ns > 0);
    CU_ASSERT_TRUE(calibration.fetch_ns >= 0 && calibration.contention >= 0);
    CU_ASSERT_TRUE(calibration.cold_bytes > 0);
}

static const struct test_case cases[] = {
    {"between the sizes", test_between_sizes},
    {"above all sizes", test_above_all_sizes},
    {"below all sizes", test_below_all_sizes},
    {"measured on this machine", test_measured_here},
};

TESTING_MAIN("dma/measured/calibration", cases)
