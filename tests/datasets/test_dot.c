#include "datasets/dot.h"

#include "datasets/csv/problem.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"
#include "support/must.h"

static void check_text(struct text *text, const char *expected)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(text->bytes);
    CU_ASSERT_STRING_EQUAL(text->bytes, expected);
    text_free(text);
}

static void test_problem(void)
{
    SCOPED(text_free)
    struct text csv = reading_text("id,lower,upper,size\na\"b,0,3,4\nc\\,2,5,8\nd,5,6,1\n");
    struct text text = {0};
    SCOPED(problem_release) struct problem *problem = NULL;
    must(problem_csv_read(&csv, "three.csv", NULL, &problem, &error));
    must(dot_write_problem(problem, &text, &error));
    check_text(&text, "graph \"three\" {\n"
                      "  b0 [shape=box, label=\"a\\\"b\\n4 bytes\\n[0, 3)\"];\n"
                      "  b1 [shape=box, label=\"c\\\\\\n8 bytes\\n[2, 5)\"];\n"
                      "  b2 [shape=box, label=\"d\\n1 bytes\\n[5, 6)\"];\n"
                      "  b0 -- b1;\n"
                      "}\n");
}

static const char branch[] =
    "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"tensors\": ["
    "{\"name\": \"x\", \"bytes\": 4}, {\"name\": \"y\", \"bytes\": 2}, {\"name\": \"z\", "
    "\"bytes\": 4}], \"inputs\": [\"x\"], \"outputs\": [\"z\"], \"ops\": [{\"name\": \"choose\", "
    "\"type\": \"If\", \"inputs\": [], \"outputs\": [\"z\"], \"regions\": [{\"name\": \"then\", "
    "\"ops\": [{\"name\": \"half\", \"type\": \"Half\", \"inputs\": [\"x\"], \"outputs\": "
    "[\"y\"]}], \"yields\": [\"y\"]}, {\"name\": \"else\", \"ops\": [], \"yields\": [\"x\"]}]}]}";

static void test_graph(void)
{
    struct text json = reading_text(branch), text = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    must(graph_json_read(&json, "g.json", &graph, &error));
    must(dot_write_graph(graph, &text, &error));
    check_text(&text, "digraph \"g\" {\n"
                      "  t0 [label=\"x\"];\n"
                      "  subgraph cluster_o0 { label=\"choose\";\n"
                      "  o0 [shape=box, label=\"choose\\nIf\"];\n"
                      "  subgraph cluster_r1 { label=\"then\";\n"
                      "  o1 [shape=box, label=\"half\\nHalf\"];\n"
                      "  }\n"
                      "  }\n"
                      "  o1 -> o0 [label=\"y\\n2\", style=dashed];\n"
                      "  t0 -> o0 [label=\"x\\n4\", style=dashed];\n"
                      "  t0 -> o1 [label=\"x\\n4\"];\n"
                      "  out0 [label=\"output\"];\n"
                      "  o0 -> out0 [label=\"z\\n4\"];\n"
                      "}\n");
    text_free(&json);
}

static const struct test_case cases[] = {
    {"a problem with its conflicts", test_problem},
    {"a graph with its regions", test_graph},
};
TESTING_MAIN("datasets/dot", cases)
