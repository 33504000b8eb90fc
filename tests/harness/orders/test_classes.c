/* Trees and series-parallel graphs, as the generators make them: the rows of their classes prove
   the least load, which exact_order proves too and, of few operators, a look at every set of those
   that may have run. Nothing is below the bound of all orders. */

#include "core/memory.h"
#include "harness/catalogue/orders.h"
#include "harness/jobs.h"
#include "harness/orders/order_bound.h"
#include "ordering/region.h"
#include "support/must.h"

static uint64_t prove(const char *row_name, const struct order_view *view)
{
    const struct order_row *row = orders_find(row_name);
    const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 1, NULL};
    struct order_report report = {0};
    SCOPED(memory_release) uint32_t *permutation = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    must(memory_create(&permutation, view->operators, sizeof *permutation, &error));
    must(order_ask(row, &task, permutation, &report, &error));
    CU_ASSERT_EQUAL(report.status, PLAN_OPTIMAL);
    return report.load_bytes;
}

/* By exact_order and, where there are few enough, by brute force. */
static void check_graph(const char *name, const char *row_name)
{
    enum { MOST_TRIED = 12 };
    SCOPED(instance_release) struct instance *instance = jobs_load(name);
    SCOPED(order_view_release) struct order_view *view = region_view(instance->graph, false);
    uint64_t load = prove(row_name, view), least = prove("exact_order", view);
    if (view->operators <= MOST_TRIED)
        CU_ASSERT_EQUAL(least, region_least_load(view));
    if (load != least)
        printf("\n%s: %s\n", name, row_name);
    CU_ASSERT_EQUAL(load, least);
}

static void test_small(void)
{
    for (uint32_t seed = 1; seed <= TESTING_COUNT(1000, 100); seed++) {
        char name[112];
        uint32_t operators = seed % 10 ? 2 + seed % 11 : 40;
        snprintf(name, sizeof name, "generate:random_graph?family=tree&operators=%u&seed=%u",
                 operators, seed);
        check_graph(name, "liu");
        check_graph(name, "series_parallel");
        snprintf(name, sizeof name,
                 "generate:random_graph?family=series_parallel&operators=%u&edges=%u&seed=%u",
                 operators, 100 + seed % 7 * 20, seed);
        check_graph(name, "series_parallel");
    }
}

/* Far more operators than of which every implied edge is looked for; sizes of few values, so that
   many are equal. */
static void test_large(void)
{
    static const char *const names[] = {
        "generate:random_graph?family=series_parallel&operators=30000&seed=3",
        "generate:random_graph?family=series_parallel&operators=30000&edges=150&largest=12",
        "generate:random_graph?family=tree&operators=30000&seed=3",
        "generate:random_graph?family=tree&operators=30000&largest=12"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(names[i]);
        SCOPED(order_view_release) struct order_view *view = region_view(instance->graph, false);
        uint64_t load = prove("series_parallel", view), bound;
        must(order_bound_find(instance->graph, NULL, &bound, &error));
        CU_ASSERT(bound > 0 && bound <= load);
    }
}

static void test_bounds(void)
{
    struct random_state random = random_seed(19);
    for (uint32_t turn = 0; turn < TESTING_COUNT(2000, 200); turn++) {
        SCOPED(graph_release) struct graph *graph = region_graph(&random, 1 + turn % 12);
        bool overwrite = turn % 2;
        SCOPED(order_view_release) struct order_view *view = region_view(graph, overwrite);
        uint64_t bound;
        const struct inplace_choice inplace = {.rules =
                                                   inplace_find(overwrite ? "declared" : "none")};
        must(order_bound_find(graph, &inplace, &bound, &error));
        CU_ASSERT(bound <= region_least_load(view));
    }
}

static const struct test_case cases[] = {
    {"trees and series-parallel graphs", test_small},
    {"large graphs", test_large},
    {"bounds", test_bounds},
};

TESTING_MAIN("harness/orders/classes", cases)
