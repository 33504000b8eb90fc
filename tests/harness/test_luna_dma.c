#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/instance.h"
#include "dma/run.h"
#include "harness/files/hardware_file.h"
#include "harness/jobs.h"
#include "results/views/luna.h"
#include "support/must.h"

/* Table 3 of Wang et al. 2025 on the built-in reconstructions, to the printed digits. */

static uint64_t measure_ns(const char *instance_name, const char *mode_name,
                           const struct hardware *hardware)
{
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    const struct transfer_mode *mode;
    SCOPED(instance_release) struct instance *instance = jobs_load(instance_name);
    must(transfer_modes_find(mode_name, &mode, &error));
    must(transfer_run_fill(instance->graph, &(struct transfer_setting){hardware, mode, 2}, &run,
                           &error));
    uint64_t ns = run.times.expected_ns;
    return ns;
}

/* How many of the printed times come out, rounded to as many digits as are printed; and of the
   printed savings in percent. */
static void count_equal(const struct hardware *hardware, uint32_t *times, uint32_t *savings)
{
    struct luna_figure figure;
    *times = *savings = 0;
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);) {
        const char *instance = luna_instance(figure.model.text), *printed = figure.printed.text;
        if (strcmp(figure.how.text, "saving") == 0) {
            double sync = (double)measure_ns(instance, "sync", hardware);
            double pingpong = (double)measure_ns(instance, "pingpong", hardware);
            *savings += fabs(100 * (sync - pingpong) / sync - strtod(printed, NULL)) <= 0.005;
        } else {
            char measured[32];
            const char *point = strchr(printed, '.');
            int digits = point ? (int)strlen(point + 1) : 0;
            snprintf(measured, sizeof measured, "%.*f", digits,
                     (double)measure_ns(instance, figure.how.text, hardware) / 1e6);
            *times += strcmp(measured, printed) == 0;
        }
    }
}

static void test_table(void)
{
    SCOPED(hardware_clear) struct hardware luna = {0};
    uint32_t times, savings;
    must(hardware_file_load("luna", &luna, &error));
    count_equal(&luna, &times, &savings);
    CU_ASSERT(times == 10 && savings == 5);
    /* They say something about the rules: none comes out on another chip. */
    luna.dma_start_ns += 10000;
    count_equal(&luna, &times, &savings);
    CU_ASSERT_EQUAL(times, 0);
    luna.dma_start_ns -= 10000;
    luna.dma_bytes_per_second = 210000;
    count_equal(&luna, &times, &savings);
    CU_ASSERT_EQUAL(times, 0);
}

/* Times of one type are their operations times the rate of the type, each rounded. */
static void test_rates(void)
{
    struct luna_figure figure;
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);) {
        if (strcmp(figure.how.text, "saving") != 0)
            continue;
        SCOPED(instance_release)
        struct instance *instance = jobs_load(luna_instance(figure.model.text));
        for (uint32_t o = 0; o < instance->graph->operators; o++)
            for (uint32_t p = 0; p < o; p++) {
                const struct graph_operator *a = &instance->graph->op[o];
                const struct graph_operator *b = &instance->graph->op[p];
                double most = 0.5 / (double)a->flops + 0.5 / (double)b->flops + 1e-9;
                double rate = (double)a->compute_ns / (double)a->flops;
                double other = (double)b->compute_ns / (double)b->flops;
                CU_ASSERT(a->type != b->type || a->flops < 1 || b->flops < 1 ||
                          fabs(rate - other) <= most);
            }
    }
}

static const struct test_case cases[] = {
    {"Table 3, and its savings in percent", test_table},
    {"one rate for each type of operator", test_rates},
};

TESTING_MAIN("harness/luna_dma", cases)
