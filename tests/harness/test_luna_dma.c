#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/instance.h"
#include "dma/run.h"
#include "harness/files/hardware_file.h"
#include "results/published/published.h"
#include "support/testing.h"

/* Table 3 of Wang et al. 2025 on the built-in reconstructions, to the printed digits. */

static const struct {
    const char *published, *instance;
} models[] = {
    {"FaceAlign", "luna/face_align"},   {"FaceDetect", "luna/face_detect"},
    {"BodyDetect", "luna/body_detect"}, {"FusionDetect", "luna/fusion_detect"},
    {"WakeUp", "luna/wake_up"},
};

static const struct {
    const char *mode, *column;
} modes[] = {{"sync", "sync_ms"}, {"pingpong", "pingpong_ms"}};

static struct error error;

static uint64_t measure_ns(const char *instance_name, const char *mode_name,
                           const struct hardware *hardware)
{
    struct instance *instance;
    struct transfer_run run;
    const struct transfer_mode *mode;
    CU_ASSERT_EQUAL_FATAL(instance_load(instance_name, NULL, &instance, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(transfer_modes_find(mode_name, &mode, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(transfer_run_fill(instance->graph,
                                            &(struct transfer_setting){hardware, mode, 2}, &run,
                                            &error),
                          STATUS_OK);
    uint64_t ns = run.times.expected_ns;
    transfer_run_clear(&run);
    instance_free(instance);
    return ns;
}

/* How many of the ten printed times come out, rounded as many digits as are printed. */
static uint32_t count_equal(const struct hardware *hardware)
{
    uint32_t equal = 0;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
            struct published_value value;
            char measured[32];
            CU_ASSERT_TRUE_FATAL(
                published_find("luna_dma", &models[m].published, 1, modes[k].column, &value));
            const char *point = strchr(value.text, '.');
            int digits = point ? (int)strlen(point + 1) : 0;
            snprintf(measured, sizeof measured, "%.*f", digits,
                     (double)measure_ns(models[m].instance, modes[k].mode, hardware) / 1e6);
            equal += strcmp(measured, value.text) == 0;
        }
    return equal;
}

static void test_table(void)
{
    struct hardware luna = {0};
    CU_ASSERT_EQUAL_FATAL(hardware_file_load("luna", &luna, &error), STATUS_OK);
    struct published_value value;
    CU_ASSERT(published_cell("luna_dma", sizeof models / sizeof *models - 1, "model", &value));
    CU_ASSERT_FALSE(published_cell("luna_dma", sizeof models / sizeof *models, "model", &value));
    CU_ASSERT_EQUAL(count_equal(&luna), 10);
    /* They say something about the rules: none comes out on another chip. */
    luna.dma_start_ns += 10000;
    CU_ASSERT_EQUAL(count_equal(&luna), 0);
    luna.dma_start_ns -= 10000;
    luna.dma_bytes_per_second = 210000;
    CU_ASSERT_EQUAL(count_equal(&luna), 0);
    hardware_clear(&luna);
}

static void test_savings(void)
{
    struct hardware luna = {0};
    CU_ASSERT_EQUAL_FATAL(hardware_file_load("luna", &luna, &error), STATUS_OK);
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        struct published_value value;
        CU_ASSERT_TRUE_FATAL(
            published_find("luna_dma", &models[m].published, 1, "saving_percent", &value));
        double sync = (double)measure_ns(models[m].instance, "sync", &luna);
        double pingpong = (double)measure_ns(models[m].instance, "pingpong", &luna);
        CU_ASSERT_DOUBLE_EQUAL(100 * (sync - pingpong) / sync, strtod(value.text, NULL), 0.005);
    }
    hardware_clear(&luna);
}

static const struct test_case cases[] = {
    {"Table 3", test_table},
    {"savings in percent", test_savings},
};

TESTING_MAIN("harness/luna_dma", cases)
