#include <stdio.h>
#include <string.h>

#include "dma/program/paths.h"
#include "dma/run.h"
#include "dma/timing/timeline.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

static const struct transfer_mode *find(const char *name)
{
    const struct transfer_mode *mode;
    must(transfer_modes_find(name, &mode, &error));
    return mode;
}

/* One byte takes a ns. On the slowed chip computing takes half as long again while a
   transfer runs. */
static const struct hardware plain = {.name = "plain", .dma_bytes_per_second = 1000000000};
static const struct hardware costly = {.name = "costly",
                                       .dma_bytes_per_second = 1000000000,
                                       .dma_start_ns = 10,
                                       .dma_start_instruction_ns = 2,
                                       .dma_wait_instruction_ns = 1};
static const struct hardware slowed = {
    .name = "slowed", .dma_bytes_per_second = 1000000000, .contention = HARDWARE_PARTS / 2};

static void fill(const struct graph *graph, const struct hardware *hardware, const char *mode,
                 uint32_t buffers, struct transfer_run *run)
{
    const struct transfer_setting setting = {hardware, find(mode), buffers};
    must(transfer_run_fill(graph, &setting, run, &error));
}

static const char chain[] = "op0@5 op1:20@30 op2:50@10 op3@15 op4:8@40";
static const char contended[] = "op0:20@30 op1:15@10";
static const char branches[] = "op0:20@30 op1@4 0.75{op2:40@10} 0.25{op3:6@10} op4:12@5";
static const char loop[] = "op0@6 op1*3 {op2:10@4 op3:3@20} op4:2@1";
static const char unknown_turns[] = "op0*-1 {op1:10@4}";
static const char little_computed[] = "op0 0.5{op1:5@3} 0.5{op2:5@3}";

