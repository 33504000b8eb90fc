#include "datasets/csv/problem.h"
#include "datasets/reading.h"
#include "planning/problem/bounds.h"
#include "support/must.h"

static const struct csv_dialect *dialect;
static enum csv_lifetimes lifetimes;

static enum status read(const struct text *text, const char *file, struct problem **problem,
                        struct error *reported)
{
    const struct problem_csv_options options = {.dialect = dialect, .lifetimes = lifetimes};
    return problem_csv_read(text, file, &options, problem, reported);
}

static struct problem *read_problem(const char *name, const char *convention, const char *input)
{
    struct text text = reading_text(input);
    struct problem *problem = NULL;
    dialect = csv_dialect_find(name);
    lifetimes = CSV_LIFETIMES_BY_HEADER;
    CU_ASSERT_PTR_NOT_NULL_FATAL(dialect);
    if (convention)
        CU_ASSERT_TRUE_FATAL(csv_lifetimes_find(convention, &lifetimes));
    if (read(&text, "some/test.csv", &problem, &error))
        printf("\n    %s:%u: %s\n", error.file, error.line, error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(problem);
    return problem;
}

/* Three buffers in a row that share their ends: with inclusive ends all meet at step 2. */
static const char three[] = "id,lower,upper,size\n0,0,2,4\n1,1,3,8\n2,2,5,16\n";

static void test_loads(void)
{
    static const struct {
        const char *dialect, *lifetimes;
        uint64_t load;
        uint32_t upper; /* of the last buffer */
    } golden[] = {
        {"minimalloc", NULL, 24, 5},        {"minimalloc", "half-open", 24, 5},
        {"minimalloc", "inclusive", 28, 6}, {"minimalloc", "open", 24, 5},
        {"idealloc", NULL, 24, 5},          {"idealloc", "half-open", 24, 5},
        {"idealloc", "inclusive", 28, 6},   {"iree", NULL, 28, 6},
        {"iree", "half-open", 24, 5},
    };
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        SCOPED(problem_release)
        struct problem *problem = read_problem(golden[i].dialect, golden[i].lifetimes, three);
        uint64_t load;
        must(problem_load(problem, &load, NULL, &error));
        CU_ASSERT_EQUAL(load, golden[i].load);
        CU_ASSERT_EQUAL(problem_upper(problem, 2), golden[i].upper);
        CU_ASSERT_EQUAL(problem->buffers, 3);
    }
}

/* Columns go by position, whatever the header says; the flag also wins over a column end. */
static void test_columns(void)
{
    struct problem *problem = read_problem("iree", NULL, "buffer,begin,last,bytes\n7,0,0,4\n");
    CU_ASSERT_STRING_EQUAL(names_get(&problem->names, 0), "7");
    CU_ASSERT_EQUAL(problem_upper(problem, 0), 1);
    CU_ASSERT_EQUAL(problem->size[0], 4);
    problem_free(problem);
    problem = read_problem("minimalloc", "half-open", "id,size,start,end\na,4,0,3\n");
    CU_ASSERT_EQUAL(problem_upper(problem, 0), 3);
    problem_free(problem);
    CU_ASSERT_PTR_NULL(csv_dialect_find("tvm"));
    CU_ASSERT_FALSE(csv_lifetimes_find("closed", &lifetimes));
}

static const char buffers[] =
    "buffer_id,buffer_name,alt_mem_benefit,size,definition_time,use_times,use_names,is_scoped\n"
    "3,\"fusion.1{0}, a comma\",0.5,4,0,\"1;2\",\"add.1 0;mul.2 {}, 1\",0\n"
    "5,\"param\",1e-3,8,1,\"3\",\"mul.2 0\",0\n"
    "-7,\"scoped allocation for x\",0,16,2,\"\",\"\",1\n";

static const char allocations[] = "buffer_id,size,offset,start_time,end_time\n"
                                  "3,4,0,0,2\n5,8,4,1,1\n5,8,12,2,3\n-7,16,24,2,2\n";

static void test_xla(void)
{
    SCOPED(problem_release) struct problem *problem = read_problem("xla", NULL, buffers);
    uint64_t load;
    must(problem_load(problem, &load, NULL, &error));
    CU_ASSERT_EQUAL(load, 28);
    CU_ASSERT_EQUAL(problem_upper(problem, 0), 3);
    CU_ASSERT_EQUAL(problem_upper(problem, 2), 3);
    CU_ASSERT_STRING_EQUAL(names_get(&problem->names, 2), "-7");
    CU_ASSERT_EQUAL(problem_fixed_offset(problem, 0), PROBLEM_FREE);
    problem_free(problem);
    problem = read_problem("xla", NULL, allocations);
    CU_ASSERT_EQUAL(problem->buffers, 4);
    CU_ASSERT_STRING_EQUAL(names_get(&problem->names, 2), "5:2");
    CU_ASSERT_EQUAL(problem_fixed_offset(problem, 2), 12);
    CU_ASSERT_EQUAL(problem_upper(problem, 1), 2);
}

static enum status read_and_free(const struct text *text, struct error *reported)
{
    struct problem *problem;
    TRY(read(text, "test.file", &problem, reported));
    problem_free(problem);
    return STATUS_OK;
}

static void test_faults(void)
{
    lifetimes = CSV_LIFETIMES_BY_HEADER;
    dialect = csv_dialect_find("idealloc");
    reading_check_refused(read_and_free, "csv_positional_refused");
    dialect = csv_dialect_find("xla");
    reading_check_refused(read_and_free, "csv_xla_refused");
}

static void test_allocations(void)
{
    lifetimes = CSV_LIFETIMES_BY_HEADER;
    dialect = csv_dialect_find("iree");
    reading_check_allocations(read_and_free, three);
    dialect = csv_dialect_find("xla");
    reading_check_allocations(read_and_free, buffers);
    reading_check_allocations(read_and_free, allocations);
}

static const struct test_case cases[] = {
    {"the load of three buffers tells the conventions apart", test_loads},
    {"columns by position and by flag", test_columns},
    {"XLA's buffers and allocations", test_xla},
    {"faults are named with their line", test_faults},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/csv_dialects", cases)
