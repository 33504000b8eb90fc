#include "dma/measured/calibration.h"

#include "support/must.h"
#include "support/testing.h"

/* Copies between the measured sizes, above all of them and below, where the line through the first
   two sizes would be below zero. */
static void test_copies(void)
{
    static const struct calibration flat = {
        .copy_bytes = {64, 256, 1024}, .copy_ns = {100, 292, 300}, .sizes = 3};
    static const struct calibration steady = {
        .copy_bytes = {64, 256, 1024}, .copy_ns = {100, 292, 1060}, .sizes = 3};
    static const struct calibration steep = {
        .copy_bytes = {64, 256}, .copy_ns = {100, 868}, .sizes = 2};
    static const struct {
        const struct calibration *calibration;
        uint64_t bytes;
        double ns;
    } copies[] = {{&flat, 64, 100},   {&flat, 65, 101},      {&flat, 256, 292}, {&flat, 640, 296},
                  {&flat, 1024, 300}, {&steady, 2048, 2084}, {&steep, 63, 100}, {&steep, 1, 100}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        CU_ASSERT_DOUBLE_EQUAL(calibration_copy_ns(copies[i].calibration, copies[i].bytes),
                               copies[i].ns, 1e-9);
}

/* However busy the machine is, a larger copy takes no less and nothing takes no time. */
static void test_measured_here(void)
{
    struct calibration calibration = {0};
    must(calibration_measure(5000, &calibration, &error));
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
    {"copies of any size", test_copies},
    {"measured on this machine", test_measured_here},
};

TESTING_MAIN("dma/measured/calibration", cases)
