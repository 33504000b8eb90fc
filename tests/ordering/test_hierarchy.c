/* Chains and groups of operators, and HMCOS's orders of them. */

#include "core/memory.h"
#include "ordering/hierarchy/groups.h"
#include "ordering/ordering.h"
#include "ordering/region.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static uint64_t find_load(const struct order_view *view, const char *name)
{
    const struct order_row *row = ordering_find(name);
    const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 1, NULL};
    struct order_report report = {0};
    uint32_t *permutation;
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    must(memory_create(&permutation, view->operators, sizeof *permutation, &error));
    must(order_ask(row, &task, permutation, &report, &error));
    memory_free(permutation);
    return report.load_bytes;
}

/* Each operator is in one chain, whose operators follow each other. */
static void check_chains(const struct hierarchy *hierarchy)
{
    const struct order_view *view = hierarchy->view;
    CU_ASSERT_EQUAL(hierarchy->ops.start[hierarchy->chains], view->operators);
    for (uint32_t c = 0; c < hierarchy->chains; c++)
        for (const uint32_t *op = order_lists_begin(&hierarchy->ops, c);
             op + 1 < order_lists_end(&hierarchy->ops, c); op++) {
            CU_ASSERT_EQUAL(order_lists_count(&view->successors, op[0]), 1);
            CU_ASSERT_EQUAL(*order_lists_begin(&view->successors, op[0]), op[1]);
            CU_ASSERT_EQUAL(order_lists_count(&view->predecessors, op[1]), 1);
        }
}

/* Some chain can always run next with all of its group. */
static void check_groups(const struct hierarchy *hierarchy)
{
    uint32_t left = hierarchy->chains, before = 0;
    bool ran[16] = {false};
    while (left != before) {
        before = left;
        for (uint32_t c = 0; c < hierarchy->chains; c++) {
            bool ready = !ran[c];
            uint32_t member = c;
            do {
                for (const uint32_t *p = order_lists_begin(&hierarchy->before, member);
                     p < order_lists_end(&hierarchy->before, member); p++)
                    ready =
                        ready && (ran[*p] || (hierarchy->group_of[c] != ORDER_NONE &&
                                              hierarchy->group_of[*p] == hierarchy->group_of[c]));
                member = hierarchy->ring[member];
            } while (member != c);
            for (; ready && !ran[member]; member = hierarchy->ring[member], left--)
                ran[member] = true;
        }
    }
    CU_ASSERT_EQUAL(left, 0);
}

static enum status group_all(const struct order_view *view, struct hierarchy *hierarchy,
                             struct error *fault)
{
    struct scratch scratch = {0};
    enum status status = hierarchy_create(view, hierarchy, fault);
    if (!status)
        status = groups_make(hierarchy, &scratch, fault);
    scratch_free(&scratch);
    return status;
}

/* Without groups the program is exact; with them no order is better than the best. */
static void test_any_graph(void)
{
    struct random_state random = random_seed(23);
    uint32_t grouped = 0, best = 0;
    for (uint32_t turn = 0; turn < TESTING_COUNT(4000, 400); turn++) {
        struct graph *graph = region_graph(&random, 1 + turn % 12);
        SCOPED(order_view_release) struct order_view *view = region_view(graph, turn % 2);
        struct hierarchy hierarchy;
        uint64_t least = region_least_load(view), load = find_load(view, "hmcos");
        must(group_all(view, &hierarchy, &error));
        check_chains(&hierarchy);
        check_groups(&hierarchy);
        if (!hierarchy.groups)
            CU_ASSERT_EQUAL(load, least);
        CU_ASSERT(load >= least);
        grouped += hierarchy.groups > 0;
        best += hierarchy.groups > 0 && load == least;
        hierarchy_free(&hierarchy);
        graph_free(graph);
    }
    CU_ASSERT(grouped > TESTING_COUNT(4000, 400) / 50);
    CU_ASSERT(best > grouped / 2);
}

