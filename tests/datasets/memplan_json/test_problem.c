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

static enum status read_and_free(const struct text *text, struct error *error)
{
    SCOPED(text_free) struct text written = {0};
    return rewrite(text, &written, error);
}

static void test_rewritten(void)
{
    reading_check_rewritten(rewrite, "problem_rewritten");
}

static void test_conflicts(void)
{
    SCOPED(problem_release) struct problem *problem = read_problem(conflicts, false);
    CU_ASSERT_EQUAL(problem->line_end, 6);
    CU_ASSERT_EQUAL(problem_steps(problem), 8); /* {a, b, c} and {d} */
}

static void test_offsets(void)
{
    SCOPED(problem_release) struct problem *problem = read_problem("everything", true);
    CU_ASSERT_EQUAL(problem_fixed_offset(problem, 1), PROBLEM_FREE);
}

static void test_clocks(void)
{
    SCOPED(problem_release) struct problem *problem = read_problem(clocks, false);
    CU_ASSERT_EQUAL(problem_streams(problem), 2);
    CU_ASSERT_EQUAL(problem->line_end, 0);
}

static void test_faults(void)
{
    reading_check_refused(read_and_free, "problem_refused");
}

static void test_allocations(void)
{
    static const char *const words[] = {"everything", conflicts, clocks};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        SCOPED(text_free) struct text text = reading_input("problem_rewritten", words[i]);
        reading_check_allocations(read_and_free, text.bytes);
    }
}

static const struct test_case cases[] = {
    {"everything is written as it was read, in our layout", test_rewritten},
    {"conflicts of pairs", test_conflicts},
    {"clocks", test_clocks},
    {"offsets can be ignored", test_offsets},
    {"faults", test_faults},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/problem_json", cases)
