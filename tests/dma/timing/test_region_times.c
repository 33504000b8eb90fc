#include "dma/timing/region_times.h"

#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

/* One byte takes a ns. The only region computes op0 of 2 or 5 ns with 4 bytes and op1 of 7 ns with
   6; its list is not one that could be run on a chip, but leaves both transfers under way. */
struct bench {
    struct hardware hardware;
    struct graph *graph;
    struct transfer_regions *regions;
    struct transfer_costs *costs;
    struct transfer_program *program;
    struct region_times *region_times;
};

/* Instructions as "s0 s1 c0": s starts, c computes, x cancels. */
static void set_up(struct bench *bench, const char *list, uint64_t compute_ns)
{
    static const struct weighted weights[] = {{"int8", 4}, {"int8", 6}};
    *bench = (struct bench){.hardware.dma_bytes_per_second = 1000000000};
    bench->graph = weighted_graph(weights, 2);
    bench->graph->op[0].compute_ns = (int64_t)compute_ns;
    bench->graph->op[1].compute_ns = 7;
    must(transfer_regions_create(bench->graph, &bench->regions, &error));
    must(transfer_costs_create(bench->regions, &bench->hardware, &bench->costs, &error));
    must(transfer_program_create(bench->regions, 2, &bench->program, &error));
    for (; *list; list += list[2] ? 3 : 2) {
        uint32_t op = (uint32_t)(list[1] - '0');
        enum transfer_action action = *list == 's'   ? TRANSFER_START
                                      : *list == 'c' ? TRANSFER_COMPUTE
                                                     : TRANSFER_CANCEL;
        must(transfer_program_add(bench->program, action, op, op, &error));
    }
    transfer_program_end_region(bench->program);
    must(region_times_create(bench->program, bench->costs, &bench->region_times, &error));
}

static void tear_down(struct bench *bench)
{
    region_times_free(bench->region_times);
    region_times_free(NULL);
    transfer_program_free(bench->program);
    transfer_costs_free(bench->costs);
    transfer_regions_free(bench->regions);
    graph_free(bench->graph);
}

/* At 5 ns the first 4 bytes have arrived, and 5 of the other 6 have not. */
static void test_left(void)
{
    SCOPED(tear_down) struct bench bench = {0};
    struct region_passage passage, again;
    uint32_t count;
    set_up(&bench, "s0 s1 c0", 5);
    CU_ASSERT_PTR_NULL(region_times_newest(bench.region_times, 0));
    must(region_times_run(bench.region_times, 0, REGION_TIMES_IDLE, &passage, &error));
    CU_ASSERT_EQUAL(passage.time_ns, 5);
    const struct region_transfer *left =
        region_times_transfers(bench.region_times, passage.left, &count);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT_EQUAL(left[0].op, 0);
    CU_ASSERT_EQUAL(left[0].left_ns, 0);
    CU_ASSERT_EQUAL(left[1].op, 1);
    CU_ASSERT_EQUAL(left[1].left_ns, 5);
    must(region_times_run(bench.region_times, 0, REGION_TIMES_IDLE, &again, &error));
    CU_ASSERT_EQUAL(again.left, passage.left);
    CU_ASSERT_EQUAL(region_times_newest(bench.region_times, 0)->left, passage.left);
    CU_ASSERT_FALSE(region_times_same(bench.region_times, passage.left, REGION_TIMES_IDLE));
    CU_ASSERT_TRUE(region_times_same(bench.region_times, passage.left, again.left));
}

/* Without the 2 bytes left of the first transfer the second one moves up: 2 + 6 ns become 6. */
static void test_cancel(void)
{
    SCOPED(tear_down) struct bench bench = {0};
    struct region_passage passage;
    uint32_t count;
    set_up(&bench, "s0 s1 c0 x0", 2);
    must(region_times_run(bench.region_times, 0, REGION_TIMES_IDLE, &passage, &error));
    const struct region_transfer *left =
        region_times_transfers(bench.region_times, passage.left, &count);
    CU_ASSERT_EQUAL_FATAL(count, 1);
    CU_ASSERT_EQUAL(left[0].op, 1);
    CU_ASSERT_EQUAL(left[0].left_ns, 6);
}

static enum status run_once(const void *input, struct error *failed)
{
    const struct bench *bench = input;
    SCOPED(region_times_release) struct region_times *region_times = NULL;
    struct region_passage passage;
    TRY(region_times_create(bench->program, bench->costs, &region_times, failed));
    return region_times_run(region_times, 0, REGION_TIMES_IDLE, &passage, failed);
}

static void test_no_memory(void)
{
    SCOPED(tear_down) struct bench bench = {0};
    set_up(&bench, "s0 c0", 5);
    fail_each(run_once, &bench);
}

static const struct test_case cases[] = {
    {"what a region leaves under way", test_left},
    {"transfers behind a cancelled one", test_cancel},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/region_times", cases)
