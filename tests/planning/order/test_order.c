/* Views of regions, loads of orders against lifetimes, and graphs in another order. */

#include "core/memory.h"
#include "core/random.h"
#include "planning/graph/build.h"
#include "planning/liveness/liveness.h"
#include "planning/order/find_order.h"
#include "planning/order/graph_order.h"
#include "planning/order/order_load.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Any operator that may run is as likely as any other. */
static enum status run_at_random(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *fault)
{
    struct order_run run;
    struct random_state random = random_seed(task->seed);
    (void)row;
    TRY(order_run_create(task->view, &run, fault));
    while (run.done < task->view->operators) {
        uint32_t v = (uint32_t)random_below(&random, task->view->operators);
        if (!order_run_is_ready(&run, v))
            continue;
        permutation[run.done] = v;
        order_run_step(&run, v);
    }
    order_run_free(&run);
    return order_report_feasible(task->view, permutation, report, fault);
}

static const struct order_row at_random = {.name = "at_random", .order = run_at_random};

static uint64_t find_flat_load(const struct graph *graph)
{
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    uint64_t load = 0;
    must(liveness_create(graph, &liveness, &error));
    for (uint32_t step = 0; step < liveness->steps; step++) {
        uint64_t live = 0;
        for (uint32_t t = 0; t < graph->tensors; t++)
            if (liveness->lower[t] <= step && step < liveness->upper[t])
                live += graph->tensor[t].bytes;
        load = live > load ? live : load;
    }
    return load;
}

static struct order_view *view_of(const struct sketch *sketch, const char *rules)
{
    struct order_view *view;
    SCOPED(inplace_possibles_clear) struct inplace_possibles possibles = {0};
    const struct inplace_choice choice = {.rules = inplace_find(rules)};
    must(inplace_find_possible(sketch->graph, &choice, &possibles, &error));
    must(order_view_create(&(struct order_scope){.graph = sketch->graph, .possibles = &possibles},
                           &view, &error));
    return view;
}

static uint64_t load_of(const struct order_view *view, const uint32_t *permutation)
{
    uint64_t load;
    must(order_permutation_check(view, permutation, &error));
    must(order_load(view, permutation, &load, &error));
    return load;
}

/* Liberis and Lane 2019, the example of seven operators. */
static void test_published_example(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("i:1568 t1:3136 t2:1568 t3:512 t4:512 t5:256 t6:256 t7:512", "i",
                    "o1: i > t1; o2: t1 > t2; o3: t2 > t3; o4: t1 > t4; o5: t3 > t5; o6: t4 > t6;"
                    "o7: t5 t6 > t7",
                    "t7");
    SCOPED(order_view_release) struct order_view *view = view_of(&sketch, "none");
    CU_ASSERT_EQUAL(load_of(view, (uint32_t[]){0, 1, 2, 3, 4, 5, 6}), 5216);
    CU_ASSERT_EQUAL(load_of(view, (uint32_t[]){0, 3, 5, 1, 2, 4, 6}), 4960);
}

static void test_what_is_seen(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 w:8! y:3 z:2 u:7", "x u", "a: x x w > y; b: y > z", "y");
    SCOPED(order_view_release) struct order_view *view = view_of(&sketch, "none");
    CU_ASSERT_EQUAL(view->operators, 2);
    CU_ASSERT_EQUAL(view->first_bytes, 7);
    CU_ASSERT_EQUAL(order_lists_count(&view->inputs, 0), 1);
    CU_ASSERT_EQUAL(order_lists_count(&view->predecessors, 1), 1);
    CU_ASSERT_EQUAL(load_of(view, (uint32_t[]){0, 1}), 14);
}

/* What b takes beside what is live, once a and c ran. */
static void test_overwriting(void)
{
    static const struct {
        const char *operators, *outputs, *rules;
        uint64_t bytes;
    } known[] = {
        {"a: x > y; b Relu: y > z; c: x > u; d: u > v", "", "declared", 8},
        {"a: x > y; b Relu: y > z; c: x > u; d: u > v", "", "none", 12},
        {"a: x > y; b Relu: y > z; c: x > u; d: u > v", "z", "declared", 12}, /* a graph output */
        {"a: x > y; b Relu: y > z; c: x > u; d: u > v", "z", "nnvm", 8},
        {"a: x > y; b Relu: y > z; c: x > u; d: z > v", "y", "nnvm", 8},     /* its input is kept */
        {"a: x > y; b Relu: x > z; c: x > u; d: u > v", "", "declared", 12}, /* a graph input */
        {"a: x > y; b Add: y y > z; c: x > u; d: u > v", "", "declared", 12},
        {"a: x > y; b Reshape: y > z; c: x > u; d: y z > v", "", "tflite", 4},
        {"a: x > y; b Reshape: y > z; c: x > u; d: y z > v", "", "declared", 8},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        SCOPED(sketch_free)
        struct sketch sketch =
            sketch_read("x:4 y:4 z:4 u:4 v:4", "x", known[i].operators, known[i].outputs);
        SCOPED(order_view_release) struct order_view *view = view_of(&sketch, known[i].rules);
        struct order_run run;
        must(order_run_create(view, &run, &error));
        order_run_step(&run, 0);
        order_run_step(&run, 2);
        if (order_run_transient(&run, 1) != known[i].bytes)
            printf("\n    %zu: %llu", i, (unsigned long long)order_run_transient(&run, 1));
        CU_ASSERT_EQUAL(order_run_transient(&run, 1), known[i].bytes);
        order_run_free(&run);
    }
}

