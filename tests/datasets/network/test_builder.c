#include "datasets/network/network.h"

#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"

/* Builds a network of these lines. A first line "# training" or "# apart" says how: with backward
   operators, and both with nothing folded. */
static enum status rewrite(const struct text *lines, struct text *written, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    const struct network_options options = {.batch = 1,
                                            .fuse = lines->bytes[0] != '#',
                                            .training =
                                                strncmp(lines->bytes, "# training", 10) == 0};
    text_append(&text, "network n\n%s\nend\n", lines->bytes);
    TRY(text_check(&text, error));
    TRY(network_build(&text, "n", "n", &options, &graph, error));
    return graph_json_write_content(graph, written, error);
}

static void test_built(void)
{
    reading_check_rewritten(rewrite, "network_built");
}

/* Of the layers, and of the text itself. */
static void test_failures(void)
{
    struct reading_cases cases = reading_open("network_refused");
    struct reading_fault found;
    while (reading_next(&cases, &found)) {
        SCOPED(text_free) struct text text = reading_text(found.input);
        SCOPED(text_free) struct text written = {0};
        struct error error = ERROR_NONE;
        CU_ASSERT_EQUAL(rewrite(&text, &written, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, found.expected));
        if (!strstr(error.text, found.expected))
            printf("\n    '%s', expected '%s'\n", error.text, found.expected);
    }
    text_free(&cases.text);
}

static void test_allocations(void)
{
    reading_rewriter = rewrite;
    reading_check_allocations(reading_rewrite_and_free,
                              "# apart\nx: input 4 4 3\nc: conv 4 3\nd: dense 4 relu");
}

static const struct test_case cases[] = {
    {"networks become the graphs that they say", test_built},
    {"the first failure is kept", test_failures},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/network_builder", cases)