static uint32_t find_group(const struct hierarchy *hierarchy, const struct sketch *sketch,
                           const char *tensor)
{
    uint32_t op = sketch->graph->tensor[sketch_find(sketch, tensor)].producer;
    return hierarchy->group_of[hierarchy->chain_of[op]];
}

/* Two cells: of the second what reads only the first goes with that, where less is left behind it
   than behind the Concat. */
static void test_cells(void)
{
    struct sketch sketch = sketch_read(
        "x:8 s:8 a:8 b:8 c:16 d:4 e:2 f:2 g:4 h:2 i:6 o:1", "x",
        "s: x > s; a: s > a; b: s > b; c Concat: a b > c; d: c > d; e: d > e; f: d > f; g: e > g; "
        "h: f > h; i Concat: g h > i; o: i > o",
        "o");
    SCOPED(order_view_release) struct order_view *view = region_view(sketch.graph, false);
    struct hierarchy hierarchy;
    must(group_all(view, &hierarchy, &error));
    CU_ASSERT_EQUAL(find_group(&hierarchy, &sketch, "a"), find_group(&hierarchy, &sketch, "c"));
    CU_ASSERT_EQUAL(find_group(&hierarchy, &sketch, "b"), find_group(&hierarchy, &sketch, "c"));
    CU_ASSERT_NOT_EQUAL(find_group(&hierarchy, &sketch, "c"), ORDER_NONE);
    CU_ASSERT_NOT_EQUAL(find_group(&hierarchy, &sketch, "c"), find_group(&hierarchy, &sketch, "e"));
    CU_ASSERT_EQUAL(find_group(&hierarchy, &sketch, "e"), find_group(&hierarchy, &sketch, "f"));
    uint32_t concat = hierarchy.chain_of[sketch.graph->tensor[sketch_find(&sketch, "c")].producer];
    CU_ASSERT(hierarchy_dissolve(&hierarchy, concat));
    CU_ASSERT_FALSE(hierarchy_dissolve(&hierarchy, concat));
    CU_ASSERT_EQUAL(find_group(&hierarchy, &sketch, "a"), ORDER_NONE);
    CU_ASSERT_NOT_EQUAL(find_group(&hierarchy, &sketch, "e"), ORDER_NONE);
    hierarchy_free(&hierarchy);
    sketch_free(&sketch);
}

/* Too many sets for the memory: the stored order stands. */
static void test_limits(void)
{
    struct random_state random = random_seed(4);
    SCOPED(order_release) struct order_row *row = NULL;
    must(order_configure(ordering_find("hmcos"), "memory=1", &row, &error));
    for (uint32_t turn = 0; turn < 3; turn++) {
        struct graph *graph = region_graph(&random, 80);
        SCOPED(order_view_release) struct order_view *view = region_view(graph, false);
        const struct order_task task = {view, turn ? UINT64_MAX : 0, UINT64_MAX, 1, NULL};
        struct order_report report;
        uint32_t permutation[80];
        must(order_ask(row, &task, permutation, &report, &error));
        CU_ASSERT_EQUAL(report.status, PLAN_FEASIBLE);
        CU_ASSERT(report.load_bytes <= find_load(view, "stored"));
        graph_free(graph);
    }
}

static enum status group_and_free(const void *input, struct error *fault)
{
    struct hierarchy hierarchy;
    enum status status = group_all(input, &hierarchy, fault);
    hierarchy_free(&hierarchy);
    return status;
}

static void test_allocations(void)
{
    struct random_state random = random_seed(3);
    struct graph *graph = region_graph(&random, 12);
    SCOPED(order_view_release) struct order_view *view = region_view(graph, false);
    fail_each(group_and_free, view);
    graph_free(graph);
}

static const struct test_case cases[] = {
    {"any graph", test_any_graph},
    {"cells", test_cells},
    {"limits", test_limits},
    {"allocations", test_allocations},
};

TESTING_MAIN("ordering/hierarchy", cases)
