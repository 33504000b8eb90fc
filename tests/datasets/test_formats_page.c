#include "datasets/csv/problem.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/plan.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/reading.h"
#include "support/must.h"

/* The examples of docs/formats.md are files that are read. */

static struct text page;

static enum status read_graph(const struct text *text, struct error *failed)
{
    struct graph *graph;
    TRY(graph_json_read(text, "docs/formats.md", &graph, failed));
    graph_free(graph);
    return STATUS_OK;
}

static enum status read_problem(const struct text *text, struct error *failed)
{
    struct problem *problem;
    TRY(problem_json_read(text, "docs/formats.md", false, &problem, failed));
    problem_free(problem);
    return STATUS_OK;
}

/* Problems and plans. */
static enum status read_csv(const struct text *text, struct error *failed)
{
    const struct problem_csv_options options = {.offsets = FIXED_OFFSETS_IGNORED};
    struct problem *problem;
    TRY(problem_csv_read(text, "docs/formats.md", &options, &problem, failed));
    problem_free(problem);
    return STATUS_OK;
}

static enum status read_plan(const struct text *text, struct error *failed)
{
    struct plan_document *plan;
    TRY(plan_json_read(text, "docs/formats.md", &plan, failed));
    plan_document_free(plan);
    return STATUS_OK;
}

static const struct {
    const char *begin; /* what the example begins with */
    reading_function read;
    int expected; /* examples on the page */
} kinds[] = {
    {"```json\n{\n  \"format\": \"memplan-graph/1\"", read_graph, 1},
    {"```json\n{\n  \"format\": \"memplan-problem/1\"", read_problem, 3},
    {"```json\n{\n  \"format\": \"memplan-plan/1\"", read_plan, 1},
    {"```csv\n", read_csv, 4},
};

static void check_example(const char *fence, reading_function read)
{
    const char *begin = strchr(fence, '\n') + 1, *end = strstr(begin, "```");
    SCOPED(text_free) struct text text = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    text_append_bytes(&text, begin, (size_t)(end - begin));
    must(read(&text, &error));
    if (error.status)
        printf("\n    line %u of an example: %s\n", error.line, error.text);
}

static void test_examples(void)
{
    must(text_read_file(FORMATS_PAGE, &page, &error));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int found = 0;
        for (const char *at = page.bytes; (at = strstr(at, kinds[i].begin)); at++, found++)
            check_example(at, kinds[i].read);
        CU_ASSERT_EQUAL(found, kinds[i].expected);
    }
    text_free(&page);
}

static const struct test_case cases[] = {
    {"the examples of docs/formats.md are read", test_examples},
};
TESTING_MAIN("datasets/formats_page", cases)
