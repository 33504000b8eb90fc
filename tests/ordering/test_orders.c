/* Every order by rule: a permutation that breaks no edge, with the load that it has, never below
   the least of all; the same for the same graph. */

#include <string.h>

#include "core/memory.h"
#include "ordering/ordering.h"
#include "ordering/region.h"
#include "planning/order/order_load.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

enum { MOST_OPERATORS = 12 };

static struct order_task task_of(const struct order_view *view)
{
    return (struct order_task){view, UINT64_MAX, UINT64_MAX, 1, NULL};
}

static void check_order(const struct order_row *row, const struct order_view *view,
                        uint64_t least_bytes)
{
    const struct order_task task = task_of(view);
    uint32_t permutation[MOST_OPERATORS], again[MOST_OPERATORS];
    struct order_report report = {0};
    uint64_t load;
    must(order_ask(row, &task, permutation, &report, &error));
    must(order_permutation_check(view, permutation, &error));
    must(order_load(view, permutation, &load, &error));
    if (load != report.load_bytes || load < least_bytes)
        printf("\n%s\n", row->name);
    CU_ASSERT_EQUAL(load, report.load_bytes);
    CU_ASSERT(load >= least_bytes);
    if (report.status == PLAN_OPTIMAL)
        CU_ASSERT_EQUAL(load, least_bytes);
    must(order_ask(row, &task, again, &report, &error));
    CU_ASSERT_EQUAL(memcmp(permutation, again, view->operators * sizeof *again), 0);
}

static void test_any_graph(void)
{
    struct random_state random = random_seed(7);
    for (uint32_t turn = 0; turn < TESTING_COUNT(3000, 300); turn++) {
        struct graph *graph = region_graph(&random, 1 + turn % MOST_OPERATORS);
        SCOPED(order_view_release) struct order_view *view = region_view(graph, turn % 2);
        uint64_t least = region_least_load(view);
        for (uint32_t i = 0; i < ordering_count(); i++)
            check_order(ordering_at(i), view, least);
        graph_free(graph);
    }
}

