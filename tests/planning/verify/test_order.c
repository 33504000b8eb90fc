/* Graphs in another order are compared with the one they were made of: what is wrong is named. */

#include <string.h>

#include "planning/order/graph_order.h"
#include "planning/sketch.h"
#include "planning/verify/order.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static struct graph *copy_of(const struct graph *graph)
{
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    struct graph *copy;
    must(graph_order_create(graph, &order, &error));
    must(graph_reorder(graph, order, &copy, &error));
    return copy;
}

static void expect_fault(const struct graph *graph, const struct graph *reordered, const char *text)
{
    CU_ASSERT_EQUAL(verify_order(graph, reordered, &error), STATUS_NO);
    if (strcmp(error.text, text) != 0)
        printf("\nfound %s\n", error.text);
    CU_ASSERT_STRING_EQUAL(error.text, text);
}

static void swap(struct graph *graph, uint32_t first, uint32_t second)
{
    struct graph_operator *op = graph->op, other = op[first];
    op[first] = op[second];
    op[second] = other;
    op[first].end = first + 1;
    op[second].end = second + 1;
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < op[o].outputs.count; i++)
            graph->tensor[graph->list[op[o].outputs.first + i]].producer = o;
}

static const char four[] = "a: x > y; b: y > z; c: z >; d: y >";

static void test_edges(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_read("x:4 y:4 z:4", "x", four, "y");
    SCOPED(graph_release) struct graph *copy = copy_of(sketch.graph);
    must(verify_order(sketch.graph, copy, &error));
    swap(copy, 0, 1);
    expect_fault(sketch.graph, copy, "the order runs 'b' before 'a', which writes 'y'");
    swap(copy, 0, 1);
    swap(copy, 2, 3);
    expect_fault(sketch.graph, copy,
                 "the order runs 'd' before 'c'; both write nothing, and their effects have to "
                 "keep their order");
}

static void test_control_edges(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 y:4 z:4", "x", "a: x > y; b: x > z", "y z");
    sketch.graph->op[1].after = sketch.graph->inputs; /* whose only tensor is 0, as operator a */
    SCOPED(graph_release) struct graph *copy = copy_of(sketch.graph);
    must(verify_order(sketch.graph, copy, &error));
    swap(copy, 0, 1);
    expect_fault(sketch.graph, copy, "the order runs 'b' before 'a', which it waits for");
}

static void test_operators(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_read("x:4 y:4 z:4", "x", four, "y");
    struct graph *copy = copy_of(sketch.graph);
    copy->op[3].name = copy->op[2].name;
    expect_fault(sketch.graph, copy, "the order has operator 'c' twice");
    copy->op[3].name = copy->op[0].type;
    expect_fault(sketch.graph, copy, "the order has operator 'Any', which the graph has not");
    graph_free(copy);
    copy = copy_of(sketch.graph);
    copy->op[1].inputs.count = 0;
    expect_fault(sketch.graph, copy, "the order changes what operator 'b' reads or writes");
    copy->tensor[1].bytes++;
    expect_fault(sketch.graph, copy, "the order changes tensor 'y' into 'y'");
    graph_free(copy);
}

static void test_borders(void)
{
    static const char tensors[] = "x:4 y:4 z:4 r:4";
    SCOPED(sketch_free)
    struct sketch inside =
        sketch_read(tensors, "x", "a: x > y; if: y > r {then(b: y > z | y) else(| y)}", "r");
    SCOPED(sketch_free)
    struct sketch other =
        sketch_read(tensors, "x", "a: x > y; if: y > r {then(| y) else(b: y > z | y)}", "r");
    expect_fault(inside.graph, other.graph,
                 "the order moves operator 'b' from a region of 'if' to one of 'if'");
}

static void test_loads(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 w:9! y:3 z:2 u:7", "x u", "a: x x w > y; b: y > z", "y");
    uint64_t load;
    must(verify_order_load(sketch.graph, &load, &error));
    CU_ASSERT_EQUAL(load, 14);
}

static enum status check_all(const void *input, struct error *fault)
{
    uint64_t load;
    TRY(verify_order(input, input, fault));
    return verify_order_load(input, &load, fault);
}

static void test_allocations(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_read("x:4 y:4 z:4", "x", four, "y");
    fail_each(check_all, sketch.graph);
}

static const struct test_case cases[] = {
    {"edges", test_edges},         {"control edges", test_control_edges},
    {"operators", test_operators}, {"borders", test_borders},
    {"loads", test_loads},         {"allocations", test_allocations},
};

TESTING_MAIN("planning/verify/order", cases)