static void test_two_outputs_over_one_input(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_begin("x:4 y:4 z:4", "", "a: > x");
    uint32_t opened, x = sketch_find(&sketch, "x");
    const uint32_t outputs[] = {sketch_find(&sketch, "y"), sketch_find(&sketch, "z")};
    must(graph_open_operator(sketch.graph, "b", "Any", &opened, &error));
    must(graph_operator_inputs(sketch.graph, &x, 1, &error));
    must(graph_operator_outputs(sketch.graph, outputs, 2, &error));
    must(graph_operator_inplace(sketch.graph, (uint32_t[]){0, 0, 0, 1}, 2, &error));
    graph_close_operator(sketch.graph);
    sketch_add(&sketch, "c: y z >");
    sketch_finish(&sketch, "");
    SCOPED(order_view_release) struct order_view *view = view_of(&sketch, "declared");
    struct order_run run;
    must(order_run_create(view, &run, &error));
    order_run_step(&run, 0);
    CU_ASSERT_EQUAL(order_run_transient(&run, 1), 8);
    order_run_free(&run);
}

static void test_wrong_permutations(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 y:4 z:4", "x", "a: x > y; b: y > z", "z");
    SCOPED(order_view_release) struct order_view *view = view_of(&sketch, "none");
    static const struct {
        uint32_t permutation[2];
        const char *text;
    } wrong[] = {
        {{1, 0}, "an order runs 'b' before 'a', which has to come first"},
        {{0, 0}, "operator 'a' stands at places 0 and 1 of an order, expected once"},
        {{0, 2}, "found operator 2 at place 1 of an order, expected less than 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_EQUAL(order_permutation_check(view, wrong[i].permutation, &error),
                        STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.text, wrong[i].text);
    }
}

/* A random order of a random graph: the graph in that order has the load that lifetimes give. */
static void test_loads_are_those_of_lifetimes(void)
{
    struct random_state random = random_seed(19);
    for (uint32_t turn = 0; turn < 2000; turn++) {
        const struct random_graph_shape shape = {
            .operators = 1 + turn % 12, .depth = turn % 3, .loops = turn % 2};
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        SCOPED(graph_release) struct graph *reordered = NULL;
        const struct graph_order_task task = {.graph = graph,
                                              .policy = &policy_flat,
                                              .time_limit_ns = UINT64_MAX,
                                              .memory_limit_bytes = UINT64_MAX,
                                              .seed = turn};
        SCOPED(graph_order_release) struct graph_order *order = NULL;
        struct order_report report;
        uint64_t load;
        must(graph_order_find(&at_random, &task, &order, &report, &error));
        must(graph_reorder(graph, order, &reordered, &error));
        uint64_t flat = find_flat_load(reordered);
        if (graph_has_control_flow(graph))
            CU_ASSERT(report.load_bytes >= flat)
        else
            CU_ASSERT_EQUAL(report.load_bytes, flat);
        must(graph_order_load(&task, order, &load, &error));
        CU_ASSERT_EQUAL(load, report.load_bytes);
    }
}

static enum status order_and_reorder(const void *input, struct error *fault)
{
    const struct graph_order_task *task = input;
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    SCOPED(graph_release) struct graph *reordered = NULL;
    struct order_report report;
    struct order_row row = at_random;
    row.flags = ORDER_EXACT;
    TRY(graph_order_find(&row, task, &order, &report, fault));
    return graph_reorder(task->graph, order, &reordered, fault);
}

static void test_allocations(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 y:4 z:4 r:4 s:4", "x",
                    "a: x > y; b Relu: y > z; if: z > r {then(c: z > s | s) else(| z)}", "r");
    const struct graph_order_task task = {.graph = sketch.graph,
                                          .policy = &policy_flat,
                                          .inplace = {.rules = inplace_find("declared")}};
    fail_each(order_and_reorder, &task);
}

static const struct test_case cases[] = {
    {"Liberis and Lane's example", test_published_example},
    {"what a view has", test_what_is_seen},
    {"overwriting", test_overwriting},
    {"two outputs over one input", test_two_outputs_over_one_input},
    {"wrong permutations are named", test_wrong_permutations},
    {"loads are those of lifetimes", test_loads_are_those_of_lifetimes},
    {"allocations", test_allocations},
};

TESTING_MAIN("planning/order", cases)