static void test_by_hand(void)
{
    static const struct {
        const char *graph;
        const struct hardware *hardware;
        const char *mode;
        uint64_t expected_ns, worst_ns;
    } rows[] = {
        /* transfers 20, 50, 8 and computing 5, 30, 10, 15, 40 */
        {chain, &plain, "sync", 178, 178},
        {chain, &plain, "pingpong", 20 + 50 + 10 + 15 + 40, 135},
        {chain, &plain, "cross_region", 135, 135},
        /* All three are on their way from the start: 20, 70, 78. */
        {chain, &plain, "ring", 70 + 10 + 15 + 40, 135},
        /* Each transfer 10 more; a start costs 2 and a wait 1. */
        {chain, &costly, "sync", 178 + 3 * 13, 217},
        /* Start 2, first weights at 32, wait until 33; start until 35, the second at 95, wait until
           96; start until 98, compute until 123, the third is there, wait until 124, compute. */
        {chain, &costly, "pingpong", 124 + 40, 164},
        {contended, &slowed, "sync", 75, 75},
        /* In the 15 ns of the second transfer 10 ns are computed, the other 20 are at full
           speed. */
        {contended, &slowed, "pingpong", 20 + 15 + 20 + 10, 65},
        /* 54 + (50 or 16) + 17 in all of them, as each region has one operator with weights */
        {branches, &plain, "sync", 113, 121},
        {branches, &plain, "pingpong", 113, 121},
        /* The likely branch's weights, into alloc1, start with op0's computing at 20 and arrive at
           60; those of op4, into alloc0, start then and arrive at 72. At 54 the other branch
           cancels and starts its own, which arrive at 60 in alloc0, so that those of op4 start at
           70, after it. */
        {branches, &plain, "cross_region", 80, 87},
        /* While op1 computes the channel is done with op3's weights, and op0 with the buffer that
           op4's go into. */
        {"op0:20@30 op1@50 op2 0.75{op3:40@10} 0.25{op4:6@10}", &plain, "cross_region",
         20 + 30 + 50 + 10, 110},
        /* The branch is decided before op3's weights are there: 40 of op0 and op1 are as long. */
        {"op0:20@30 op1@10 op2 0.75{op3:40@10} 0.25{op4:6@10}", &plain, "cross_region",
         (3 * (60 + 10) + 60 + 6 + 10 + 2) / 4, 76},
        /* 3 turns, 10:4 and 3:20; the last turn prefetches in vain. */
        {loop, &plain, "sync", 6 + 3 * 37 + 3, 120},
        {loop, &plain, "pingpong", 6 + 3 * (10 + 4 + 20) + 3, 111},
        /* 4 ns are left when the loop is entered, nothing at the other turns. */
        {loop, &plain, "cross_region", 6 + 4 + 3 * 24 + 3, 85},
        {unknown_turns, &plain, "sync", 14, 14},
        {unknown_turns, &plain, "cross_region", 14, 14},
        {"op0*0 {op1:10@4}", &plain, "cross_region", 0, 0},
        /* The paper's last remark: where little is computed, what starts transfers costs more than
           overlap hides. The branch that is not guessed pays for a start and a cancel, and nothing
           hides them: half of 21 and half of 24. */
        {little_computed, &costly, "sync", 21, 21},
        {little_computed, &costly, "cross_region", 23, 21 + 3},
        {little_computed, &plain, "cross_region", 8, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(graph_release) struct graph *graph = weighted_read(rows[i].graph);
        SCOPED(transfer_run_clear) struct transfer_run run = {0};
        fill(graph, rows[i].hardware, rows[i].mode, 3, &run);
        if (run.times.expected_ns != rows[i].expected_ns || run.times.worst_ns != rows[i].worst_ns)
            printf("\n%s of %s: %llu and %llu\n", rows[i].mode, rows[i].graph,
                   (unsigned long long)run.times.expected_ns,
                   (unsigned long long)run.times.worst_ns);
        CU_ASSERT_EQUAL(run.times.expected_ns, rows[i].expected_ns);
        CU_ASSERT_EQUAL(run.times.worst_ns, rows[i].worst_ns);
    }
}

static void test_buffers(void)
{
    SCOPED(graph_release) struct graph *graph = weighted_read(branches);
    struct transfer_run run;
    fill(graph, &plain, "pingpong", 0, &run);
    CU_ASSERT_EQUAL(run.program->buffer_bytes[0], 40);
    CU_ASSERT_EQUAL(run.program->buffer_bytes[1], 0);
    CU_ASSERT_EQUAL(run.buffer_bytes, 40);
    transfer_run_clear(&run);
    /* Its only weights are likely to follow op0's, which are in alloc0. */
    fill(graph, &plain, "cross_region", 0, &run);
    CU_ASSERT_EQUAL(run.program->buffer_bytes[0], 20);
    CU_ASSERT_EQUAL(run.program->buffer_bytes[1], 40);
    transfer_run_clear(&run);
}

static void test_print(void)
{
    SCOPED(graph_release) struct graph *graph = weighted_read(branches);
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    SCOPED(text_free) struct text text = {0};
    fill(graph, &plain, "cross_region", 0, &run);
    transfer_program_print(run.program, &text);
    CU_ASSERT_STRING_EQUAL(text.bytes, "start op0 -> alloc0\n"
                                       "wait op0\n"
                                       "start op2 -> alloc1\n"
                                       "compute op0 (alloc0)\n"
                                       "compute op1\n"
                                       "r of op1:\n"
                                       "  wait op2\n"
                                       "  start op4 -> alloc0\n"
                                       "  compute op2 (alloc1)\n"
                                       "r of op1:\n"
                                       "  cancel op2\n"
                                       "  start op3 -> alloc0\n"
                                       "  wait op3\n"
                                       "  compute op3 (alloc0)\n"
                                       "  start op4 -> alloc0\n"
                                       "wait op4\n"
                                       "compute op4 (alloc0)\n");
}

static void test_names(void)
{
    const struct transfer_mode *mode;
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    SCOPED(graph_release) struct graph *graph = weighted_read(chain);
    CU_ASSERT_EQUAL(transfer_modes_find("nothing", &mode, &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "sync, pingpong, cross_region, ring"));
    CU_ASSERT_EQUAL(
        transfer_run_fill(graph, &(struct transfer_setting){&plain, find("ring"), 0}, &run, &error),
        STATUS_USAGE);
    CU_ASSERT_STRING_EQUAL(error.text, "0 buffers, expected 1 to 1024");
}

static void test_overflow(void)
{
    static const struct {
        const char *graph, *text;
    } rows[] = {{"op0:1@9223372036854775807 op1:1@1",
                 "the times up to operator 'op0' add up to 2^63 ns or more"},
                {"op0*9223372036854775807 {op1:10@4}", "the times add up to 2^63 ns or more"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct transfer_setting setting = {&plain, find("sync"), 0};
        SCOPED(graph_release) struct graph *graph = weighted_read(rows[i].graph);
        SCOPED(transfer_run_clear) struct transfer_run run = {0};
        CU_ASSERT_EQUAL(transfer_run_fill(graph, &setting, &run, &error), STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.text, rows[i].text);
    }
}

static enum status run_all(const void *input, struct error *failure)
{
    for (uint32_t m = 0; m < transfer_modes_count(); m++) {
        const struct transfer_setting setting = {&costly, transfer_modes_at(m), 3};
        SCOPED(transfer_run_clear) struct transfer_run run = {0};
        SCOPED(transfer_path_clear) struct transfer_path path = {0};
        SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
        SCOPED(transfer_timeline_clear) struct transfer_timeline timeline = {0};
        TRY(transfer_run_fill(input, &setting, &run, failure));
        TRY(transfer_paths_create(&paths, run.regions, failure));
        TRY(transfer_paths_get(&paths, 1, &path, failure));
        TRY(transfer_timeline_fill(run.program, run.costs, path.chosen, &timeline, failure));
    }
    return STATUS_OK;
}

static void test_no_memory(void)
{
    SCOPED(graph_release) struct graph *graph = weighted_read(branches);
    fail_each(run_all, graph);
}

static const struct test_case cases[] = {
    {"by hand", test_by_hand},
    {"sizes of the buffers", test_buffers},
    {"instructions as text", test_print},
    {"unknown names and buffers", test_names},
    {"times beyond 2^63 ns", test_overflow},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/transfer_modes", cases)
