#include "datasets/dot.h"

#include "datasets/csv/problem.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"

static enum status draw_problem(const struct text *text, struct text *drawn, struct error *failed)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    TRY(problem_csv_read(text, "three.csv", NULL, &problem, failed));
    return dot_write_problem(problem, drawn, failed);
}

static enum status draw_graph(const struct text *text, struct text *drawn, struct error *failed)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    TRY(graph_json_read(text, "g.json", &graph, failed));
    return dot_write_graph(graph, drawn, failed);
}

static void test_pictures(void)
{
    reading_check_rewritten(draw_problem, "dot_problem");
    reading_check_rewritten(draw_graph, "dot_graph");
}

static const struct test_case cases[] = {
    {"a problem with its conflicts, a graph with its regions", test_pictures},
};
TESTING_MAIN("datasets/dot", cases)
