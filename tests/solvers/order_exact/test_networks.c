#include <stdlib.h>
#include <string.h>

#include "datasets/instance.h"
#include "ordering/ordering.h"
#include "ordering/region.h"
#include "planning/order/order_load.h"
#include "solvers/solvers.h"
#include "support/must.h"
#include "support/testing.h"

/* The least loads that are known of whole networks and of published examples. */

static void check_network(const char *name, bool overwrite, uint64_t best)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    must(instance_load(name, NULL, &instance, &error));
    SCOPED(order_view_release) struct order_view *view = region_view(instance->graph, overwrite);
    const struct order_row *exact = solvers_order_at(0);
    const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0, NULL};
    struct order_report report;
    uint64_t load;
    uint32_t *permutation = calloc(view->operators, sizeof *permutation);
    CU_ASSERT_PTR_NOT_NULL_FATAL(permutation);
    must(exact->order(exact, &task, permutation, &report, &error));
    must(order_permutation_check(view, permutation, &error));
    must(order_load(view, permutation, &load, &error));
    CU_ASSERT_EQUAL(report.status, PLAN_OPTIMAL);
    if (load != best || report.load_bytes != best)
        printf("\n    %s: %llu, expected %llu", name, (unsigned long long)load,
               (unsigned long long)best);
    CU_ASSERT_EQUAL(load, best);
    CU_ASSERT_EQUAL(report.load_bytes, best);
    free(permutation);
}

static void test_known(void)
{
    static const struct {
        const char *name;
        uint64_t best;
    } known[] = {
        {"wired/darts_cifar", 1622016},
        {"wired/darts_imagenet", 4616192},
        {"wired/nasnet_cifar", 2031616},
        {"wired/nasnet_imagenet", 4619904},
        {"wired/amoebanet_cifar", 1474560},
        {"wired/amoebanet_imagenet", 4741632},
        {"wired/pnas_cifar", 1916928},
        {"wired/pnas_imagenet", 4745344},
        {"wired/darts_cell", 12 * 75264},
        {"wired/liberis_lane", 4960},
        {"wired/model_simple", 70},
        {"wired/model_diamond", 130},
        {"wired/model_control", 150},
        {"wired/model_fan_in", 110},
        {"wired/dagmem_1", 32},
        {"wired/dagmem_2", 220},
        {"wired/randwire_cell_1", 3669120},
        {"wired/randwire_fused", 3179904},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i += TESTING_COUNT(1, 2))
        check_network(known[i].name, false, known[i].best);
}

/* Graphs that are made so that their least load is known. */
static void test_made(void)
{
    for (uint64_t seed = 1; seed <= 12; seed += TESTING_COUNT(1, 3)) {
        char name[80];
        snprintf(name, sizeof name, "generate:known_order?operators=%d&load=5000&seed=%d",
                 20 * (int)seed, (int)seed);
        check_network(name, false, 5000);
    }
}

/* The best order of a cell needs no fewer bytes where outputs are written over inputs. */
static void test_overwriting(void)
{
    check_network("wired/darts_cell", true, 12 * 75264);
}

static uint64_t run_row(const struct order_row *row, const struct order_task *task)
{
    struct order_report report;
    uint64_t load;
    uint32_t *permutation = calloc(task->view->operators, sizeof *permutation);
    CU_ASSERT_PTR_NOT_NULL_FATAL(permutation);
    must(order_ask(row, task, permutation, &report, &error));
    must(order_permutation_check(task->view, permutation, &error));
    must(order_load(task->view, permutation, &load, &error));
    CU_ASSERT_EQUAL(report.load_bytes, load);
    free(permutation);
    return load;
}

/* Without memory for any state, on a graph of thousands of operators. */
static void test_large(void)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(order_view_release) struct order_view *view = NULL;
    must(instance_load("generate:random_graph?operators=3000&seed=3", NULL, &instance, &error));
    const struct order_scope scope = {.graph = instance->graph};
    must(order_view_create(&scope, &view, &error));
    const struct order_task task = {view, UINT64_MAX, 0, 1, NULL};
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < ordering_count(); i++) {
        uint64_t load = run_row(ordering_at(i), &task);
        if (load < best && !(ordering_at(i)->flags & ORDER_RANDOMISED))
            best = load;
    }
    for (uint32_t i = 0; i < 2; i++) /* exact_order and beam */
        CU_ASSERT(run_row(solvers_order_at(i), &task) <= best);
}

static enum plan_status ask_program(uint32_t operators)
{
    char name[64];
    uint32_t i = 0, permutation[64];
    struct order_report report;
    SCOPED(instance_release) struct instance *instance = NULL;
    snprintf(name, sizeof name, "generate:known_order?operators=%u&load=5000&seed=1", operators);
    must(instance_load(name, NULL, &instance, &error));
    SCOPED(order_view_release) struct order_view *view = region_view(instance->graph, false);
    const struct order_task task = {view, 0, UINT64_MAX, 0, NULL};
    CU_ASSERT_FATAL(view->operators <= 64);
    while (strcmp(solvers_order_at(i)->name, "order_ilp") != 0)
        i++;
    must(solvers_order_at(i)->order(solvers_order_at(i), &task, permutation, &report, &error));
    return report.status;
}

/* The program takes graphs of up to 30 operators, here without time to solve them. */
static void test_largest_program(void)
{
    if (ask_program(10) == PLAN_UNSUPPORTED) {
        testing_skip("the largest integer program, this build has no GLPK");
        return;
    }
    CU_ASSERT_NOT_EQUAL(ask_program(30), PLAN_UNSUPPORTED);
    CU_ASSERT_EQUAL(ask_program(31), PLAN_UNSUPPORTED);
}

static const struct test_case cases[] = {
    {"known optima are found and proved", test_known},
    {"so are optima that graphs are made for", test_made},
    {"so is that of a cell in place", test_overwriting},
    {"where there is no room to search, the best order by rule is taken", test_large},
    {"how large the integer program may be", test_largest_program},
};
TESTING_MAIN("solvers/order_exact/networks", cases)
