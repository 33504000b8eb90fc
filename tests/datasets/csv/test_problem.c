#include "datasets/csv/problem.h"
#include "datasets/reading.h"

static struct problem *read_problem(const char *input, bool ignore_offsets)
{
    const struct problem_csv_options options = {.ignore_offsets = ignore_offsets};
    struct text text = reading_text(input);
    struct problem *problem = NULL;
    struct error error = ERROR_NONE;
    if (problem_csv_read(&text, "some/test.12.csv", &options, &problem, &error))
        printf("\n    %s:%u: %s\n", error.file, error.line, error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
    return problem;
}

static enum status read_and_free(const struct text *text, struct error *error)
{
    struct problem *problem;
    TRY(problem_csv_read(text, "test.file", NULL, &problem, error));
    problem_free(problem);
    return STATUS_OK;
}

static void check_written(const struct problem *problem, const char *expected)
{
    struct text text = {0};
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(problem_csv_write(problem, &text, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
    text_free(&text);
}

static void check_rewritten(const char *input, const char *expected)
{
    struct problem *problem = read_problem(input, false);
    check_written(problem, expected);
    problem_free(problem);
}

static void check_segment(const struct problem *problem, uint32_t segment, uint32_t lower,
                          uint32_t upper, uint64_t window_lower, uint64_t window_upper)
{
    CU_ASSERT_EQUAL(problem->lower[segment], lower);
    CU_ASSERT_EQUAL(problem->upper[segment], upper);
    CU_ASSERT_EQUAL(problem_window_lower(problem, segment), window_lower);
    CU_ASSERT_EQUAL(problem_window_upper(problem, segment), window_upper);
}

static void test_golden(void)
{
    static const char *const files[] = {
        "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\n",
        "id,lower,upper,size,alignment\na,0,3,4,1\nb,0,3,4,64\n",
        "id,lower,upper,size,hint\na,0,3,4,-1\nb,0,3,4,0\n",
        "id,lower,upper,size,gaps\na,0,10,4,\nb,0,10,4,2-3 4-5@1:2 7-9\n",
        "id,lower,upper,size,offset\na,0,3,4,0\nb,0,3,4,8\n",
        "id,lower,upper,size,offset\na,0,3,4,\nb,0,3,4,8\n",
        ("id,lower,upper,size,alignment,hint,gaps,offset\n"
         "a b,0,4294967295,9223372036854775791,8,7,1-2,16\n"),
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_rewritten(files[i], files[i]);
}

static void test_columns(void)
{
    static const char expected[] = "id,lower,upper,size\na,1,5,4\nb,0,1,2\n";
    check_rewritten("size,upper,begin,buffer\n4,5,1,a\n2,1,0,b\n", expected);
    check_rewritten("buffer_id,start,end,size\na,1,4,4\nb,0,0,2\n", expected);
    check_rewritten("\xef\xbb\xbfid,lower,upper,size\na,1,5,4\nb,0,1,2\n", expected);
}

static void test_blanks(void)
{
    check_rewritten("\r\n\n id , lower,upper\t,size \r\n\r\n  a, 1 ,5,4\r\n \t \n\nb,0,1,2",
                    "id,lower,upper,size\na,1,5,4\nb,0,1,2\n");
}

static void test_name(void)
{
    struct problem *problem = read_problem("id,lower,upper,size\na,0,1,1\n", false);
    CU_ASSERT_STRING_EQUAL(names_get(&problem->name, 0), "test.12");
    problem_free(problem);
}

static void test_gaps(void)
{
    struct problem *problem =
        read_problem("id,lower,upper,size,gaps\na,0,20,10, 12-14  2-4@3:7 4-6 \n", false);
    CU_ASSERT_EQUAL_FATAL(problem->segments, 4);
    check_segment(problem, 0, 0, 2, 0, 10);
    check_segment(problem, 1, 2, 4, 3, 7);
    check_segment(problem, 2, 6, 12, 0, 10);
    check_segment(problem, 3, 14, 20, 0, 10);
    problem_free(problem);
}

static void test_gaps_with_end(void)
{
    struct problem *problem = read_problem("id,lower,end,size,gaps\na,0,19,10,2-3 5-5\n", false);
    CU_ASSERT_EQUAL_FATAL(problem->segments, 3);
    check_segment(problem, 0, 0, 2, 0, 10);
    check_segment(problem, 1, 4, 5, 0, 10);
    check_segment(problem, 2, 6, 20, 0, 10);
    problem_free(problem);
}

static void test_gaps_at_the_ends(void)
{
    struct problem *problem =
        read_problem("id,lower,upper,size,gaps\na,0,9,4,0-2 7-9\nb,0,9,4,3-5@0:4\n", false);
    CU_ASSERT_EQUAL_FATAL(problem->segments, 2);
    check_segment(problem, 0, 2, 7, 0, 4);
    check_segment(problem, 1, 0, 9, 0, 4);
    problem_free(problem);
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
    struct problem *problem = read_problem(clocks, false);
    struct text text = {0};
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(problem_streams(problem), 2);
    CU_ASSERT_EQUAL(problem_csv_write_noted(problem, &text, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(text.bytes, clocks);
    text_free(&text);
    check_written(problem, "id,lower,upper,size,gaps\n" /* for those who know no clocks */
                           "a,0,2,4,\nb,2,4,4,\nc,0,3,4,1-2\nd,1,4,4,2-3\n");
    problem_free(problem);
    check_rewritten("id,lower,upper,size,gaps\na,0:9,4:9,4,\nb,4:9,5:9,4,\n",
                    "id,lower,upper,size\na,0,4,4\nb,4,5,4\n");
}

#define HEADER "id,lower,upper,size\n"
#define GAPS "id,lower,upper,size,gaps\n"

static void test_header_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "found an empty file, expected a header", ""},
        {1, "found an empty file", "\n\r\n  \n"},
        {3, "found no buffers", "\n\nid,lower,upper,size\n"},
        {1, "found no column 'id', expected one", "lower,upper,size\n0,1,1\n"},
        {1, "found no column 'lower'", "id,upper,size\n"},
        {2, "found no column 'upper'", "\nid,lower,size\n"},
        {1, "found no column 'size'", "id,lower,upper\n"},
        {1, "found the columns 'id' and 'buffer'", "id,lower,upper,size,buffer\n"},
        {1, "found the columns 'size' and 'size'", "id,lower,upper,size,size\n"},
        {1, "found the columns 'upper' and 'end'", "id,lower,upper,end,size\n"},
        {1, "found unknown column 'colour', expected some of id|buffer|buffer_id, lower|start",
         "id,lower,upper,size,colour\na,0,1,1,red\n"},
        {1, "found unknown column 'ID'", "ID,lower,upper,size\n"},
        {1, "found unknown column ''", "id,lower,upper,size,\n"},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_row_faults(void)
{
    static const struct reading_fault faults[] = {
        {4, "found 3 fields, expected 4", HEADER "a,0,1,1\n\nb,0,1\n"},
        {2, "found 5 fields, expected 4", HEADER "a,0,1,1,\n"},
        {2, "found an empty id", HEADER " ,0,1,1\n"},
        {2, "found extents of buffer 'a', expected a problem",
         "id,lower,upper,size,extents\na,0,1,4,0+4\n"},
        {3, "found id 'a' again", HEADER "a,0,1,1\na,0,1,1\n"},
        {2, "found '-1' as lower, expected an integer from 0", HEADER "a,-1,1,1\n"},
        {2, "found '' as upper", HEADER "a,0,,1\n"},
        {2, "found '1.5' as upper", HEADER "a,0,1.5,1\n"},
        {2, "found '4294967296' as upper, expected an integer from 0 to 4294967295",
         HEADER "a,0,4294967296,1\n"},
        {2, "found '4294967295' as end, expected an integer from 0 to 4294967294",
         "id,lower,end,size\na,0,4294967295,1\n"},
        {2, "found '99999999999999999999' as lower", HEADER "a,99999999999999999999,1,1\n"},
        {2, "found lower 3 and upper 3, expected lower < upper", HEADER "a,3,3,1\n"},
        {2, "found lower 3 and end 2, expected lower <= end", "id,lower,end,size\na,3,2,1\n"},
        {2, "found '0' as size, expected an integer from 1", HEADER "a,0,1,0\n"},
        {2, "found '9223372036854775808' as size", HEADER "a,0,1,9223372036854775808\n"},
        {2, "found '+4' as size", HEADER "a,0,1,+4\n"},
        {2, "found '0x4' as size", HEADER "a,0,1,0x4\n"},
        {2, "found '0' as alignment", "id,lower,upper,size,alignment\na,0,1,1,0\n"},
        {2, "found '' as alignment", "id,lower,upper,size,alignment\na,0,1,1,\n"},
        {2, "found 'x' as hint", "id,lower,upper,size,hint\na,0,1,1,x\n"},
        {2, "found '-1' as offset", "id,lower,upper,size,offset\na,0,1,1,-1\n"},
        {2, "has offset 3, expected a multiple of its alignment 2",
         "id,lower,upper,size,alignment,offset\na,0,1,1,2,3\n"},
        {3, "add up to more than 2^63 - 1",
         HEADER "a,0,1,9223372036854775807\nb,0,1,9223372036854775807\nc,0,1,2\n"},
        {4,
         "the sizes and what alignments may cost add up to more than 2^63 - 1 bytes at buffer 'b'",
         "id,lower,upper,size,alignment\na,0,1,4611686018427387905,1\n\n"
         "b,0,1,3,4611686018427387904\nc,0,1,2,1\n"},
        {3, "the end of the fixed buffers, sizes and what alignments may cost add up to",
         "id,lower,upper,size,offset\na,0,1,9223372036854775806,1\nb,0,1,3,\nc,0,1,2,\n"},
        {2, "not UTF-8", HEADER "\xff,0,1,1\n"},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_clock_faults(void)
{
    static const struct reading_fault faults[] = {
        {2, "found clocks of 2 and of 3 streams, expected as many in lower and upper",
         HEADER "a,0:0,1:0:1,4\n"},
        {2, "found clocks of 2 and of 1 streams", HEADER "a,0:0,1,4\n"},
        {2, "found clocks of 1 and of 2 streams", HEADER "a,0,1:1,4\n"},
        {2, "found '' as component of a clock, expected an integer from 0", HEADER "a,0:,1:1,4\n"},
        {2, "found '-1' as component of a clock", HEADER "a,0:0,-1:1,4\n"},
        {2, "found '4294967296' as component of a clock", HEADER "a,0:0,4294967296:1,4\n"},
        {2, "starts at 2 and ends at 1 on stream 1", HEADER "a,0:2,1:1,4\n"},
        {2, "ends where it starts", HEADER "a,1:1,1:1,4\n"},
        {3, "found a clock of 3 streams of buffer 'b', expected 2 as before",
         HEADER "a,0:0,1:1,4\nb,0:0:0,1:1:1,4\n"},
        {3, "found numbers as times, expected clocks as before", HEADER "a,0:0,1:1,4\nb,0,1,4\n"},
        {3, "found clocks as times, expected numbers as before", HEADER "a,0,1,4\nb,0:0,1:1,4\n"},
        {2, "found gaps of a buffer with a clock", GAPS "a,0:0,1:1,4,0-1\n"},
        {2, "found a clock, expected numbers where times are inclusive",
         "id,lower,end,size\na,0:0,1:1,4\n"},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_gap_faults(void)
{
    static const struct reading_fault faults[] = {
        {2, "found gap '3', expected lower-upper or", GAPS "a,0,9,4,3\n"},
        {2, "found '' as begin of a gap", GAPS "a,0,9,4,-1-3\n"},
        {2, "found 'x' as end of a gap", GAPS "a,0,9,4,1-x\n"},
        {2, "found '' as end of a gap", GAPS "a,0,9,4,1-\n"},
        {2, "found gap '3-3', expected one that ends after", GAPS "a,0,9,4,3-3\n"},
        {2, "found gap '4-3', expected one that ends after", GAPS "a,0,9,4,4-3\n"},
        {2, "found gap '0-3', expected one inside the lifetime", GAPS "a,1,9,4,0-3\n"},
        {2, "found gap '5-10', expected one inside the lifetime", GAPS "a,1,9,4,5-10\n"},
        {2, "found gaps [1, 4) and [3, 5), expected gaps that do not overlap",
         GAPS "a,0,9,4,3-5 1-4\n"},
        {2, "all through the lifetime", GAPS "a,0,9,4,0-5 5-9\n"},
        {2, "expected low:high after the @", GAPS "a,0,9,4,1-2@3\n"},
        {2, "found '4' as first byte of a gap's window, expected an integer from 0 to 3",
         GAPS "a,0,9,4,1-2@4:4\n"},
        {2, "found '2' as end of a gap's window, expected an integer from 3 to 4",
         GAPS "a,0,9,4,1-2@2:2\n"},
        {2, "found '5' as end of a gap's window", GAPS "a,0,9,4,1-2@2:5\n"},
        {2, "found '3@1' as end of a gap's window", GAPS "a,0,9,4,1-2@2:3@1\n"},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_zero_byte(void)
{
    struct text text = {0};
    struct error error = ERROR_NONE;
    text_append(&text, HEADER "a");
    text_append_bytes(&text, "\0b,0,1,1\n", 9);
    CU_ASSERT_EQUAL(read_and_free(&text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "zero byte"));
    CU_ASSERT_EQUAL(error.line, 2);
    text_free(&text);
}

static void test_names_that_cannot_be_written(void)
{
    static const char *const names[] = {"",   "a,b", "a\"b", "a\nb", "a\rb",
                                        " a", "a\t", "\xff", "again"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct problem *problem;
        struct text text = {0};
        struct error error = ERROR_NONE;
        struct problem_buffer buffer = {"again", 1, 1, PROBLEM_FREE, -1};
        CU_ASSERT_FATAL(problem_create(&problem, "p", &error) == STATUS_OK);
        problem_add_buffer(problem, &buffer, &error);
        problem_add_segment(problem, (struct problem_segment){0, 1, 0, 1}, &error);
        buffer.name = names[i];
        problem_add_buffer(problem, &buffer, &error);
        problem_add_segment(problem, (struct problem_segment){0, 1, 0, 1}, &error);
        CU_ASSERT_EQUAL(problem_csv_write(problem, &text, &error), STATUS_BAD_INPUT);
        CU_ASSERT_EQUAL(text.length, 0);
        text_free(&text);
        problem_free(problem);
    }
}

static enum status read_plan_of(const char *problem_input, const struct text *text,
                                struct plan **plan, struct problem **problem, struct error *error)
{
    *problem = read_problem(problem_input, false);
    TRY(plan_create(*problem, plan, error));
    return problem_csv_read_plan(text, "test.file", *problem, *plan, error);
}

static const char two_buffers[] = "id,lower,upper,size,gaps\na,0,3,4,\nb,2,9,8,2-4\n";

static enum status read_plan_and_free(const struct text *text, struct error *error)
{
    struct problem *problem = NULL;
    struct plan *plan = NULL;
    enum status status = read_plan_of(two_buffers, text, &plan, &problem, error);
    plan_free(plan);
    problem_free(problem);
    return status;
}

static void test_plan(void)
{
    struct problem *problem;
    struct plan *plan;
    struct error error = ERROR_NONE;
    struct text text = reading_text("offset,size,id,upper,lower\n16,8,b,9,4\n0,4,a,3,0\n");
    struct text written = {0};
    CU_ASSERT_EQUAL(read_plan_of(two_buffers, &text, &plan, &problem, &error), STATUS_OK);
    CU_ASSERT(plan->offset[0] == 0 && plan->offset[1] == 16);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, 24);
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(problem_csv_write_plan(problem, plan, &written, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(written.bytes, "id,lower,upper,size,offset\na,0,3,4,0\nb,4,9,8,16\n");
    plan->status = PLAN_TIMEOUT;
    CU_ASSERT_EQUAL(problem_csv_write_plan(problem, plan, &written, &error), STATUS_BAD_INPUT);
    text_free(&written);
    text_free(&text);
    plan_free(plan);
    problem_free(problem);
}

/* Split buffers have no offset, or that of their first extent. */
static void test_plan_with_extents(void)
{
    static const char split[] = "id,lower,upper,size,offset,extents\na,0,3,4,0,\n"
                                "b,4,9,8,,16+3;4+1;32+4\n";
    static const char *const texts[] = {
        split, "extents,size,id,upper,lower,offset\n 16+3 ; 4 + 1;32+4,8,b,9,4,16\n,4,a,3,0,0\n",
        "extents,size,id,upper,lower\n16+3;4+1;32+4,8,b,9,4\n0+4,4,a,3,0\n"};
    for (int i = 0; i < 3; i++) {
        struct problem *problem;
        struct plan *plan;
        struct error error = ERROR_NONE;
        struct text text = reading_text(texts[i]), written = {0};
        CU_ASSERT_EQUAL_FATAL(read_plan_of(two_buffers, &text, &plan, &problem, &error), STATUS_OK);
        CU_ASSERT(plan->offset[0] == 0 && plan->offset[1] == 16);
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, 36);
        CU_ASSERT_EQUAL(extents_count(plan->extents, 0), i == 2);
        CU_ASSERT_EQUAL(extents_count(plan->extents, 1), 3);
        CU_ASSERT_EQUAL(problem_csv_write_plan(problem, plan, &written, &error), STATUS_OK);
        if (i < 2)
            CU_ASSERT_STRING_EQUAL(written.bytes, split);
        text_free(&written);
        text_free(&text);
        plan_free(plan);
        problem_free(problem);
    }
}

/* Buffers of one object may have any offsets in it; others have no storage id. */
static void test_plan_with_storage_ids(void)
{
    static const char shared[] = "id,lower,upper,size,offset,storage_id\na,0,3,4,2,1\n"
                                 "b,4,9,8,0,\n";
    struct problem *problem;
    struct plan *plan;
    struct error error = ERROR_NONE;
    struct text text = reading_text(shared), written = {0};
    CU_ASSERT_EQUAL_FATAL(read_plan_of(two_buffers, &text, &plan, &problem, &error), STATUS_OK);
    CU_ASSERT_EQUAL(storage_ids_get(plan->storage_id, 0), 1);
    CU_ASSERT_EQUAL(storage_ids_get(plan->storage_id, 1), STORAGE_IDS_NONE);
    CU_ASSERT_EQUAL(problem_csv_write_plan(problem, plan, &written, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(written.bytes, shared);
    text_free(&written);
    text_free(&text);
    plan_free(plan);
    problem_free(problem);
}

#define PLAN "id,lower,upper,size,offset\n"
#define SPLIT "id,lower,upper,size,offset,extents\n"

static void test_plan_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "found no column 'offset'", HEADER "a,0,3,4\n"},
        {2, "found buffer 'c', expected one of the problem", PLAN "c,0,3,4,0\n"},
        {3, "found buffer 'a' again", PLAN "a,0,3,4,0\na,0,3,4,0\n"},
        {2, "found storage_id 2 of buffer 'a', expected one below 2, the number of buffers",
         "id,lower,upper,size,offset,storage_id\na,0,3,4,0,2\n"},
        {2, "found 'x' as storage_id", "id,lower,upper,size,offset,storage_id\na,0,3,4,0,x\n"},
        {2, "found size 5 of buffer 'a', expected 4", PLAN "a,0,3,5,0\n"},
        {2, "found lower 1 of buffer 'a', expected 0", PLAN "a,1,3,4,0\n"},
        {2, "found upper 4 of buffer 'a', expected 3", PLAN "a,0,4,4,0\n"},
        {2, "found no offset of buffer 'a'", PLAN "a,0,3,4,\n"},
        {2, "found no row of buffer 'b'", PLAN "a,0,3,4,0\n"},
        {2, "found no offset of buffer 'a'", SPLIT "a,0,3,4,,\n"},
        {2, "found extent '0', expected offset+length", SPLIT "a,0,3,4,,0\n"},
        {2, "found extent '', expected offset+length", SPLIT "a,0,3,4,,0+4;\n"},
        {2, "found '0' as length of an extent", SPLIT "a,0,3,4,,0+4;8+0\n"},
        {2, "found '-1' as offset of an extent", SPLIT "a,0,3,4,,-1+4\n"},
        {2, "found offset 1 of buffer 'a' and its first extent at 0", SPLIT "a,0,3,4,1,0+2;8+2\n"},
    };
    reading_check_faults(read_plan_and_free, faults, sizeof faults / sizeof *faults);
}

static void test_plan_with_gaps(void)
{
    struct error error = ERROR_NONE;
    struct text text = reading_text("id,lower,upper,size,gaps,offset\na,0,3,4,,0\nb,2,9,8,2-4,4\n");
    CU_ASSERT_EQUAL(read_plan_and_free(&text, &error), STATUS_OK);
    text_free(&text);
}

static enum status read_and_write(const struct text *text, struct error *error)
{
    struct problem *problem;
    struct text written = {0};
    TRY(problem_csv_read(text, "test.file", NULL, &problem, error));
    enum status status = problem_csv_write(problem, &written, error);
    text_free(&written);
    problem_free(problem);
    return status;
}

static struct problem *shared_problem;
static struct plan *shared_plan;

static enum status read_shared_plan(const struct text *text, struct error *error)
{
    return problem_csv_read_plan(text, "test.file", shared_problem, shared_plan, error);
}

static void test_allocations(void)
{
    struct error error;
    reading_check_allocations(read_and_write, "id,lower,upper,size,alignment,hint,gaps,offset\n"
                                              "a,0,9,8,2,3,1-2 4-5@2:3,16\n"
                                              "b,0,9,8,2,3,1-2 4-5@2:3,24\n");
    shared_problem = read_problem(two_buffers, false);
    CU_ASSERT_FATAL(plan_create(shared_problem, &shared_plan, &error) == STATUS_OK);
    struct text text = reading_text("id,lower,upper,size,gaps,offset\na,0,3,4,,0\nb,2,9,8,2-4,4\n");
    for (uint64_t allowed = 0; allowed < 3; allowed++) {
        uint64_t live = memory_live_blocks();
        memory_fail_after(allowed);
        CU_ASSERT_EQUAL(read_shared_plan(&text, &error), STATUS_INTERNAL);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
    }
    CU_ASSERT_EQUAL(read_shared_plan(&text, &error), STATUS_OK);
    text_free(&text);
    plan_free(shared_plan);
    problem_free(shared_problem);
}

static const struct test_case cases[] = {
    {"files of our own layout are written as they were read", test_golden},
    {"columns by any of their names, in any order", test_columns},
    {"blank lines, blanks and CR LF", test_blanks},
    {"the problem is named after its file", test_name},
    {"gaps are holes or windows", test_gaps},
    {"gaps are inclusive beside end", test_gaps_with_end},
    {"gaps at the ends shorten, gaps of all bytes vanish", test_gaps_at_the_ends},
    {"offsets are fixed unless ignored", test_offsets},
    {"times may be clocks", test_clocks},
    {"faults of clocks", test_clock_faults},
    {"faults of the header", test_header_faults},
    {"faults of rows", test_row_faults},
    {"faults of gaps", test_gap_faults},
    {"zero bytes are refused", test_zero_byte},
    {"names that cannot be written", test_names_that_cannot_be_written},
    {"plans are read and written", test_plan},
    {"plans with extents", test_plan_with_extents},
    {"plans with storage ids", test_plan_with_storage_ids},
    {"faults of plans", test_plan_faults},
    {"plans may repeat the gaps", test_plan_with_gaps},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/problem_csv", cases)
