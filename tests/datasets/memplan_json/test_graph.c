#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"
#include "planning/graph/build.h"

static const char everything[] =
    "{\n"
    "  \"format\": \"memplan-graph/1\",\n"
    "  \"name\": \"every\\\"thing\",\n"
    "  \"note\": \"line one\\nline two\",\n"
    "  \"streams\": [{\"name\": \"compute\"}, {\"name\": \"copy\", \"engine\": \"dma\"}],\n"
    "  \"waits\": \"auto\",\n"
    "  \"tensors\": [\n"
    "    {\"name\": \"x\", \"shape\": [1, 8, 8, 3], \"dtype\": \"float32\"},\n"
    "    {\"name\": \"c\", \"bytes\": 1, \"memory\": \"external\"},\n"
    "    {\"name\": \"scalar\", \"shape\": [], \"dtype\": \"int4\"},\n"
    "    {\"name\": \"y\", \"bytes\": 768, \"device\": 1},\n"
    "    {\"name\": \"t\", \"bytes\": 100},\n"
    "    {\"name\": \"e\", \"bytes\": 9007199254740993},\n"
    "    {\"name\": \"r\", \"bytes\": 200},\n"
    "    {\"name\": \"argument\", \"bytes\": 200},\n"
    "    {\"name\": \"next\", \"bytes\": 200},\n"
    "    {\"name\": \"result\", \"bytes\": 200}\n"
    "  ],\n"
    "  \"inputs\": [\"x\", \"c\"],\n"
    "  \"outputs\": [\"result\", \"scalar\"],\n"
    "  \"ops\": [\n"
    "    {\"name\": \"conv\", \"type\": \"Conv\", \"inputs\": [\"x\"], \"outputs\": [\"y\"], "
    "\"weights\": [{\"name\": \"w\", \"bytes\": 27, \"dtype\": \"int8\"}, {\"name\": \"b\", "
    "\"bytes\": 4, \"dtype\": \"float32\"}], \"compute_ns\": 1500, \"flops\": 0, \"inplace\": "
    "[[0, 0]]},\n"
    "    {\"name\": \"const\", \"type\": \"Constant\", \"stream\": \"copy\", \"after\": "
    "[\"conv\"], \"inputs\": [], \"outputs\": "
    "[\"scalar\"], \"ignored\": [\"x\", \"y\"]},\n"
    "    {\"name\": \"if\", \"type\": \"If\", \"inputs\": [\"c\"], \"outputs\": [\"r\"], "
    "\"regions\": [\n"
    "      {\"name\": \"then\", \"probability\": 0.1, \"ops\": [\n"
    "        {\"name\": \"inner\", \"type\": \"Relu\", \"inputs\": [\"y\"], \"outputs\": [\"t\"]}\n"
    "      ], \"yields\": [\"t\"]},\n"
    "      {\"name\": \"else\", \"probability\": 0.9, \"ops\": [\n"
    "        {\"name\": \"other\", \"type\": \"Pool\", \"inputs\": [\"y\"], \"outputs\": [\"e\"]}\n"
    "      ], \"yields\": [\"e\"]},\n"
    "      {\"name\": \"pass\", \"probability\": 0, \"ops\": [], \"yields\": [\"y\"]}\n"
    "    ]},\n"
    "    {\"name\": \"loop\", \"type\": \"Loop\", \"inputs\": [], \"outputs\": [\"result\"], "
    "\"carried\": [{\"init\": \"r\", \"argument\": \"argument\", \"yield\": \"next\", \"result\": "
    "\"result\"}], \"trip_count\": null, \"regions\": [\n"
    "      {\"name\": \"body\", \"ops\": [\n"
    "        {\"name\": \"step\", \"type\": \"Relu\", \"inputs\": [\"argument\"], \"outputs\": "
    "[\"next\"]}\n"
    "      ], \"yields\": []}\n"
    "    ]}\n"
    "  ]\n"
    "}\n";

