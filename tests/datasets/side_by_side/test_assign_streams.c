#include "datasets/side_by_side/assign_streams.h"

#include <stdio.h>
#include <string.h>

#include "planning/graph/happens_before.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

enum { MOST_OPERATORS = 64 };

/* What depends on what, by going along the tensors. */
static void find_dependences(const struct graph *graph, uint64_t *before)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        before[o] = 0;
        for (uint32_t i = 0; i < graph->op[o].inputs.count; i++) {
            uint32_t input = graph->list[graph->op[o].inputs.first + i];
            uint32_t producer = graph->tensor[input].producer;
            if (producer != GRAPH_NONE)
                before[o] |= before[producer] | UINT64_C(1) << producer;
        }
    }
}

/* The order is that of the dependences, or holds it where streams are few. */
static void check_order(const struct graph *graph, bool exactly)
{
    uint64_t before[MOST_OPERATORS];
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    must(happens_before_create(graph, NULL, &order, &error));
    find_dependences(graph, before);
    for (uint32_t later = 0; later < graph->operators; later++)
        for (uint32_t earlier = 0; earlier < later; earlier++) {
            bool depends = before[later] >> earlier & 1;
            bool waits = happens_before_is(order, earlier, later);
            CU_ASSERT(exactly ? waits == depends : waits || !depends);
        }
}

/* Operators no two of which depend on each other need as many streams:
   no fewer chains cover them. */
static uint32_t find_width(const struct graph *graph)
{
    uint64_t before[MOST_OPERATORS];
    uint32_t width = 0;
    find_dependences(graph, before);
    for (uint32_t set = 1; set < UINT32_C(1) << graph->operators; set++) {
        uint32_t size = 0;
        bool apart = true;
        for (uint32_t o = 0; o < graph->operators; o++)
            if (set >> o & 1) {
                size++;
                apart = apart && !(before[o] & set);
            }
        if (apart && size > width)
            width = size;
    }
    return width;
}

static void test_random_graphs(void)
{
    struct random_state random = random_seed(3);
    const struct random_graph_shape shape = {.operators = 10};
    uint32_t side_by_side = 0;
    for (int i = 0; i < 200; i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        uint32_t width = graph->operators <= 14 ? find_width(graph) : 0;
        must(graph_assign_streams(graph, MOST_OPERATORS, &error));
        check_order(graph, true);
        CU_ASSERT(graph->streams.count >= width);
        side_by_side += graph_has_streams(graph);
    }
    CU_ASSERT(side_by_side > 100);
}

static void test_few_streams(void)
{
    struct random_state random = random_seed(4);
    const struct random_graph_shape shape = {.operators = 20};
    for (int i = 0; i < 100; i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        must(graph_assign_streams(graph, 2, &error));
        CU_ASSERT(graph->streams.count <= 2);
        check_order(graph, false);
    }
}

/* Of each operator its stream. */
static void test_by_hand(void)
{
    static const struct sketch_text diamond = {
        "x:1 a:1 b:1 c:1 d:1 y:1", "x",
        "first: x > a; left: a > b; right: a > c; more: c > d; last: b d > y", "y"};
    static const struct sketch_text choice = {
        "x:1 t:1 r:1 z:1 y:1", "x",
        "choose: x > r {then(relu: x > t | t) else(| x)}; side: x > z; last: r z > y", "y"};
    static const struct sketch_text inside = {
        "x:1 a:1 b:1 c:1 r:1 y:1", "x",
        "choose: x > r {then(left: x > a; right: x > b; join: a b > c | c) else(| x)}; "
        "last: r > y",
        "y"};
    static const struct {
        const struct sketch_text *graph;
        bool deals;
        uint32_t most;
        const char *streams;
    } rows[] = {
        {&diamond, false, 8, "00110"},
        /* regions run where their operator does */
        {&choice, false, 8, "0010"},
        /* branches in a region run side by side, too; the first of them where the operator does */
        {&inside, false, 8, "00100"},
        /* in turn: what goes on with a branch stays, a fork and a join begin again */
        {&diamond, true, 3, "01220"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(rows[i].graph);
        struct graph *graph = sketch.graph;
        char streams[MOST_OPERATORS] = "";
        must(rows[i].deals ? graph_deal_streams(graph, rows[i].most, &error)
                           : graph_assign_streams(graph, rows[i].most, &error));
        for (uint32_t o = 0; o < graph->operators && o + 1 < MOST_OPERATORS; o++)
            streams[o] = (char)('0' + graph->op[o].stream);
        CU_ASSERT_STRING_EQUAL(streams, rows[i].streams);
        if (strcmp(streams, rows[i].streams) != 0)
            printf("\n%s\n", streams);
        CU_ASSERT(graph->waits_implied);
        if (!graph_has_control_flow(graph))
            check_order(graph, !rows[i].deals);
    }
}

static const struct test_case cases[] = {
    {"waits are the dependences", test_random_graphs},
    {"few streams", test_few_streams},
    {"by hand", test_by_hand},
};

TESTING_MAIN("planning/graph/assign_streams", cases)
