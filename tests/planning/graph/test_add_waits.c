#include "planning/graph/add_waits.h"

#include <string.h>

#include "planning/graph/build.h"
#include "planning/graph/critical_path.h"
#include "planning/graph/happens_before.h"
#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

static uint32_t find_op(const struct graph *graph, const char *name)
{
    for (uint32_t o = 0; o < graph->operators; o++)
        if (!strcmp(graph_label(graph, graph->op[o].name), name))
            return o;
    CU_FAIL_FATAL("no such operator");
    return GRAPH_NONE;
}

/* Two chains of two operators, "far" on a stream of its own. */
static struct sketch make_chains(void)
{
    struct sketch sketch = sketch_read(
        "x:4 a:4 b:4 c:4 d:4", "x", "near1: x > a; near2: a > b; far1: x > c; far2: c > d", "b d");
    uint32_t stream;
    must(graph_add_stream(sketch.graph, "far", "", &stream, &error));
    sketch.graph->op[find_op(sketch.graph, "far1")].stream = stream;
    sketch.graph->op[find_op(sketch.graph, "far2")].stream = stream;
    return sketch;
}

static struct graph *wait_for(const struct graph *graph, const char *op, const char *earlier)
{
    struct graph_wait wait = {find_op(graph, op), find_op(graph, earlier)};
    struct graph *waiting;
    must(graph_add_waits(graph, &wait, 1, &waiting, &error));
    return waiting;
}

static void check_before(const struct graph *graph, const char *earlier, const char *later)
{
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    must(happens_before_create(graph, NULL, &order, &error));
    CU_ASSERT(happens_before_is(order, order->leave_step[find_op(graph, earlier)],
                                order->enter_step[find_op(graph, later)]));
}

/* A wait for an operator that stands behind: the list changes, tensors keep their numbers. */
static void test_reordered(void)
{
    SCOPED(sketch_free) struct sketch sketch = make_chains();
    SCOPED(graph_release) struct graph *waiting = wait_for(sketch.graph, "near1", "far1");
    CU_ASSERT_EQUAL(find_op(waiting, "far1"), 0);
    CU_ASSERT_EQUAL(find_op(waiting, "near1"), 1);
    CU_ASSERT_EQUAL(find_op(waiting, "near2"), 2);
    CU_ASSERT_STRING_EQUAL(names_get(&waiting->tensor_names, 3), "c");
    check_before(waiting, "far1", "near2");
    check_before(waiting, "far1", "far2");
}

static void test_circle(void)
{
    SCOPED(sketch_free) struct sketch sketch = make_chains();
    const struct graph *graph = sketch.graph;
    struct graph_wait wait[] = {{find_op(graph, "near1"), find_op(graph, "far2")},
                                {find_op(graph, "far1"), find_op(graph, "near2")}};
    struct graph *waiting;
    CU_ASSERT_EQUAL(graph_add_waits(graph, wait, 2, &waiting, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "'near1' and others wait for each other in a circle, expected an order");
}

static void check_path(const struct graph *graph, uint64_t longest, uint64_t work)
{
    struct critical_path path;
    must(critical_path_find(graph, &path, &error));
    CU_ASSERT_EQUAL(path.longest, longest);
    CU_ASSERT_EQUAL(path.work, work);
}

/* Without times operators count, else flops, else nanoseconds. */
static void test_critical_path(void)
{
    static const int64_t flops[] = {5, 1, 3, 7};
    SCOPED(sketch_free) struct sketch sketch = make_chains();
    struct graph *waiting = wait_for(sketch.graph, "near1", "far1");
    check_path(sketch.graph, 2, 4);
    check_path(waiting, 3, 4);
    graph_free(waiting);
    for (uint32_t o = 0; o < 4; o++)
        sketch.graph->op[o].flops = flops[o];
    waiting = wait_for(sketch.graph, "far2", "near2");
    check_path(sketch.graph, 10, 16);
    check_path(waiting, 13, 16);
    graph_free(waiting);
    sketch.graph->op[1].compute_ns = 0; /* no time that counts */
    check_path(sketch.graph, 10, 16);
    sketch.graph->op[0].compute_ns = 100;
    check_path(sketch.graph, 100, 100);
}

/* The slowest branch counts, beside what another stream does meanwhile. */
static void test_branches(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read(
        "x:4 a:4 b:4 c:4 r:4 d:4", "x",
        "if: x > r {then(t1: x > a; t2: a > b | b) else(e: x > c | c)}; beside: x > d", "r d");
    uint32_t stream;
    must(graph_add_stream(sketch.graph, "far", "", &stream, &error));
    check_path(sketch.graph, 3, 3);
    sketch.graph->op[find_op(sketch.graph, "beside")].stream = stream;
    check_path(sketch.graph, 2, 3);
}

static const struct test_case cases[] = {
    {"a wait for an operator that stands behind", test_reordered},
    {"waits in a circle", test_circle},
    {"the critical path by operators, flops and times", test_critical_path},
    {"the critical path of branches", test_branches},
};

TESTING_MAIN("planning/graph/add_waits", cases)
