#include "datasets/side_by_side/copy_engine.h"

#include <string.h>

#include "planning/graph/build.h"
#include "planning/graph/happens_before.h"
#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

/* Three operators with weights in a row. */
static struct graph *make_chain(void)
{
    static const char *const names[] = {"x", "a", "b", "c"};
    static const char *const ops[] = {"one", "two", "three"};
    struct graph *graph;
    uint32_t tensor[4], op;
    must(graph_create(&graph, "chain", &error));
    for (int i = 0; i < 4; i++) {
        const struct graph_tensor_spec spec = {.name = names[i], .bytes = 4};
        must(graph_add_tensor(graph, &spec, &tensor[i], &error));
    }
    must(graph_set_inputs(graph, tensor, 1, &error));
    for (int i = 0; i < 3; i++) {
        must(graph_open_operator(graph, ops[i], "Conv", &op, &error));
        must(graph_operator_inputs(graph, &tensor[i], 1, &error));
        must(graph_operator_outputs(graph, &tensor[i + 1], 1, &error));
        must(graph_operator_weight(graph, "w", 0, 16, &error));
        must(graph_operator_weight(graph, "v", 0, 8, &error));
        graph_close_operator(graph);
    }
    must(graph_finish(graph, &tensor[3], 1, NULL, &error));
    return graph;
}

/* Operators of the result: load, one, load, two, load, three. */
static void check_engine(uint32_t ahead)
{
    struct graph *graph = make_chain(), *made;
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    must(graph_add_copy_engine(graph, ahead, &made, &error));
    CU_ASSERT_EQUAL_FATAL(made->operators, 6);
    CU_ASSERT_EQUAL(made->streams.count, 2);
    CU_ASSERT_EQUAL(made->weights, 0);
    CU_ASSERT_EQUAL(made->tensors, 7);
    CU_ASSERT_EQUAL(made->tensor[names_find(&made->tensor_names, "two/weights")].bytes, 24);
    CU_ASSERT_STRING_EQUAL(graph_label(made, made->op[2].name), "two/load");
    must(happens_before_create(made, NULL, &order, &error));
    for (uint32_t load = 0; load < 6; load += 2) {
        CU_ASSERT_EQUAL(made->op[load].stream, 1);
        CU_ASSERT_EQUAL(made->op[load + 1].stream, 0);
        CU_ASSERT(happens_before_is(order, load, load + 1));
        for (uint32_t op = 1; op < load; op += 2)
            CU_ASSERT_EQUAL(happens_before_is(order, op, load), (load + 1 - op) / 2 >= ahead);
    }
    graph_free(made);
    graph_free(graph);
}

static void test_ahead(void)
{
    check_engine(1);
    check_engine(2);
    check_engine(3);
}

static void test_without_weights(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_read("x:1 y:1", "x", "one: x > y", "y");
    SCOPED(graph_release) struct graph *made = NULL;
    must(graph_add_copy_engine(sketch.graph, 2, &made, &error));
    CU_ASSERT_EQUAL(made->operators, 1);
    CU_ASSERT_FALSE(graph_has_streams(made));
}

static const struct test_case cases[] = {
    {"so many loads ahead", test_ahead},
    {"a graph without weights", test_without_weights},
};

TESTING_MAIN("planning/graph/copy_engine", cases)
