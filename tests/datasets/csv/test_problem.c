#include "datasets/csv/problem.h"
#include "datasets/reading.h"
#include "support/must.h"

static struct problem *read_problem(const char *input, bool ignore_offsets)
{
    const struct problem_csv_options options = {.offsets = ignore_offsets};
    struct text text = reading_text(input);
    struct problem *problem = NULL;
    if (problem_csv_read(&text, "some/test.12.csv", &options, &problem, &error))
        printf("\n    %s:%u: %s\n", error.file, error.line, error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
    return problem;
}

static enum status read_and_free(const struct text *text, struct error *failed)
{
    struct problem *problem;
    TRY(problem_csv_read(text, "test.file", NULL, &problem, failed));
    problem_free(problem);
    return STATUS_OK;
}

static void check_written(const struct problem *problem, const char *expected)
{
    SCOPED(text_free) struct text text = {0};
    must(problem_csv_write(problem, &text, &error));
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
}

/* Bytes that an editor does not show: blanks, CR LF, a byte order mark. */
static void test_blanks(void)
{
    static const char *const inputs[] = {
        "\r\n\n id , lower,upper\t,size \r\n\r\n  a, 1 ,5,4\r\n \t \n\nb,0,1,2",
        "\xef\xbb\xbfid,lower,upper,size\na,1,5,4\nb,0,1,2\n"};
    for (int i = 0; i < 2; i++) {
        SCOPED(problem_release) struct problem *problem = read_problem(inputs[i], false);
        check_written(problem, "id,lower,upper,size\na,1,5,4\nb,0,1,2\n");
        CU_ASSERT_STRING_EQUAL(names_get(&problem->name, 0), "test.12");
    }
}

static enum status rewrite(const struct text *text, struct text *written, struct error *failed)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    TRY(problem_csv_read(text, "test.file", NULL, &problem, failed));
    return problem_csv_write(problem, written, failed);
}

