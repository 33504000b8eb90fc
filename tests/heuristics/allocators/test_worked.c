#include "heuristics/heuristics.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/testing.h"

/* Six buffers that allocators place in eight ways. The offsets are those of the sources themselves
   or of their rules on paper; tests/oracles/allocators.py has the rules once more. */

enum { BUFFERS = 6 };
struct example {
    const char *planner;
    uint64_t unit; /* bytes; offsets and pool_units count them */
    uint64_t offset[BUFFERS];
    uint64_t pool_units; /* 0: of a planner without pools */
};

#define MIB (UINT64_C(1) << 20)

static const struct example examples[] = {
    {"openvino_memory_solver", 512, {0, 5, 3, 0, 9, 0}, 0},
    {"xnnpack", 512, {0, 5, 3, 0, 9, 0}, 0},
    {"xnnpack_before_2026", 512, {9, 5, 12, 9, 9, 0}, 0},
    {"mlir_best_fit", 512, {0, 3, 7, 0, 7, 8}, 13},
    {"ggml", 512, {0, 3, 7, 0, 0, 7}, 12},
    {"ggml?chunk=4096", 512, {0, 3, 7, 0, 0, 7}, 12},
    {"ggml?chunk=3072", 512, {0, 6, 3, 0, 0, 1}, 10},
    {"ggml?chunk=2048", 512, {0, 3, 7, 0, 7, 9}, 14},
    {"tinygrad", 512, {0, 3, 7, 0, 0, 7}, 12},
    {"inductor_pools", 512, {0, 5, 9, 0, 9, 0}, 11},
    {"mnn_deferred", 512, {0, 5, 9, 0, 9, 0}, 11},
    {"graph_compiler", 512, {0, 5, 9, 0, 9, 0}, 11},
    {"best_fit_joining", 512, {0, 3, 7, 0, 0, 7}, 12},
    {"tf_bfc?region=65536", 512, {0, 3, 7, 0, 0, 7}, 128},
    {"pytorch_caching", MIB, {0, 3, 7, 0, 20, 7}, 22},
    {"tf_bfc", MIB, {0, 4, 8, 0, 0, 8}, 16},
    {"ort_bfc", MIB, {0, 4, 8, 0, 0, 8}, 16},
};

static void test_example(const struct example *example)
{
    struct made_buffer rows[BUFFERS] = {{0, 2, 3}, {1, 5, 4}, {1, 4, 2},
                                        {3, 4, 3}, {4, 6, 1}, {4, 5, 5}};
    for (int b = 0; b < BUFFERS; b++)
        rows[b].size *= example->unit;
    struct problem *problem = made_problem(rows, BUFFERS);
    struct plan *plan = rule_test_run(example->planner, problem);
    for (int b = 0; b < BUFFERS; b++)
        if (plan->offset[b] != example->offset[b] * example->unit)
            CU_FAIL_FATAL(example->planner);
    CU_ASSERT_EQUAL(plan->measures.pool_bytes, example->pool_units * example->unit);
    plan_free(plan);
    problem_free(problem);
}

static void test_examples(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        test_example(&examples[i]);
}

/* Where F is allocated before E, MLIR's sort leaves the same gaps and another plan. */
static void test_other_order(void)
{
    static const struct made_buffer rows[] = {{0, 2, 3}, {1, 5, 4}, {1, 4, 2},
                                              {3, 4, 3}, {4, 5, 5}, {4, 6, 1}};
    rule_test_expect("mlir_best_fit", rows, 6, (const uint64_t[]){0, 3, 7, 0, 7, 0});
}

/* cont, relu in its place, add in the place of x, a square beside the view of relu, concat: tensors
   that share a place are one buffer here. With twice the elements each lies twice as high: what
   llama.cpp reserves then. */
static void test_ggml_graph(void)
{
    static const struct made_buffer rows[] = {
        {0, 6, 4096}, {1, 5, 4096}, {4, 6, 2048}, {5, 7, 6144}};
    static const struct made_buffer reserved[] = {
        {0, 6, 8192}, {1, 5, 8192}, {4, 6, 4096}, {5, 7, 12288}};
    rule_test_expect("ggml", rows, 4, (const uint64_t[]){0, 4096, 8192, 10240});
    rule_test_expect("ggml", reserved, 4, (const uint64_t[]){0, 8192, 16384, 20480});
}

/* A recording leaves W and X alive and has four children. Each frees what it does not need, and
   records one tensor: Y where W was, Z behind W, where X and the first child's Y were; V has a
   segment of its own; U finds W alive again, and takes the smaller of two free places. */
static void test_recordings(void)
{
    static const struct {
        uint64_t mib, offset;
        struct problem_segment segment[3];
    } rows[] = {{4, 0, {{0, 2, 0, 0}, {3, 4, 0, 0}, {5, 6, 0, 0}}}, /* W */
                {4, 4, {{0, 3, 0, 0}}},                             /* X */
                {4, 0, {{2, 3, 0, 0}}},                             /* Y */
                {9, 4, {{3, 4, 0, 0}}},                             /* Z */
                {24, 20, {{4, 5, 0, 0}}},                           /* V */
                {12, 4, {{5, 6, 0, 0}}}};                           /* U */
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    for (size_t b = 0; b < sizeof rows / sizeof *rows; b++) {
        made_problem_buffer(problem, "tensor", rows[b].mib * MIB, 1, PROBLEM_FREE);
        for (int s = 0; s < 3 && rows[b].segment[s].upper; s++) {
            struct problem_segment segment = rows[b].segment[s];
            segment.window_upper = rows[b].mib * MIB;
            made_problem_segment(problem, segment);
        }
    }
    made_problem_finish(problem);
    SCOPED(plan_release) struct plan *plan = rule_test_run("cudagraph_pool", problem);
    for (uint32_t b = 0; b < plan->buffers; b++)
        CU_ASSERT_EQUAL(plan->offset[b], rows[b].offset * MIB);
    CU_ASSERT_EQUAL(plan->measures.pool_bytes, 44 * MIB);
}

/* The second buffer takes the bytes of the first one and keeps them too long. */
static void test_no_recordings(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(planner_release) struct planner *planner = rule_test_configure("cudagraph_pool");
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    made_problem_buffer(problem, "a", 512, 1, PROBLEM_FREE);
    made_problem_segment(problem, (struct problem_segment){0, 1, 0, 512});
    made_problem_segment(problem, (struct problem_segment){2, 3, 0, 512});
    made_problem_add(problem, (struct made_buffer){1, 3, 512});
    made_problem_finish(problem);
    must(plan_create(problem, &plan, &error));
    must(planner_plan(planner, &task, plan, &error));
    CU_ASSERT_EQUAL(plan->status, PLAN_UNSUPPORTED);
}

static void test_many_settings(void)
{
    static const char *const planners[] = {"ggml?chunk=20",
                                           "tf_bfc?region=16&alignment=1",
                                           "ort_bfc?same_as_requested=1",
                                           "pytorch_caching?max_split=1",
                                           "graph_compiler?hot_first=0",
                                           "tinygrad?alignment=7"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++)
        rule_test_validate(planners[i], 2000);
}

static const struct test_case cases[] = {
    {"the worked example", test_examples},
    {"another order of allocations", test_other_order},
    {"ggml's graph", test_ggml_graph},
    {"recordings that share a pool", test_recordings},
    {"what are no recordings", test_no_recordings},
    {"settings", test_many_settings},
};
TESTING_MAIN("heuristics/allocators/worked", cases)
