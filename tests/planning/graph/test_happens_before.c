#include "planning/graph/happens_before.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planning/graph/build.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "planning/stream_reference.h"
#include "support/must.h"
#include "support/testing.h"

enum { MOST_WAYS = 256 };

/* together[later]: steps on some way with `later`; unordered[later]: those of them that have not
   always ended by then. */
struct relation {
    uint64_t together[STREAM_MOST_STEPS], unordered[STREAM_MOST_STEPS];
};

static void add_way(const struct graph *graph, const struct happens_before *order,
                    const struct stream_way *way, struct relation *relation)
{
    struct stream_reference reference;
    stream_reference_run(&reference, graph, order, way);
    for (uint32_t s = 0; s < order->steps; s++) {
        if (!(reference.runs >> s & 1))
            continue;
        relation->together[s] |= reference.runs;
        relation->unordered[s] |= reference.runs & ~reference.before[s];
    }
}

static bool add_all_ways(const struct graph *graph, const struct happens_before *order,
                         struct relation *relation)
{
    struct stream_way way = stream_way_first(graph);
    uint32_t ways = 0;
    do {
        if (++ways > MOST_WAYS)
            return false;
        add_way(graph, order, &way, relation);
    } while (stream_way_next(graph, &way));
    return true;
}

/* How many pairs the order leaves out although they always come one after the other; it must not
   have any that do not. */
static uint32_t compare(const struct happens_before *order, const struct relation *relation)
{
    uint32_t left_out = 0;
    for (uint32_t later = 0; later < order->steps; later++)
        for (uint32_t earlier = 0; earlier < order->steps; earlier++) {
            bool always = !(relation->unordered[later] >> earlier & 1);
            if (earlier == later || !(relation->together[later] >> earlier & 1))
                continue;
            CU_ASSERT(always || !happens_before_is(order, earlier, later));
            left_out += always && !happens_before_is(order, earlier, later);
        }
    return left_out;
}

static uint32_t compare_all(const struct graph *graph, uint32_t *pairs)
{
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    struct relation relation = {0};
    error = ERROR_NONE;
    uint32_t op, left_out = 0;
    must(happens_before_check(graph, &op, &error));
    must(happens_before_create(graph, NULL, &order, &error));
    if (order->steps <= STREAM_MOST_STEPS && add_all_ways(graph, order, &relation)) {
        left_out = compare(order, &relation);
        *pairs += order->steps * order->steps;
    }
    return left_out;
}

/* Without branches and loops that may not run nothing is left out. */
static void test_straight(void)
{
    struct random_state random = random_seed(7);
    const struct random_graph_shape shape = {.operators = 12};
    uint32_t pairs = 0;
    for (int i = 0; i < 500; i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        stream_reference_spread(graph, &random, 3);
        CU_ASSERT_EQUAL(compare_all(graph, &pairs), 0);
    }
    CU_ASSERT(pairs > 10000);
}

/* Nor in the order of one way through the branches, with bodies that run. */
static void test_one_way(void)
{
    struct random_state random = random_seed(9);
    const struct random_graph_shape shape = {.operators = 12, .depth = 2, .loops = true};
    uint32_t ways = 0;
    for (int i = 0; i < 500; i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        stream_reference_spread(graph, &random, 3);
        for (uint32_t o = 0; o < graph->operators; o++)
            graph->op[o].trip_count = graph->op[o].loop ? 1 : -1;
        struct stream_way way = stream_way_first(graph);
        do {
            SCOPED(happens_before_release) struct happens_before *order = NULL;
            struct relation relation = {0};
            error = ERROR_NONE;
            must(happens_before_create(graph, way.taken, &order, &error));
            if (order->steps <= STREAM_MOST_STEPS) {
                add_way(graph, order, &way, &relation);
                CU_ASSERT_EQUAL(compare(order, &relation), 0);
                ways++;
            }
        } while (stream_way_next(graph, &way) && ways < 20000);
    }
    CU_ASSERT(ways > 500);
}

/* With them little is: only where one branch knows a part of what another one does on a stream. */
static void test_branches(void)
{
    struct random_state random = random_seed(8);
    const struct random_graph_shape shape = {.operators = 12, .depth = 2, .loops = true};
    uint32_t pairs = 0, left_out = 0;
    for (int i = 0; i < 2000; i++) {
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, &shape);
        stream_reference_spread(graph, &random, 3);
        left_out += compare_all(graph, &pairs);
    }
    CU_ASSERT(pairs > 100000);
    CU_ASSERT(left_out * 100 < pairs);
    printf("\n    %u of %u pairs left out ", left_out, pairs);
}

/* Without waits a read on another stream is refused; the order on a stream and "after" cover it. */
static void check_covered(bool waits, bool same_stream, enum status expected, const char *text)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:1 y:1 z:1", "x", "first: x > y; middle: x >; last: y > z", "z");
    struct graph *graph = sketch.graph;
    error = ERROR_NONE;
    uint32_t op, stream, earlier[] = {0, 1};
    must(graph_add_stream(graph, "copy", "", &stream, &error));
    graph->op[1].stream = graph->op[2].stream = stream;
    graph->op[0].stream = same_stream ? stream : 0;
    graph->list = realloc(graph->list, (graph->listed + 1) * sizeof *graph->list);
    graph->list[graph->listed] = earlier[0];
    if (waits)
        graph->op[1].after = (struct span){graph->listed, 1};
    CU_ASSERT_EQUAL(happens_before_check(graph, &op, &error), expected);
    CU_ASSERT_STRING_EQUAL(error.text, text);
    CU_ASSERT_EQUAL(op, expected == STATUS_OK ? GRAPH_NONE : 2);
}

static void test_reads(void)
{
    check_covered(true, false, STATUS_OK, "");
    check_covered(false, true, STATUS_OK, "");
    check_covered(false, false, STATUS_BAD_INPUT,
                  "'last' reads 'y', which 'first' on stream 'main' may still be writing, expected "
                  "it to wait or \"waits\": \"auto\"");
}

static const struct test_case cases[] = {
    {"one line of operators on several streams", test_straight},
    {"one way through branches", test_one_way},
    {"branches and loops", test_branches},
    {"reads on another stream", test_reads},
};

TESTING_MAIN("planning/graph/happens_before", cases)