/* The order of a sketch's operators, by their names of one letter. */
static void expect_order(const char *row_name, const struct sketch *sketch, const char *expected)
{
    const struct order_row *row = ordering_find(row_name);
    SCOPED(order_view_release) struct order_view *view = region_view(sketch->graph, false);
    const struct order_task task = task_of(view);
    uint32_t permutation[MOST_OPERATORS];
    char found[MOST_OPERATORS + 1] = "";
    struct order_report report;
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    must(order_ask(row, &task, permutation, &report, &error));
    for (uint32_t i = 0; i < view->operators; i++)
        found[i] = order_view_name(view, permutation[i], NULL, 0)[0];
    if (strcmp(found, expected) != 0)
        printf("\n%s: found %s, expected %s\n", row_name, found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

/* Two branches of a fork, which join again. */
static void test_what_each_does(void)
{
    struct sketch sketch = sketch_read(
        "x:2 a1:4 b1:8 c1:2 d1:6 e1:1 f1:3", "x",
        "a: x > a1; b: a1 > b1; c: b1 > c1; d: a1 > d1; e: d1 > e1; f: c1 e1 > f1", "f1");
    expect_order("stored", &sketch, "abcdef");
    expect_order("fifo", &sketch, "abdcef");
    expect_order("lifo", &sketch, "abcdef");
    expect_order("reverse_post", &sketch, "adebcf");
    expect_order("xla_list", &sketch, "adebcf");
    expect_order("xla_dfs", &sketch, "abcdef");
    expect_order("xla_post", &sketch, "abcdef");
    expect_order("inductor_lpmf", &sketch, "adebcf");
    expect_order("inductor_bfs", &sketch, "abdcef");
    expect_order("inductor_dfs", &sketch, "adebcf");
    expect_order("onnxruntime", &sketch, "adebcf");
    expect_order("glow", &sketch, "abcdef");
    expect_order("xten", &sketch, "abcdef");
    sketch_free(&sketch);
}

static void test_eager_freeing(void)
{
    struct sketch sketch = sketch_read("x:1 a1:9 b1:5 c1:1 d1:2", "x",
                                       "a: x > a1; b: x > b1; c: a1 > c1; d: b1 c1 > d1", "d1");
    expect_order("eager_free", &sketch, "acbd");
    expect_order("worst", &sketch, "abcd");
    sketch_free(&sketch);
}

static void test_shapes_run_at_once(void)
{
    struct sketch sketch =
        sketch_read("x:1 a1:9 b1:5 s1:1 d1:2", "x",
                    "a: x > a1; b: a1 > b1; s Shape: a1 > s1; d: b1 s1 > d1", "d1");
    expect_order("onnxruntime", &sketch, "asbd");
    sketch_free(&sketch);
}

/* Trees, and forks that join again: both rows prove the least load of their class. */
static void test_classes(void)
{
    struct random_state random = random_seed(11);
    for (uint32_t turn = 0; turn < TESTING_COUNT(2000, 200); turn++) {
        struct graph *graph = region_tree(&random, 1 + turn % MOST_OPERATORS, turn % 2);
        SCOPED(order_view_release) struct order_view *view = region_view(graph, false);
        const struct order_task task = task_of(view);
        uint64_t least = region_least_load(view);
        static const char *const names[] = {"liu", "series_parallel"};
        for (int i = turn % 2; i < 2; i++) {
            uint32_t permutation[MOST_OPERATORS];
            struct order_report report;
            const struct order_row *row = ordering_find(names[i]);
            must(order_ask(row, &task, permutation, &report, &error));
            CU_ASSERT_EQUAL(report.status, PLAN_OPTIMAL);
            CU_ASSERT_EQUAL(report.load_bytes, least);
        }
        graph_free(graph);
    }
}

static enum status run_all(const void *input, struct error *fault)
{
    const struct order_task task = task_of(input);
    uint32_t permutation[MOST_OPERATORS];
    struct order_report report;
    for (uint32_t i = 0; i < ordering_count(); i++)
        TRY(order_ask(ordering_at(i), &task, permutation, &report, fault));
    return STATUS_OK;
}

static void test_allocations(void)
{
    struct random_state random = random_seed(3);
    struct graph *graph = region_graph(&random, MOST_OPERATORS);
    SCOPED(order_view_release) struct order_view *view = region_view(graph, true);
    fail_each(run_all, view);
    graph_free(graph);
}

/* The end of the forward pass is y; r is no part of the way back, and s leads nowhere. */
static void test_training(void)
{
    static const char *const ends[] = {"YieldOp", "Loss", "Any"};
    static const char *const expected[] = {"abyrmnos", "abyrmnos", "abynrmos"};
    for (int i = 0; i < 3; i++) {
        char ops[160];
        snprintf(ops, sizeof ops,
                 "a: x > a1; b: a1 > b1; s: b1 > s1; r: a1 > r1; y %s: b1 > g1; m: g1 r1 > m1; "
                 "n: g1 > n1; o: m1 n1 > o1",
                 ends[i]);
        struct sketch sketch =
            sketch_read("x:1 a1:2 b1:3 s1:4 r1:5 g1:6 m1:7 n1:8 o1:9", "x", ops, "o1");
        expect_order("onnxruntime_training", &sketch, expected[i]);
        sketch_free(&sketch);
    }
}

static const struct test_case cases[] = {
    {"training", test_training},
    {"any graph", test_any_graph},
    {"what each does", test_what_each_does},
    {"eager freeing", test_eager_freeing},
    {"shapes run at once", test_shapes_run_at_once},
    {"classes", test_classes},
    {"allocations", test_allocations},
};

TESTING_MAIN("ordering/orders", cases)