static void test_gaps(void)
{
    static const struct {
        const char *input;
        uint32_t segments;
        struct problem_segment segment[4];
    } cases[] = {
        {"id,lower,upper,size,gaps\na,0,20,10, 12-14  2-4@3:7 4-6 \n",
         4,
         {{0, 2, 0, 10}, {2, 4, 3, 7}, {6, 12, 0, 10}, {14, 20, 0, 10}}},
        {"id,lower,end,size,gaps\na,0,19,10,2-3 5-5\n",
         3,
         {{0, 2, 0, 10}, {4, 5, 0, 10}, {6, 20, 0, 10}}},
        {"id,lower,upper,size,gaps\na,0,9,4,0-2 7-9\nb,0,9,4,3-5@0:4\n",
         2,
         {{2, 7, 0, 4}, {0, 9, 0, 4}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(problem_release) struct problem *problem = read_problem(cases[i].input, false);
        CU_ASSERT_EQUAL_FATAL(problem->segments, cases[i].segments);
        for (uint32_t s = 0; s < problem->segments; s++) {
            const struct problem_segment *expected = &cases[i].segment[s];
            CU_ASSERT_EQUAL(problem->lower[s], expected->lower);
            CU_ASSERT_EQUAL(problem->upper[s], expected->upper);
            CU_ASSERT_EQUAL(problem_window_lower(problem, s), expected->window_lower);
            CU_ASSERT_EQUAL(problem_window_upper(problem, s), expected->window_upper);
        }
    }
}

static void test_offsets(void)
{
    static const char input[] = "id,lower,upper,size,offset\na,0,3,4,12\nb,0,3,4,\n";
    struct problem *fixed = read_problem(input, false), *free_ones = read_problem(input, true);
    CU_ASSERT_EQUAL(problem_fixed_offset(fixed, 0), 12);
    CU_ASSERT_EQUAL(problem_fixed_offset(fixed, 1), PROBLEM_FREE);
    CU_ASSERT_EQUAL(problem_fixed_offset(free_ones, 0), PROBLEM_FREE);
    problem_free(fixed);
    problem_free(free_ones);
    free_ones = read_problem("id,lower,upper,size,extents\na,0,3,4,0+2;8+2\n", true);
    CU_ASSERT_EQUAL(problem_fixed_offset(free_ones, 0), PROBLEM_FREE);
    problem_free(free_ones);
}

/* Two chains that know nothing of each other. */
static const char clocks[] = "# n\n"
                             "id,lower,upper,size\n"
                             "a,0:0,1:0,4\nb,1:0,2:0,4\nc,0:0,0:1,4\nd,0:1,0:7,4\n";

static void test_clocks(void)
{
    SCOPED(problem_release) struct problem *problem = read_problem(clocks, false);
    struct text text = {0};
    CU_ASSERT_EQUAL(problem_streams(problem), 2);
    must(problem_csv_write_noted(problem, &text, &error));
    CU_ASSERT_STRING_EQUAL(text.bytes, clocks);
    text_free(&text);
    check_written(problem, "id,lower,upper,size,gaps\n" /* for those who know no clocks */
                           "a,0,2,4,\nb,2,4,4,\nc,0,3,4,1-2\nd,1,4,4,2-3\n");
}

static void test_names_that_cannot_be_written(void)
{
    static const char *const names[] = {"",   "a,b", "a\"b", "a\nb", "a\rb",
                                        " a", "a\t", "\xff", "again"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(problem_release) struct problem *problem = NULL;
        SCOPED(text_free) struct text text = {0};
        struct problem_buffer buffer = {"again", 1, 1, PROBLEM_FREE, -1};
        must(problem_create(&problem, "p", &error));
        problem_add_buffer(problem, &buffer, &error);
        problem_add_segment(problem, (struct problem_segment){0, 1, 0, 1}, &error);
        buffer.name = names[i];
        problem_add_buffer(problem, &buffer, &error);
        problem_add_segment(problem, (struct problem_segment){0, 1, 0, 1}, &error);
        CU_ASSERT_EQUAL(problem_csv_write(problem, &text, &error), STATUS_BAD_INPUT);
        CU_ASSERT_EQUAL(text.length, 0);
    }
}

static enum status read_plan_of(const char *problem_input, const struct text *text,
                                struct plan **plan, struct problem **problem, struct error *failed)
{
    SCOPED(text_free) struct text input = reading_text(problem_input);
    TRY(text_check(&input, failed));
    TRY(problem_csv_read(&input, "test.file", NULL, problem, failed));
    TRY(plan_create(*problem, plan, failed));
    return problem_csv_read_plan(text, "test.file", *problem, *plan, failed);
}

static const char two_buffers[] = "id,lower,upper,size,gaps\na,0,3,4,\nb,2,9,8,2-4\n";

static enum status read_plan_and_free(const struct text *text, struct error *failed)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    return read_plan_of(two_buffers, text, &plan, &problem, failed);
}

static void test_texts(void)
{
    static const struct reading_fault bytes[] = {
        {1, "found an empty file", "\n\r\n  \n"},
        {2, "not UTF-8", "id,lower,upper,size\n\xff,0,1,1\n"},
    };
    SCOPED(text_free) struct text zero = {0};
    reading_check_rewritten(rewrite, "csv_rewritten");
    reading_check_refused(read_and_free, "csv_problem_refused");
    reading_check_refused(read_plan_and_free, "csv_plan_refused");
    reading_check_faults(read_and_free, bytes, sizeof bytes / sizeof *bytes);
    text_append_bytes(&zero, "id,lower,upper,size\na\0b,0,1,1\n", 30);
    CU_ASSERT_EQUAL(read_and_free(&zero, &error), STATUS_BAD_INPUT);
    CU_ASSERT(error.line == 2 && strstr(error.text, "zero byte"));
}

/* How a plan of two_buffers is read and written. Split buffers have no offset, or that of their
   first extent; buffers of one object may have any offsets in it, and others no storage id. Gaps
   may be repeated. */
static void test_plans(void)
{
    static const char split[] = "id,lower,upper,size,offset,extents\na,0,3,4,0,\n"
                                "b,4,9,8,,16+3;4+1;32+4\n";
    static const char shared[] = "id,lower,upper,size,offset,storage_id\na,0,3,4,2,1\n"
                                 "b,4,9,8,0,\n";
    static const struct {
        const char *input, *written;
        uint64_t offset[2], peak_bytes;
        uint32_t extents[2], storage_id[2];
    } plans[] = {
        {"offset,size,id,upper,lower\n16,8,b,9,4\n0,4,a,3,0\n",
         "id,lower,upper,size,offset\na,0,3,4,0\nb,4,9,8,16\n",
         {0, 16},
         24,
         {0, 0},
         {STORAGE_IDS_NONE, STORAGE_IDS_NONE}},
        {split, split, {0, 16}, 36, {0, 3}, {STORAGE_IDS_NONE, STORAGE_IDS_NONE}},
        {"extents,size,id,upper,lower,offset\n 16+3 ; 4 + 1;32+4,8,b,9,4,16\n,4,a,3,0,0\n",
         split,
         {0, 16},
         36,
         {0, 3},
         {STORAGE_IDS_NONE, STORAGE_IDS_NONE}},
        {"extents,size,id,upper,lower\n16+3;4+1;32+4,8,b,9,4\n0+4,4,a,3,0\n",
         NULL,
         {0, 16},
         36,
         {1, 3},
         {STORAGE_IDS_NONE, STORAGE_IDS_NONE}},
        {shared, shared, {2, 0}, 8, {0, 0}, {1, STORAGE_IDS_NONE}},
        {"id,lower,upper,size,gaps,offset\na,0,3,4,,0\nb,2,9,8,2-4,4\n",
         NULL,
         {0, 4},
         12,
         {0, 0},
         {STORAGE_IDS_NONE, STORAGE_IDS_NONE}},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        SCOPED(problem_release) struct problem *problem = NULL;
        SCOPED(plan_release) struct plan *plan = NULL;
        SCOPED(text_free) struct text text = reading_text(plans[i].input);
        SCOPED(text_free) struct text written = {0};
        must(read_plan_of(two_buffers, &text, &plan, &problem, &error));
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, plans[i].peak_bytes);
        CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
        for (uint32_t b = 0; b < 2; b++) {
            CU_ASSERT_EQUAL(plan->offset[b], plans[i].offset[b]);
            CU_ASSERT_EQUAL(extents_count(plan->extents, b), plans[i].extents[b]);
            CU_ASSERT_EQUAL(storage_ids_get(plan->storage_id, b), plans[i].storage_id[b]);
        }
        must(problem_csv_write_plan(problem, plan, &written, &error));
        if (plans[i].written)
            CU_ASSERT_STRING_EQUAL(written.bytes, plans[i].written);
        plan->status = PLAN_TIMEOUT;
        CU_ASSERT_EQUAL(problem_csv_write_plan(problem, plan, &written, &error), STATUS_BAD_INPUT);
    }
}

static void test_allocations(void)
{
    reading_rewriter = rewrite;
    reading_check_allocations(reading_rewrite_and_free,
                              "id,lower,upper,size,alignment,hint,gaps,offset\n"
                              "a,0,9,8,2,3,1-2 4-5@2:3,16\n"
                              "b,0,9,8,2,3,1-2 4-5@2:3,24\n");
    reading_check_allocations(read_plan_and_free, "id,lower,upper,size,gaps,offset\n"
                                                  "a,0,3,4,,0\nb,2,9,8,2-4,4\n");
}

static const struct test_case cases[] = {
    {"files are written as they were read, in our layout, or refused", test_texts},
    {"blank lines, blanks and CR LF, and the name of the file", test_blanks},
    {"gaps are holes or windows, inclusive beside end; at the ends they shorten", test_gaps},
    {"offsets are fixed unless ignored", test_offsets},
    {"times may be clocks", test_clocks},
    {"names that cannot be written", test_names_that_cannot_be_written},
    {"plans are read and written", test_plans},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/problem_csv", cases)
