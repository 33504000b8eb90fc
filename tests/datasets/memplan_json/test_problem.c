#include "datasets/memplan_json/problem.h"
#include "datasets/reading.h"

static struct problem *read_problem(const char *words, bool ignore_offsets)
{
    struct text text = reading_input("problem_rewritten", words);
    struct problem *problem = NULL;
    struct error error = ERROR_NONE;
    if (problem_json_read(&text, "test.file", ignore_offsets, &problem, &error))
        printf("\n    %s:%u: %s\n", error.file, error.line, error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
    return problem;
}

static const char conflicts[] =
    "conflicts; d has neither a segment nor a pair: it has a place of its own choice";
static const char clocks[] = "clocks of two chains that know nothing of each other";

static enum status rewrite(const struct text *text, struct text *written, struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    TRY(problem_json_read(text, "test.file", false, &problem, error));
    return problem_json_write(problem, written, error);
}

static void test_texts(void)
{
    reading_check_format(rewrite, "problem");
}

static void test_content(void)
{
    SCOPED(problem_release) struct problem *paired = read_problem(conflicts, false);
    SCOPED(problem_release) struct problem *clocked = read_problem(clocks, false);
    SCOPED(problem_release) struct problem *freed = read_problem("everything", true);
    CU_ASSERT_EQUAL(paired->line_end, 6);
    CU_ASSERT_EQUAL(problem_steps(paired), 8); /* {a, b, c} and {d} */
    CU_ASSERT_EQUAL(problem_streams(clocked), 2);
    CU_ASSERT_EQUAL(clocked->line_end, 0);
    CU_ASSERT_EQUAL(problem_fixed_offset(freed, 1), PROBLEM_FREE);
}

/* Beside "everything", which has neither. */
static void test_allocations(void)
{
    static const char *const words[] = {conflicts, clocks};
    reading_rewriter = rewrite;
    for (size_t i = 0; i < 2; i++) {
        SCOPED(text_free) struct text text = reading_input("problem_rewritten", words[i]);
        reading_check_allocations(reading_rewrite_and_free, text.bytes);
    }
}

static const struct test_case cases[] = {
    {"texts are written as they were read, refused, or fail for memory", test_texts},
    {"conflicts of pairs, clocks, and offsets that are ignored", test_content},
    {"every allocation for conflicts and clocks may fail", test_allocations},
};
TESTING_MAIN("datasets/problem_json", cases)
