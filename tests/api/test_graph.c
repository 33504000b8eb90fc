#include <inttypes.h>
#include <memplan/memplan.h>
#include <stdio.h>
#include <string.h>

#include "support/testing.h"

enum { IN, SMALL, WIDE, RELU, THEN, ELSE, OUT, TENSORS };

/* Small is a byte; wide and what Relu makes of it are floats; branches yield 40 and 24 bytes. */
static const char graph_json[] =
    "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"tensors\": ["
    "{\"name\": \"in\", \"shape\": [3], \"dtype\": \"int8\"}, {\"name\": \"small\", \"bytes\": 1},"
    "{\"name\": \"wide\", \"shape\": [10], \"dtype\": \"float32\"},"
    "{\"name\": \"relu\", \"shape\": [10], \"dtype\": \"float32\"},"
    "{\"name\": \"then\", \"bytes\": 40}, {\"name\": \"else\", \"bytes\": 24},"
    "{\"name\": \"out\", \"bytes\": 40}], \"inputs\": [\"in\"], \"outputs\": [\"out\"], \"ops\": ["
    "{\"name\": \"a\", \"type\": \"Op\", \"inputs\": [\"in\"], \"outputs\": [\"small\", \"wide\"]},"
    "{\"name\": \"b\", \"type\": \"Relu\", \"inputs\": [\"wide\"], \"outputs\": [\"relu\"]},"
    "{\"name\": \"c\", \"type\": \"If\", \"inputs\": [\"small\"], \"outputs\": [\"out\"], "
    "\"regions\": ["
    "{\"name\": \"t\", \"ops\": [{\"name\": \"d\", \"type\": \"Op\", \"inputs\": [\"relu\"],"
    " \"outputs\": [\"then\"]}], \"yields\": [\"then\"]},"
    "{\"name\": \"e\", \"ops\": [{\"name\": \"f\", \"type\": \"Op\", \"inputs\": [\"relu\"],"
    " \"outputs\": [\"else\"]}], \"yields\": [\"else\"]}]}]}";

static struct memplan_answer make_answer(uint64_t *offset)
{
    return (struct memplan_answer){.struct_bytes = sizeof(struct memplan_answer), .offset = offset};
}

static struct memplan_graph make_graph(void)
{
    return (struct memplan_graph){.struct_bytes = sizeof(struct memplan_graph),
                                  .json = graph_json,
                                  .tensors = TENSORS,
                                  .time_limit_ns = UINT64_C(600000000000)};
}

/* What each field does to the peak, and that the places that come out are verified again. */
static void test_graphs(void)
{
    static const struct {
        const char *policy, *inplace, *disabled;
        uint64_t alignment, peak;
        uint32_t flags;
    } rows[] = {
        {"path", NULL, NULL, 1, 81, 0},
        {"path", NULL, NULL, 0, 81, 0},
        {NULL, NULL, NULL, 1, 104, 0},
        {"path", "declared", NULL, 1, 80, 0},
        {"path", NULL, NULL, 16, 97, 0},
        {"path", NULL, NULL, 1, 124, MEMPLAN_PIN_IO},
        {"path", "nnvm", NULL, 1, 123, MEMPLAN_PIN_IO},
        {"path", "nnvm", "Relu", 1, 124, MEMPLAN_PIN_IO},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t offset[TENSORS];
        struct memplan_graph graph = make_graph();
        struct memplan_answer answer = make_answer(offset), again = make_answer(offset);
        graph.policy = rows[i].policy;
        graph.inplace = rows[i].inplace;
        graph.disable_inplace = rows[i].disabled;
        graph.alignment_bytes = rows[i].alignment;
        graph.flags = rows[i].flags;
        CU_ASSERT_EQUAL(memplan_plan_graph("exact", &graph, &answer), MEMPLAN_OPTIMAL);
        if (answer.peak_bytes != rows[i].peak)
            printf("\n    row %zu: %" PRIu64 " %s", i, answer.peak_bytes, answer.message);
        CU_ASSERT_EQUAL(answer.peak_bytes, rows[i].peak);
        CU_ASSERT_EQUAL(offset[OUT] == MEMPLAN_FREE, !rows[i].policy);
        CU_ASSERT(!rows[i].flags || (offset[IN] == 0 && offset[OUT] == 3));
        CU_ASSERT_EQUAL(memplan_verify_graph(&graph, &again), MEMPLAN_FOUND);
        CU_ASSERT_EQUAL(again.peak_bytes, answer.peak_bytes);
        graph.capacity_bytes = answer.peak_bytes - 1;
        CU_ASSERT_EQUAL(memplan_plan_graph("exact", &graph, &answer), MEMPLAN_INFEASIBLE);
        CU_ASSERT_EQUAL(memplan_verify_graph(&graph, &again), MEMPLAN_GAVE_UP);
    }
}

static void test_wrong_graphs(void)
{
    uint64_t offset[TENSORS] = {0, 41, 1, 80, 120, 120, MEMPLAN_FREE};
    struct memplan_graph graph = make_graph();
    struct memplan_answer answer = make_answer(offset);
    CU_ASSERT_EQUAL(memplan_verify_graph(&graph, &answer), MEMPLAN_WRONG);
    CU_ASSERT(answer.first == IN && answer.second == WIDE && answer.step == 0);
    offset[IN] = 160;
    CU_ASSERT_EQUAL(memplan_verify_graph(&graph, &answer), MEMPLAN_WRONG);
    CU_ASSERT_STRING_EQUAL(answer.message, "tensor 'wide' is at [1, 41), expected a multiple of 4");
    CU_ASSERT(answer.first == WIDE && answer.second == MEMPLAN_NOBODY);
    graph.alignment_bytes = 1;
    CU_ASSERT_EQUAL(memplan_verify_graph(&graph, &answer), MEMPLAN_FOUND);
    const char *const texts[] = {"found 6 tensors, expected the 7 of the graph",
                                 "found flags 4",
                                 "no policy 'pat', did you mean path?",
                                 "no in-place rules 'x'",
                                 "found no text json",
                                 "json:1: ",
                                 "found a struct_bytes of 0 in the graph",
                                 "no planner 'x'"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        graph = make_graph();
        graph.tensors -= i == 0;
        graph.flags = i == 1 ? 4 : 0;
        graph.policy = i == 2 ? "pat" : NULL;
        graph.inplace = i == 3 ? "x" : NULL;
        graph.json = i == 4 ? NULL : graph.json;
        graph.json_bytes = i == 5 ? 50 : 0;
        graph.struct_bytes = i == 6 ? 0 : graph.struct_bytes;
        CU_ASSERT_EQUAL(memplan_plan_graph(i == 7 ? "x" : NULL, &graph, &answer),
                        MEMPLAN_BAD_INPUT);
        if (!strstr(answer.message, texts[i]))
            printf("\n    %s, expected %s", answer.message, texts[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(answer.message, texts[i]));
    }
    CU_ASSERT_EQUAL(memplan_plan_graph(NULL, NULL, &answer), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_verify_graph(&graph, NULL), MEMPLAN_BAD_INPUT);
}

static const struct test_case cases[] = {
    {"graphs", test_graphs},
    {"wrong graphs", test_wrong_graphs},
};

TESTING_MAIN("api/graph", cases)
