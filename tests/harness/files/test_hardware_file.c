#include "harness/files/hardware_file.h"

#include <stdio.h>
#include <string.h>

#include "datasets/reading.h"
#include "harness/files/hardware_json.h"
#include "planning/graph/build.h"
#include "support/fail_each.h"
#include "support/must.h"

static enum status read(const char *json, struct hardware *hardware, struct error *failure)
{
    SCOPED(text_free) struct text text = {0};
    text_append(&text, "%s", json);
    TRY(text_check(&text, failure));
    return hardware_json_read(&text, "chip.json", hardware, failure);
}

static const char full[] = "{\"format\": \"memplan-hardware/1\", \"name\": \"chip\",\n"
                           "\"dma_bytes_per_second\": 250000000, \"dma_start_ns\": 300,\n"
                           "\"dma_start_instruction_ns\": 20, \"dma_wait_instruction_ns\": 10,\n"
                           "\"contention\": 0.25, \"on_chip_bytes\": 65536,\n"
                           "\"operations_per_second\": {\"default\": 1000, \"Conv\": 8000}}";

static void test_full(void)
{
    /* Of contention in thousandths, what a computation of a while takes beside a transfer. */
    static const uint64_t rows[][4] = {{0, 10, 100, 10},  {500, 10, 0, 10},   {500, 10, 6, 12},
                                       {500, 10, 15, 15}, {500, 10, 100, 15}, {500, 1, 100, 2},
                                       {500, 0, 100, 0}};
    SCOPED(hardware_clear) struct hardware hardware = {0};
    uint64_t ns;
    must(read(full, &hardware, &error));
    CU_ASSERT_STRING_EQUAL(hardware.name, "chip");
    CU_ASSERT_EQUAL(hardware.dma_start_instruction_ns, 20);
    CU_ASSERT_EQUAL(hardware.dma_wait_instruction_ns, 10);
    CU_ASSERT_EQUAL(hardware.contention, 250000);
    CU_ASSERT_EQUAL(hardware.on_chip_bytes, 65536);
    CU_ASSERT(hardware_transfer_ns(&hardware, 10, &ns) && ns == 340);
    CU_ASSERT(hardware_transfer_ns(&hardware, 0, &ns) && ns == 300);
    CU_ASSERT_FALSE(hardware_transfer_ns(&hardware, UINT64_MAX, &ns));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct hardware chip = {.contention = HARDWARE_PARTS / 1000 * rows[i][0]};
        CU_ASSERT_EQUAL(hardware_contend(&chip, rows[i][1], rows[i][2]), rows[i][3]);
    }
}

/* compute_ns, else flops by type, else nothing; rounded up. */
static void test_compute(void)
{
    static const struct {
        const char *type;
        int64_t compute_ns, flops;
        uint64_t ns;
    } operators[] = {{"Conv", 7, 100, 7},     {"Conv", -1, 100, 12500000}, {"Conv", -1, 1, 125000},
                     {"Any", -1, 3, 3000000}, {"Any", -1, -1, 0},          {"Any", 0, 3, 0}};
    SCOPED(hardware_clear) struct hardware hardware = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    must(read(full, &hardware, &error));
    must(graph_create(&graph, "g", &error));
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        uint32_t o;
        uint64_t ns;
        must(graph_open_operator(graph, "o", operators[i].type, &o, &error));
        graph->op[o].compute_ns = operators[i].compute_ns;
        graph->op[o].flops = operators[i].flops;
        graph_close_operator(graph);
        CU_ASSERT(hardware_compute_ns(&hardware, graph, o, &ns));
        CU_ASSERT_EQUAL(ns, operators[i].ns);
    }
}

static enum status read_and_clear(const struct text *text, struct error *failure)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    return hardware_json_read(text, "test.file", &hardware, failure);
}

static void test_bad(void)
{
    reading_check_refused(read_and_clear, "hardware_refused");
}

static void test_builtin(void)
{
    uint32_t count = 0;
    for (; count < hardware_file_count(); count++) {
        SCOPED(hardware_clear) struct hardware hardware = {0};
        must(hardware_file_load(hardware_file_at(count)->name, &hardware, &error));
        CU_ASSERT_STRING_EQUAL(hardware.name, hardware_file_at(count)->name);
        CU_ASSERT(hardware.dma_bytes_per_second > 0 && hardware.types.count > 0);
    }
    CU_ASSERT_EQUAL(count, 9);
    SCOPED(hardware_clear) struct hardware none = {0};
    CU_ASSERT_EQUAL(hardware_file_load("moon", &none, &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "luna, "));
    CU_ASSERT_EQUAL(hardware_file_load("/nowhere/moon.json", &none, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, "/nowhere/moon.json");
}

static enum status read_full(const void *json, struct error *failure)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    return read(json, &hardware, failure);
}

static void test_no_memory(void)
{
    fail_each(read_full, full);
}

static const struct test_case cases[] = {
    {"a full profile", test_full},
    {"time of an operator", test_compute},
    {"bad profiles", test_bad},
    {"built-in profiles", test_builtin},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("harness/hardware_file", cases)
