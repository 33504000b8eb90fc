#include "datasets/memplan_json/problem.h"
#include "datasets/reading.h"

static const char everything[] =
    "{\n"
    "  \"format\": \"memplan-problem/1\",\n"
    "  \"name\": \"every\\\"thing\",\n"
    "  \"buffers\": [\n"
    "    {\"name\": \"a, b\", \"size\": 100, \"segments\": [[0, 4294967295]]},\n"
    "    {\"name\": \"c\", \"size\": 9007199254740993, \"alignment\": 64, \"offset\": 128, "
    "\"hint\": 0, \"segments\": [[0, 2], [2, 4, 10, 20], [7, 8]]}\n"
    "  ]\n"
    "}\n";

static struct problem *read_problem(const char *input, bool ignore_offsets)
{
    struct text text = reading_text(input);
    struct problem *problem = NULL;
    struct error error = ERROR_NONE;
    if (problem_json_read(&text, "test.file", ignore_offsets, &problem, &error))
        printf("\n    %s:%u: %s\n", error.file, error.line, error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
    return problem;
}

static enum status read_and_write(const struct text *text, struct error *error)
{
    struct problem *problem;
    struct text written = {0};
    TRY(problem_json_read(text, "test.file", false, &problem, error));
    enum status status = problem_json_write(problem, &written, error);
    text_free(&written);
    problem_free(problem);
    return status;
}

static void check_rewritten(const char *input, const char *expected)
{
    struct problem *problem = read_problem(input, false);
    struct text written = {0};
    struct error error;
    CU_ASSERT_EQUAL(problem_json_write(problem, &written, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(written.bytes, expected);
    text_free(&written);
    problem_free(problem);
}

static void test_golden(void)
{
    check_rewritten(everything, everything);
}

static void test_layout_is_ours(void)
{
    check_rewritten("{\"conflicts\": [], \"note\": \"n\", \"buffers\": [{\"segments\": [[0, 1], "
                    "[1, 2, 0, 4], [2, 3]], \"alignment\": 1, \"size\": 4, \"name\": \"a\"}], "
                    "\"name\": \"p\", \"format\": \"memplan-problem/1\"}",
                    "{\n  \"format\": \"memplan-problem/1\",\n  \"name\": \"p\",\n"
                    "  \"note\": \"n\",\n"
                    "  \"buffers\": [\n    {\"name\": \"a\", \"size\": 4, \"segments\": [[0, "
                    "3]]}\n  ]\n}\n");
}

/* d has no segment and no pair: it has a place of its own choice. */
static const char conflicts[] =
    "{\n"
    "  \"format\": \"memplan-problem/1\",\n"
    "  \"name\": \"p\",\n"
    "  \"note\": \"n\",\n"
    "  \"buffers\": [\n"
    "    {\"name\": \"a\", \"size\": 4, \"segments\": [[0, 2], [2, 5, 0, 1]]},\n"
    "    {\"name\": \"b\", \"size\": 4, \"segments\": [[2, 6]]},\n"
    "    {\"name\": \"c\", \"size\": 4, \"segments\": []},\n"
    "    {\"name\": \"d\", \"size\": 4, \"segments\": []}\n"
    "  ],\n"
    "  \"conflicts\": [\n"
    "    [\"a\", \"b\"], [\"a\", \"c\"],\n"
    "    [\"b\", \"c\"]\n"
    "  ]\n"
    "}\n";

static void test_conflicts(void)
{
    struct problem *problem = read_problem(conflicts, false);
    CU_ASSERT_EQUAL(problem->line_end, 6);
    CU_ASSERT_EQUAL(problem_steps(problem), 8); /* {a, b, c} and {d} */
    problem_free(problem);
    check_rewritten(conflicts, conflicts);
}

/* Names or positions, either way round, twice, and what conflicts in time. */
static void test_conflicts_spelled_otherwise(void)
{
    check_rewritten(
        "{\"format\": \"memplan-problem/1\", \"name\": \"p\", \"note\": \"n\", \"conflicts\": [[0, "
        "\"c\"], [2, 1], [\"c\", \"a\"], [1, 0]], \"buffers\": [{\"name\": \"a\", \"size\": 4, "
        "\"segments\": [[0, 2], [2, 5, 0, 1]]}, {\"name\": \"b\", \"size\": 4, \"segments\": [[2, "
        "6]]}, {\"name\": \"c\", \"size\": 4}, {\"name\": \"d\", \"size\": 4, \"segments\": []}]}",
        conflicts);
    check_rewritten(
        "{\"format\": \"memplan-problem/1\", \"name\": \"p\", \"conflicts\": [[0, 1]],\n"
        "\"buffers\": [{\"name\": \"a\", \"size\": 4, \"segments\": [[0, 2]]}, {\"name\": "
        "\"b\", \"size\": 4, \"segments\": [[1, 3]]}]}",
        "{\n  \"format\": \"memplan-problem/1\",\n  \"name\": \"p\",\n"
        "  \"buffers\": [\n    {\"name\": \"a\", \"size\": 4, \"segments\": [[0, 2]]},\n"
        "    {\"name\": \"b\", \"size\": 4, \"segments\": [[1, 3]]}\n  ]\n}\n");
}

static void test_offsets(void)
{
    struct problem *problem = read_problem(everything, true);
    CU_ASSERT_EQUAL(problem_fixed_offset(problem, 1), PROBLEM_FREE);
    problem_free(problem);
}

#define CLOCKS(more)                                                                               \
    "{\n"                                                                                          \
    "  \"format\": \"memplan-problem/1\",\n"                                                       \
    "  \"name\": \"p\",\n"                                                                         \
    "  \"buffers\": [\n" more "  ]\n"                                                              \
    "}\n"

/* Two chains that know nothing of each other. */
static const char clocks[] =
    CLOCKS("    {\"name\": \"a\", \"size\": 4, \"clock\": [[0, 0], [1, 0]]},\n"
           "    {\"name\": \"b\", \"size\": 4, \"clock\": [[1, 0], [2, 0]]},\n"
           "    {\"name\": \"c\", \"size\": 4, \"hint\": 0, \"clock\": [[0, 0], [0, 1]]},\n"
           "    {\"name\": \"d\", \"size\": 4, \"alignment\": 2, \"clock\": [[0, 1], [0, 7]]}\n");

static void test_clocks(void)
{
    struct problem *problem = read_problem(clocks, false);
    CU_ASSERT_EQUAL(problem_streams(problem), 2);
    CU_ASSERT_EQUAL(problem->line_end, 0);
    problem_free(problem);
    check_rewritten(clocks, clocks);
}

/* Where a line of steps says it, it does. */
static void test_clocks_of_one_line(void)
{
    check_rewritten(CLOCKS("{\"name\": \"a\", \"size\": 4, \"clock\": [[0, 5], [1, 5]]},\n"
                           "{\"name\": \"b\", \"size\": 4, \"clock\": [[1, 5], [2, 5]]}\n"),
                    CLOCKS("    {\"name\": \"a\", \"size\": 4, \"segments\": [[0, 1]]},\n"
                           "    {\"name\": \"b\", \"size\": 4, \"segments\": [[1, 2]]}\n"));
}

#define PROBLEM(rest) "{\"format\": \"memplan-problem/1\", \"name\": \"p\",\n" rest "}"
#define BUFFER(fields) PROBLEM("\"buffers\": [\n{\"name\": \"a\", " fields "}]")

#define CLOCK(clock) BUFFER("\"size\": 1, \"clock\": " clock)
#define PAIR(pairs)                                                                                \
    PROBLEM("\"buffers\": [{\"name\": \"a\", \"size\": 1},\n{\"name\": \"b\", \"size\": 1}],\n"    \
            "\"conflicts\": [" pairs "]")

static void test_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "expected \"memplan-problem/1\"", "{\"format\": \"memplan-graph/1\"}"},
        {2, "unknown key \"ops\" in a problem", PROBLEM("\"ops\": []")},
        {1, "found no \"buffers\"", PROBLEM("\"note\": \"n\"")},
        {2, "found no buffers", PROBLEM("\"buffers\": []")},
        {2, "found an integer, expected a buffer", PROBLEM("\"buffers\": [1]")},
        {4,
         "the sizes and what alignments may cost add up to more than 2^63 - 1 bytes at buffer 'b'",
         PROBLEM(
             "\"buffers\": [\n"
             "{\"name\": \"a\", \"size\": 4611686018427387905, \"segments\": [[0, 2]]},\n"
             "{\"name\": \"b\", \"size\": 3, \"alignment\": 4611686018427387904, "
             "\"segments\": [[0, 2]]},\n{\"name\": \"c\", \"size\": 1, \"segments\": [[0, 2]]}]")},
        {3, "unknown key \"bytes\" in a buffer", BUFFER("\"bytes\": 1")},
        {3, "found no \"size\"", BUFFER("\"segments\": [[0, 1]]")},
        {3, "found 0 as size", BUFFER("\"size\": 0")},
        {3, "fraction as size", BUFFER("\"size\": 1.5")},
        {3, "found 0 as alignment", BUFFER("\"size\": 1, \"alignment\": 0")},
        {3, "found -1 as offset", BUFFER("\"size\": 1, \"offset\": -1")},
        {3, "has offset 3, expected a multiple of its alignment 2",
         BUFFER("\"size\": 1, \"offset\": 3, \"alignment\": 2")},
        {3, "found no \"segments\"", BUFFER("\"size\": 1")},
        {3, "found no segments", BUFFER("\"size\": 1, \"segments\": []")},
        {3, "found another length as a segment", BUFFER("\"size\": 1, \"segments\": [[0]]")},
        {3, "found an integer as a segment", BUFFER("\"size\": 1, \"segments\": [0, 1]")},
        {3, "found -1 as step of a segment", BUFFER("\"size\": 1, \"segments\": [[-1, 1]]")},
        {3, "found 4294967296 as step", BUFFER("\"size\": 1, \"segments\": [[0, 4294967296]]")},
        {3, "expected lower < upper", BUFFER("\"size\": 1, \"segments\": [[1, 1]]")},
        {3, "expected lower < upper", BUFFER("\"size\": 1, \"segments\": [[0, 5], [5, 3]]")},
        {3, "expected segments in order", BUFFER("\"size\": 1, \"segments\": [[0, 5], [3, 6]]")},
        {3, "uses the window [0, 2)", BUFFER("\"size\": 1, \"segments\": [[0, 5, 0, 2]]")},
        {3, "uses the window [1, 1)", BUFFER("\"size\": 1, \"segments\": [[0, 5, 1, 1]]")},
        {2, "found an integer as conflicts", PROBLEM("\"conflicts\": 1, \"buffers\": [{}]")},
        {4, "found another length as a conflict", PAIR("[0]")},
        {4, "found another length as a conflict", PAIR("[0, 1, 2]")},
        {4, "found an integer as a conflict, expected a pair of buffers", PAIR("0, 1")},
        {4, "found 2 as buffer of a conflict (a name or a position), expected 0 to 1",
         PAIR("[0, 2]")},
        {4, "found -1 as buffer of a conflict", PAIR("[0, -1]")},
        {4, "found null as buffer of a conflict", PAIR("[0, null]")},
        {4, "found buffer 'c' in a conflict", PAIR("[\"a\", \"c\"]")},
        {4, "found a conflict of buffer 'b' with itself", PAIR("[0, 1], [\"b\", 1]")},
        {3, "found an integer as segments",
         PROBLEM("\"conflicts\": [], \"buffers\": [\n{\"name\": \"a\", \"size\": 1, "
                 "\"segments\": 1}]")},
        {4, "the conflicts need 1 steps behind step 4294967295",
         "{\"format\": \"memplan-problem/1\", \"name\": \"p\", \"buffers\": [\n"
         "{\"name\": \"a\", \"size\": 1, \"segments\": [[0, 4294967295]]},\n"
         "{\"name\": \"b\", \"size\": 1}],\n\"conflicts\": [[0, 1]]}"},
        {3, "found an integer as a clock, expected [[start, ..], [end, ..]]", CLOCK("7")},
        {3, "found other lengths as a clock", CLOCK("[[0], [1], [2]]")},
        {3, "found other lengths as a clock", CLOCK("[[0, 0], [1]]")},
        {3, "found other lengths as a clock", CLOCK("[0, [1]]")},
        {3, "found a clock of no stream", CLOCK("[[], []]")},
        {3, "found -1 as component of a clock", CLOCK("[[-1], [1]]")},
        {3, "found 4294967296 as component of a clock", CLOCK("[[0], [4294967296]]")},
        {3, "found null as component of a clock", CLOCK("[[0], [null]]")},
        {3, "starts at 3 and ends at 2 on stream 1", CLOCK("[[0, 3], [1, 2]]")},
        {3, "ends where it starts", CLOCK("[[0, 3], [0, 3]]")},
        {4, "found a clock of 1 streams of buffer 'b', expected 2 as before",
         CLOCK("[[0, 3], [0, 4]]},\n{\"name\": \"b\", \"size\": 1, \"clock\": [[0], [1]]")},
        {4, "found no clock, expected one as before",
         CLOCK("[[0], [4]]},\n{\"name\": \"b\", \"size\": 1, \"segments\": [[0, 1]]")},
        {4, "found a clock, expected segments as before",
         BUFFER("\"size\": 1, \"segments\": [[0, 1]]},\n{\"name\": \"b\", \"size\": 1, "
                "\"clock\": [[0], [1]]")},
        {3, "found a clock and segments", CLOCK("[[0], [4]], \"segments\": [[0, 1]]")},
        {3, "found a clock in a problem with \"conflicts\"",
         PROBLEM("\"conflicts\": [], \"buffers\": [\n{\"name\": \"a\", \"size\": 1, "
                 "\"clock\": [[0], [1]]}]")},
        {3, "empty name",
         PROBLEM("\"buffers\": [\n{\"name\": \"\", \"size\": 1, \"segments\": [[0, 1]]}]")},
        {4, "found buffer 'a' again",
         BUFFER("\"size\": 1, \"segments\": [[0, 1]]},\n{\"name\": \"a\"")},
    };
    reading_check_faults(read_and_write, faults, sizeof faults / sizeof *faults);
}

static void test_allocations(void)
{
    reading_check_allocations(read_and_write, everything);
    reading_check_allocations(read_and_write, conflicts);
    reading_check_allocations(read_and_write, clocks);
}

static const struct test_case cases[] = {
    {"everything is written as it was read", test_golden},
    {"the layout does not depend on the file's", test_layout_is_ours},
    {"conflicts of pairs", test_conflicts},
    {"pairs by position, twice, or of no use", test_conflicts_spelled_otherwise},
    {"clocks", test_clocks},
    {"clocks of one line", test_clocks_of_one_line},
    {"offsets can be ignored", test_offsets},
    {"faults", test_faults},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/problem_json", cases)