static struct graph *read_graph(const char *input)
{
    struct text text = reading_text(input);
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    if (graph_json_read(&text, "test.file", &graph, &error))
        printf("\n    %s:%u: %s\n", error.file, error.line, error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}

static enum status read_and_free(const struct text *text, struct error *error)
{
    struct graph *graph;
    TRY(graph_json_read(text, "test.file", &graph, error));
    graph_free(graph);
    return STATUS_OK;
}

static void check_rewritten(const char *input, const char *expected)
{
    struct graph *graph = read_graph(input);
    struct text written = {0};
    struct error error;
    CU_ASSERT_EQUAL(graph_json_write(graph, &written, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(written.bytes, expected);
    text_free(&written);
    graph_free(graph);
}

static void test_golden(void)
{
    check_rewritten(everything, everything);
}

static void test_layout_is_ours(void)
{
    static const char canonical[] = "{\n  \"format\": \"memplan-graph/1\",\n  \"name\": \"g\",\n"
                                    "  \"tensors\": [\n    {\"name\": \"a\", \"bytes\": 4}\n  ],\n"
                                    "  \"inputs\": [],\n  \"outputs\": [\"a\"],\n  \"ops\": [\n"
                                    "    {\"name\": \"o\", \"type\": \"T\", \"inputs\": [], "
                                    "\"outputs\": [\"a\"]}\n  ]\n}\n";
    check_rewritten(
        "{\"ops\":[{\"weights\":[],\"outputs\":[\"a\"],\"regions\":[],\r\n\"inputs\":[],"
        "\"type\":\"T\",\"name\":\"o\"}],\"outputs\":[\"a\"],\"inputs\":[],"
        "\"tensors\":[{\"memory\":\"arena\",\"bytes\":4,\"name\":\"a\"}],"
        "\"name\":\"g\",\"format\":\"memplan-graph/1\"}",
        canonical);
}

static void test_content(void)
{
    struct graph *graph = read_graph(everything);
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
    graph_free(graph);
}

/* A graph around one line of tensors and one of operators, both after a line break. */
#define GRAPH(tensors, ops)                                                                        \
    "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"inputs\": [\"x\"],\n"                    \
    "\"outputs\": [\"y\"],\n"                                                                      \
    "\"tensors\": [{\"name\": \"x\", \"bytes\": 8}, {\"name\": \"y\", \"bytes\": 8}\n" tensors     \
    "],\n\"ops\": [{\"name\": \"first\", \"type\": \"T\", \"inputs\": [\"x\"], \"outputs\": "      \
    "[\"y\"]}\n" ops "]}"
#define TENSOR(fields) GRAPH(", {" fields "}", "")
#define Z ", {\"name\": \"z\", \"bytes\": 8}, {\"name\": \"r\", \"bytes\": 8}"
#define OPERATOR(fields) GRAPH(Z, ", {\"name\": \"second\", \"type\": \"T\", " fields "}")
#define READS_X "\"inputs\": [\"x\"], \"outputs\": [\"z\"]"
#define IF(regions)                                                                                \
    OPERATOR("\"inputs\": [\"x\"], \"outputs\": [\"r\"], \"regions\": [\n" regions "]")
#define INNER                                                                                      \
    "\"ops\": [{\"name\": \"inner\", \"type\": \"T\", \"inputs\": [], \"outputs\": [\"z\"]}]"
#define PASS(probability) "{\"name\": \"p\", " probability "\"ops\": [], \"yields\": [\"x\"]}"

static void test_top_level_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "expected one with \"format\"", "[]"},
        {1, "no key \"format\", expected \"memplan-graph/1\"", "{}"},
        {2, "found format \"memplan-graph/2\", expected \"memplan-graph/1\"",
         "{\n\"format\": \"memplan-graph/2\"}"},
        {1, "\"format\" is no text", "{\"format\": null}"},
        {2, "found unknown key \"extra\" in a graph, expected format name note",
         "{\"format\": \"memplan-graph/1\",\n\"extra\": 1}"},
        {1, "found no \"name\", expected a text", "{\"format\": \"memplan-graph/1\"}"},
        {1, "found an integer as name, expected a text",
         "{\"format\": \"memplan-graph/1\", \"name\": 7}"},
        {1, "empty name", "{\"format\": \"memplan-graph/1\", \"name\": \"\"}"},
        {2, "found true as note",
         "{\"format\": \"memplan-graph/1\",\n\"name\": \"g\", \"note\": true}"},
        {1, "found no \"tensors\"", "{\"format\": \"memplan-graph/1\", \"name\": \"g\"}"},
        {2, "found no operators",
         "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"tensors\": [], \"inputs\": [],\n"
         "\"ops\": [], \"outputs\": []}"},
        {2, "found input 'x' again",
         "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"tensors\": [{\"name\": \"x\", "
         "\"bytes\": 1}], \"inputs\": [\"x\",\n\"x\"], \"ops\": [], \"outputs\": []}"},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_tensor_faults(void)
{
    static const struct reading_fault faults[] = {
        {4, "found unknown key \"size\"", TENSOR("\"name\": \"t\", \"size\": 1")},
        {4, "found a text, expected a tensor", GRAPH(", \"t\"", "")},
        {4, "found null, expected a tensor", GRAPH(", null", "")},
        {4, "found none of \"bytes\" and \"shape\" in tensor 't'", TENSOR("\"name\": \"t\"")},
        {4, "found both", TENSOR("\"name\": \"t\", \"bytes\": 4, \"shape\": [1]")},
        {4, "no \"dtype\"", TENSOR("\"name\": \"t\", \"shape\": [1]")},
        {4, "found \"dtype\" without \"shape\"",
         TENSOR("\"name\": \"t\", \"bytes\": 1, \"dtype\": \"int8\"")},
        {4, "found unknown dtype 'int7', expected one of float32",
         TENSOR("\"name\": \"t\", \"shape\": [1], \"dtype\": \"int7\"")},
        {4, "found memory 'chip', expected arena or external",
         TENSOR("\"name\": \"t\", \"bytes\": 4, \"memory\": \"chip\"")},
        {4, "found 256 as device, expected 0 to 255",
         TENSOR("\"name\": \"t\", \"bytes\": 4, \"device\": 256")},
        {4, "found -4 as bytes, expected 1 to", TENSOR("\"name\": \"t\", \"bytes\": -4")},
        {4, "found 0 as bytes", TENSOR("\"name\": \"t\", \"bytes\": 0")},
        {4, "found a number with a fraction as bytes", TENSOR("\"name\": \"t\", \"bytes\": 4.0")},
        {4, "found a text as bytes", TENSOR("\"name\": \"t\", \"bytes\": \"4\"")},
        {4, "found 9223372036854775808 as bytes, expected 1 to 9223372036854775807",
         TENSOR("\"name\": \"t\", \"bytes\": 9223372036854775808")},
        {4, "found 0 as dimension",
         TENSOR("\"name\": \"t\", \"shape\": [1, 0], \"dtype\": \"int8\"")},
        {4, "found 9 dimensions, expected at most 8",
         TENSOR("\"name\": \"t\", \"shape\": [1,1,1,1,1,1,1,1,1], \"dtype\": \"int8\"")},
        {4, "larger than 2^64",
         TENSOR("\"name\": \"t\", \"shape\": [4294967296, 4294967296], \"dtype\": \"int8\"")},
        {4, "tensor 'x' again", TENSOR("\"name\": \"x\", \"bytes\": 4")},
        {4, "tensor 't' is written by no operator", TENSOR("\"name\": \"t\", \"bytes\": 4")},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_operator_faults(void)
{
    static const struct reading_fault faults[] = {
        {6, "found unknown key \"input\" in an operator", OPERATOR("\"input\": []")},
        {6, "found no \"outputs\", expected an array", OPERATOR("\"inputs\": []")},
        {6, "found an object as inputs, expected an array", OPERATOR("\"inputs\": {}")},
        {6, "found unknown tensor 'q', expected one listed",
         OPERATOR("\"inputs\": [\"q\"], \"outputs\": [\"z\"]")},
        {6, "found an integer as name of a tensor", OPERATOR("\"inputs\": [1]")},
        {6, "found unknown tensor 'q', expected one listed",
         OPERATOR(READS_X ", \"ignored\": [\"q\"]")},
        {6, "'second' uses 'z' before 'second' has produced it",
         OPERATOR("\"inputs\": [], \"outputs\": [\"z\", \"r\"], \"ignored\": [\"z\"]")},
        {6, "operator 'first' again",
         GRAPH(Z, ", {\"name\": \"first\", \"type\": \"T\", " READS_X "}")},
        {6, "writes 'y', which 'first' writes already",
         OPERATOR("\"inputs\": [], \"outputs\": [\"y\", \"z\", \"r\"]")},
        {6, "writes 'x', which is an input",
         OPERATOR("\"inputs\": [], \"outputs\": [\"x\", \"z\", \"r\"]")},
        {6, "before 'second' has produced it",
         OPERATOR("\"inputs\": [\"z\"], \"outputs\": [\"z\", \"r\"]")},
        {6, "in-place pair [1, 0] of 'second'",
         OPERATOR("\"inputs\": [\"x\"], \"outputs\": [\"z\", \"r\"], \"inplace\": [[1, 0]]")},
        {6, "expected [input, output]", OPERATOR(READS_X ", \"inplace\": [[1]]")},
        {6, "found an integer as an in-place pair", OPERATOR(READS_X ", \"inplace\": [1]")},
        {6, "found -1 as position", OPERATOR(READS_X ", \"inplace\": [[0, -1]]")},
        {6, "found -1 as compute_ns", OPERATOR(READS_X ", \"compute_ns\": -1")},
        {6, "fraction as flops", OPERATOR(READS_X ", \"flops\": 1e9")},
        {6, "found null as flops", OPERATOR(READS_X ", \"flops\": null")},
        {6, "unknown key \"shape\" in a weight",
         OPERATOR(READS_X ", \"weights\": [{\"name\": \"w\", \"shape\": []}]")},
        {6, "found 0 as bytes",
         OPERATOR(READS_X ", \"weights\": [{\"name\": \"w\", \"bytes\": 0}]")},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

/* A graph with something more at its top, in line 1. */
#define TOP(fields, second)                                                                        \
    "{" fields ", \"format\": \"memplan-graph/1\", \"name\": \"g\", \"inputs\": [\"x\"],\n"        \
    "\"outputs\": [\"y\"], \"tensors\": [{\"name\": \"x\", \"bytes\": 8}, {\"name\": \"y\", "      \
    "\"bytes\": 8}" Z "],\n"                                                                       \
    "\"ops\": [{\"name\": \"first\", \"type\": \"T\", \"inputs\": [\"x\"], \"outputs\": "          \
    "[\"y\"]},\n{\"name\": \"second\", \"type\": \"T\", " second "}]}"
#define WRITES_Z "\"inputs\": [], \"outputs\": [\"z\", \"r\"]"

static void test_stream_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "found waits 'never', expected 'auto'", TOP("\"waits\": \"never\"", WRITES_Z)},
        {1, "stream 'a' again",
         TOP("\"streams\": [{\"name\": \"a\"}, {\"name\": \"a\"}]", WRITES_Z)},
        {1, "unknown key \"speed\" in a stream",
         TOP("\"streams\": [{\"name\": \"a\", \"speed\": 1}]", WRITES_Z)},
        {4, "found stream 'b', expected one of \"streams\"",
         TOP("\"streams\": [{\"name\": \"a\"}]", "\"stream\": \"b\", " WRITES_Z)},
        {6, "found an integer as stream", OPERATOR("\"stream\": 1, " READS_X)},
        {6, "found 'second' that 'second' waits for, expected an operator written before it",
         OPERATOR("\"after\": [\"second\"], " READS_X)},
        {6, "found 'third' that 'second' waits for",
         OPERATOR("\"after\": [\"third\"], " READS_X "}, {\"name\": \"third\", \"type\": \"T\", "
                  "\"inputs\": [], \"outputs\": [\"r\"]")},
        {6, "'inner' waits for 'first', expected an operator before it in the same region",
         OPERATOR("\"inputs\": [\"x\"], \"outputs\": [\"r\"], \"regions\": [{\"name\": \"p\", "
                  "\"yields\": [\"z\"], \"ops\": [{\"name\": \"inner\", \"type\": \"T\", "
                  "\"after\": [\"first\"], \"inputs\": [], \"outputs\": [\"z\"]}]}]")},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_region_faults(void)
{
    static const struct reading_fault faults[] = {
        {6, "region 'p' of 'second' yields 0 tensors, expected 1",
         IF("{\"name\": \"p\", " INNER ", \"yields\": []}")},
        {7, "found no \"yields\"", IF("{\"name\": \"p\", " INNER "}")},
        {7, "found no \"ops\"", IF("{\"name\": \"p\"}")},
        {7, "found probability 1.5, expected a number from 0 to 1",
         IF(PASS("\"probability\": 1.5, "))},
        {7, "found a text as probability", IF(PASS("\"probability\": \"1\", "))},
        {6, "add up to 1.2, expected 1",
         IF(PASS("\"probability\": 0.6, ") "," PASS("\"probability\": 0.6, "))},
        {6, "add up to 0.5, expected 1",
         IF(PASS("\"probability\": 0.25, ") "," PASS("\"probability\": 0.25, "))},
        {7, "unknown key \"outputs\" in a region", IF("{\"name\": \"p\", \"outputs\": []}")},
        {6, "loop 'second' has no region",
         OPERATOR("\"inputs\": [], \"outputs\": [\"z\", \"r\"], \"trip_count\": 3")},
        {6, "found -1 as trip_count", OPERATOR(READS_X ", \"trip_count\": -1")},
        {6, "found a text as trip_count", OPERATOR(READS_X ", \"trip_count\": \"many\"")},
        {6, "found no \"argument\", expected a text",
         OPERATOR(READS_X ", \"carried\": [{\"init\": \"x\"}]")},
        {6, "carried result 'x' is no output",
         OPERATOR("\"inputs\": [], \"outputs\": [\"z\"], \"carried\": [{\"init\": \"x\", "
                  "\"argument\": \"r\", \"yield\": \"r\", \"result\": \"x\"}], \"regions\": "
                  "[{\"name\": \"body\", \"ops\": [], \"yields\": []}]")},
        {6, "which is only known inside a region of 'second'",
         IF("{\"name\": \"p\", " INNER ", \"yields\": [\"z\"]},\n{\"name\": \"q\", \"ops\": [], "
            "\"yields\": [\"z\"]}")},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void append_nested(struct text *text, int depth)
{
    for (int i = 0; i < depth; i++)
        text_append(text,
                    "{\"name\": \"if%d\", \"type\": \"If\", \"inputs\": [], \"outputs\": [], "
                    "\"regions\": [{\"name\": \"then\", \"yields\": [], \"ops\": [\n",
                    i);
    for (int i = 0; i < depth; i++)
        text_append(text, "]}]}");
}

static enum status read_nested(int depth, struct error *error)
{
    struct text text = {0};
    text_append(&text, "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"inputs\": [], "
                       "\"outputs\": [], \"tensors\": [], \"ops\": [");
    append_nested(&text, depth);
    text_append(&text, "]}");
    enum status status = read_and_free(&text, error);
    text_free(&text);
    return status;
}

static void test_depth(void)
{
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(read_nested(GRAPH_JSON_MOST_DEPTH, &error), STATUS_OK);
    CU_ASSERT_EQUAL(read_nested(GRAPH_JSON_MOST_DEPTH + 1, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(error.line, GRAPH_JSON_MOST_DEPTH + 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "deeper than 64"));
}

static enum status read_and_write(const struct text *text, struct error *error)
{
    struct graph *graph;
    struct text written = {0};
    TRY(graph_json_read(text, "test.file", &graph, error));
    enum status status = graph_json_write(graph, &written, error);
    text_free(&written);
    graph_free(graph);
    return status;
}

static void test_allocations(void)
{
    reading_check_allocations(read_and_write, everything);
}

static void test_names_that_are_not_utf8(void)
{
    struct graph *graph;
    struct text text = {0};
    struct error error = ERROR_NONE;
    CU_ASSERT_FATAL(graph_create(&graph, "\xff", &error) == STATUS_OK);
    CU_ASSERT_EQUAL(graph_finish(graph, NULL, 0, NULL, &error), STATUS_OK);
    CU_ASSERT_EQUAL(graph_json_write(graph, &text, &error), STATUS_BAD_INPUT);
    text_free(&text);
    CU_ASSERT_EQUAL(graph_json_write_content(graph, &text, &error), STATUS_OK);
    text_free(&text);
    graph_free(graph);
}

static const struct test_case cases[] = {
    {"everything is written as it was read", test_golden},
    {"the layout does not depend on the file's", test_layout_is_ours},
    {"fields arrive where they belong", test_content},
    {"faults of the top level", test_top_level_faults},
    {"faults of tensors", test_tensor_faults},
    {"faults of operators", test_operator_faults},
    {"faults of streams", test_stream_faults},
    {"faults of regions and loops", test_region_faults},
    {"nesting is limited", test_depth},
    {"every allocation may fail", test_allocations},
    {"names that are not UTF-8 are not written", test_names_that_are_not_utf8},
};
TESTING_MAIN("datasets/graph_json", cases)
