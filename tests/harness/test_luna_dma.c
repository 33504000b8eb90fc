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

static bool is_saving(const struct luna_figure *figure)
{
    return strcmp(figure->how.text, "saving") == 0;
}

/* How many of the printed times come out, rounded to as many digits as are printed. */
static uint32_t count_equal(const struct hardware *hardware)
{
    uint32_t equal = 0;
    struct luna_figure figure;
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);) {
        char measured[32];
        if (is_saving(&figure))
            continue;
        const char *point = strchr(figure.printed.text, '.');
        int digits = point ? (int)strlen(point + 1) : 0;
        uint64_t ns = measure_ns(luna_instance(figure.model.text), figure.how.text, hardware);
        snprintf(measured, sizeof measured, "%.*f", digits, (double)ns / 1e6);
        equal += strcmp(measured, figure.printed.text) == 0;
    }
    return equal;
}

static void test_table(void)
{
    SCOPED(hardware_clear) struct hardware luna = {0};
    must(hardware_file_load("luna", &luna, &error));
    CU_ASSERT_EQUAL(count_equal(&luna), 10);
    /* They say something about the rules: none comes out on another chip. */
    luna.dma_start_ns += 10000;
    CU_ASSERT_EQUAL(count_equal(&luna), 0);
    luna.dma_start_ns -= 10000;
    luna.dma_bytes_per_second = 210000;
    CU_ASSERT_EQUAL(count_equal(&luna), 0);
}

static void test_savings(void)
{
    SCOPED(hardware_clear) struct hardware luna = {0};
    struct luna_figure figure;
    uint32_t savings = 0;
    must(hardware_file_load("luna", &luna, &error));
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);) {
        if (!is_saving(&figure))
            continue;
        const char *instance = luna_instance(figure.model.text);
        double sync = (double)measure_ns(instance, "sync", &luna);
        double pingpong = (double)measure_ns(instance, "pingpong", &luna);
        double printed = strtod(figure.printed.text, NULL);
        CU_ASSERT_DOUBLE_EQUAL(100 * (sync - pingpong) / sync, printed, 0.005);
        savings++;
    }
    CU_ASSERT_EQUAL(savings, 5);
}

/* Both times are their operations times the rate of the type, each rounded. */
static void check_rate(const struct graph_operator *a, const struct graph_operator *b)
{
    if (a->type != b->type || a->flops < 1 || b->flops < 1)
        return;
    double rate = (double)a->compute_ns / (double)a->flops;
    double other = (double)b->compute_ns / (double)b->flops;
    CU_ASSERT(fabs(rate - other) <= 0.5 / (double)a->flops + 0.5 / (double)b->flops + 1e-9);
}

static void test_rates(void)
{
    struct luna_figure figure;
    for (unsigned row = 0; luna_next(&row, LUNA_TABLE_3, &figure);) {
        SCOPED(instance_release) struct instance *instance = NULL;
        if (!is_saving(&figure))
            continue;
        const char *name = luna_instance(figure.model.text);
        must(instance_load(name, NULL, &instance, &error));
        for (uint32_t o = 0; o < instance->graph->operators; o++)
            for (uint32_t p = 0; p < o; p++)
                check_rate(&instance->graph->op[o], &instance->graph->op[p]);
    }
}

static const struct test_case cases[] = {
    {"Table 3", test_table},
    {"savings in percent", test_savings},
    {"one rate for each type of operator", test_rates},
};

TESTING_MAIN("harness/luna_dma", cases)
