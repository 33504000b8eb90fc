#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"
#include "planning/graph/build.h"
#include "support/must.h"

static enum status rewrite(const struct text *text, struct text *written, struct error *failed)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    TRY(graph_json_read(text, "test.file", &graph, failed));
    return graph_json_write(graph, written, failed);
}

static void test_texts(void)
{
    reading_check_format(rewrite, "graph");
}

static void test_content(void)
{
    struct text text = reading_input("graph_rewritten", "everything");
    SCOPED(graph_release) struct graph *graph = NULL;
    must(graph_json_read(&text, "test.file", &graph, &error));
    text_free(&text);
    const struct graph_operator *op = graph->op;
    CU_ASSERT_STRING_EQUAL(graph_name(graph), "every\"thing");
    CU_ASSERT_STRING_EQUAL(graph->note, "line one\nline two");
    CU_ASSERT_EQUAL(graph->tensor[0].bytes, 768);
    CU_ASSERT_EQUAL(graph->tensor[2].bytes, 1);
    CU_ASSERT_EQUAL(graph->tensor[5].bytes, 9007199254740993);
    CU_ASSERT(graph->tensor[1].external && !graph->tensor[0].external);
    CU_ASSERT(op[0].compute_ns == 1500 && op[0].flops == 0);
    CU_ASSERT(op[1].compute_ns == -1 && op[1].flops == -1);
    CU_ASSERT(op[1].ignored.count == 2 && graph->list[op[1].ignored.first + 1] == 3);
    CU_ASSERT(graph->tensor[3].device == 1 && graph_has_devices(graph));
    CU_ASSERT(!op[2].loop && op[2].end == 5);
    CU_ASSERT(op[5].loop && op[5].trip_count == -1);
    CU_ASSERT_EQUAL(graph->region[op[5].first_region].probability, -1);
    CU_ASSERT(graph_has_control_flow(graph));
    CU_ASSERT(graph_has_streams(graph) && graph->waits_implied);
    CU_ASSERT(op[1].stream == 1 && op[3].stream == 0);
    CU_ASSERT(op[1].after.count == 1 && graph->list[op[1].after.first] == 0);
}

static enum status read_nested(int depth, struct error *failed)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    text_append(&text, "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"inputs\": [], "
                       "\"outputs\": [], \"tensors\": [], \"ops\": [");
    for (int i = 0; i < depth; i++)
        text_append(&text,
                    "{\"name\": \"if%d\", \"type\": \"If\", \"inputs\": [], \"outputs\": [], "
                    "\"regions\": [{\"name\": \"then\", \"yields\": [], \"ops\": [\n",
                    i);
    for (int i = 0; i < depth; i++)
        text_append(&text, "]}]}");
    text_append(&text, "]}");
    return graph_json_read(&text, "test.file", &graph, failed);
}

static void test_depth(void)
{
    must(read_nested(GRAPH_JSON_MOST_DEPTH, &error));
    CU_ASSERT_EQUAL(read_nested(GRAPH_JSON_MOST_DEPTH + 1, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(error.line, GRAPH_JSON_MOST_DEPTH + 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "deeper than 64"));
}

static void test_names_that_are_not_utf8(void)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(text_free) struct text text = {0};
    must(graph_create(&graph, "\xff", &error));
    must(graph_finish(graph, NULL, 0, NULL, &error));
    CU_ASSERT_EQUAL(graph_json_write(graph, &text, &error), STATUS_BAD_INPUT);
    text_free(&text);
    must(graph_json_write_content(graph, &text, &error));
}

static const struct test_case cases[] = {
    {"texts are written as they were read, refused, or fail for memory", test_texts},
    {"fields arrive where they belong", test_content},
    {"nesting is limited", test_depth},
    {"names that are not UTF-8 are not written", test_names_that_are_not_utf8},
};
TESTING_MAIN("datasets/graph_json", cases)
