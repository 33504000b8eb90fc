#include <stdio.h>
#include <string.h>

#include "planning/verify/problem/plan.h"
#include "solvers/find_solver.h"
#include "solvers/mip/files/program.h"
#include "solvers/mip/files/solution.h"
#include "solvers/mip/model/order_plan.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

enum { PROBLEMS = 100 };

static const struct random_problem every_kind = {.most_buffers = 7,
                                                 .steps = 9,
                                                 .most_size = 9,
                                                 .holes = true,
                                                 .windows = true,
                                                 .alignment = true};

static struct problem *make_problem(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    return random_problem_create(&every_kind, &random);
}

static struct mip_program make_program(const struct problem *problem)
{
    struct mip_program program;
    must(mip_program_create(problem, mip_formulation_at(0), problem_ample_bytes(problem), &program,
                            &error));
    return program;
}

/* What the solvers write, as far as it is read. */
typedef void write_form(const struct mip_program *program, const double *value, double objective,
                        struct text *text);

static void write_plain(const struct mip_program *program, const double *value, double objective,
                        struct text *text)
{
    text_append(text, "# Objective value = %.17g\n", objective);
    for (uint32_t c = 0; c < program->model->columns; c++)
        text_append(text, "%s %.17g\n", names_get(&program->names, c), value[c]);
}

static void write_scip(const struct mip_program *program, const double *value, double objective,
                       struct text *text)
{
    text_append(text, "solution status: optimal solution found\nobjective value:  %.17g\n",
                objective);
    for (uint32_t c = 0; c < program->model->columns; c++)
        if (value[c] != 0)
            text_append(text, "%-40s %20.17g \t(obj:%d)\n", names_get(&program->names, c), value[c],
                        c == 0);
}

static void write_highs(const struct mip_program *program, const double *value, double objective,
                        struct text *text)
{
    text_append(text,
                "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective %.17g\n"
                "# Columns %u\n",
                objective, program->model->columns);
    for (uint32_t c = 0; c < program->model->columns; c++)
        text_append(text, "%s %.17g\n", names_get(&program->names, c), value[c]);
    text_append(text,
                "# Rows 1\nr1 5\n\n# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n");
}

static void write_cplex(const struct mip_program *program, const double *value, double objective,
                        struct text *text)
{
    text_append(text,
                "<?xml version = \"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
                "<CPLEXSolution version=\"1.2\">\n <header\n   problemName=\"x.lp\"\n"
                "   objectiveValue=\"%.17g\"\n"
                "   solutionStatusString=\"integer optimal solution\"/>\n"
                " <linearConstraints>\n  <constraint name=\"r1\" index=\"0\" slack=\"0\"/>\n"
                " </linearConstraints>\n <variables>\n",
                objective);
    for (uint32_t c = 0; c < program->model->columns; c++)
        text_append(text, "  <variable name=\"%s\" index=\"%u\" value=\"%.17g\"/>\n",
                    names_get(&program->names, c), c, value[c]);
    text_append(text, " </variables>\n</CPLEXSolution>\n");
}

static void write_cbc(const struct mip_program *program, const double *value, double objective,
                      struct text *text)
{
    text_append(text, "Optimal - objective value %.8f\n", objective);
    for (uint32_t c = 0; c < program->model->columns; c++)
        text_append(text, "%s%7u %-20s %20.15g %20d\n", c == 1 ? "**" : "", c,
                    names_get(&program->names, c), value[c], c == 0);
}

static void write_glpsol_report(const struct mip_program *program, const double *value,
                                double objective, struct text *text)
{
    text_append(text,
                "Problem:    memplan\nRows:       1\nStatus:     INTEGER OPTIMAL\n"
                "Objective:  peak_bytes = %.17g (MINimum)\n\n"
                "   No.   Row name        Activity     Lower bound   Upper bound\n"
                "------ ------------    ------------- ------------- -------------\n"
                "     1 r1                         3             2\n\n"
                "   No. Column name       Activity     Lower bound   Upper bound\n"
                "------ ------------    ------------- ------------- -------------\n",
                objective);
    for (uint32_t c = 0; c < program->model->columns; c++) {
        const char *name = names_get(&program->names, c);
        text_append(text, "%6u %-12s", c + 1, name);
        text_append(text, "%s %s  %13.9g  0  9\n", strlen(name) > 12 ? "\n                   " : "",
                    program->model->integer[c] ? "*" : " ", value[c]);
    }
    text_append(text, "\nInteger feasibility conditions:\n\nKKT.PE: max.abs.err = 0.00e+00\n");
}

/* Gurobi's form is the plain one. */
static write_form *const forms[] = {write_plain, write_scip, write_highs,
                                    write_cplex, write_cbc,  write_glpsol_report};

enum { FORMS = sizeof forms / sizeof *forms };

static bool reads_back(const struct mip_program *program, const struct plan *plan,
                       const double *value, write_form *write)
{
    const struct problem *problem = program->model->problem;
    SCOPED(text_free) struct text text = {0};
    struct verdict verdict;
    SCOPED(plan_release) struct plan *read = NULL;
    must(plan_create(problem, &read, &error));
    write(program, value, (double)plan->measures.peak_bytes, &text);
    enum status status = mip_solution_read(&text, "x.sol", problem, read, &error);
    bool same = status == STATUS_OK && read->measures.peak_bytes == plan->measures.peak_bytes;
    for (uint32_t b = 0; b < problem->buffers && same; b++)
        same = read->offset[b] == plan->offset[b];
    if (same) {
        verify_plan_pairwise(problem, read, &verdict);
        same = verdict.fault == VERIFY_VALID;
    }
    if (!same)
        printf("%s\n%s\n", status ? error.text : "", text.bytes);
    return same;
}

/* False where the formulation refuses the problem, or cannot be written down. */
static bool read_every_form(const struct problem *problem,
                            const struct mip_formulation *formulation)
{
    enum { MOST_COLUMNS = 5000 };
    static double value[MOST_COLUMNS];
    SCOPED(mip_program_clear) struct mip_program program = {0};
    SCOPED(plan_release) struct plan *stack = planned_stack(problem);
    SCOPED(plan_release) struct plan *plan = NULL;
    enum status status =
        mip_program_create(problem, formulation, problem_ample_bytes(problem), &program, &error);
    if (status == STATUS_BAD_INPUT)
        return false;
    must(status);
    must(plan_create(problem, &plan, &error));
    mip_arrange(program.model, stack);
    CU_ASSERT_TRUE(mip_lower_plan(program.model, stack, plan));
    plan->status = PLAN_FEASIBLE;
    must(plan_set_peak(plan, problem, &error));
    CU_ASSERT_TRUE_FATAL(program.model->columns <= MOST_COLUMNS);
    formulation->from_plan(program.model, plan, value);
    CU_ASSERT_TRUE(mip_model_holds(program.model, value));
    for (int i = 0; i < FORMS; i++)
        CU_ASSERT_TRUE(reads_back(&program, plan, value, forms[i]));
    return true;
}

static void test_every_form_reads_back(void)
{
    uint32_t read = 0;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        for (uint32_t k = 0; k < mip_formulation_count(); k++)
            read += read_every_form(problem, mip_formulation_at(k));
    }
    CU_ASSERT_TRUE(read > 4 * PROBLEMS);
}

static struct problem *make_two(const char *first, const char *second)
{
    struct problem *problem = made_problem_start();
    made_problem_buffer(problem, first, 4, 1, PROBLEM_FREE);
    made_problem_segment(problem, (struct problem_segment){0, 2, 0, 4});
    made_problem_buffer(problem, second, 6, 1, PROBLEM_FREE);
    made_problem_segment(problem, (struct problem_segment){0, 2, 0, 6});
    must(problem_finish(problem, &error));
    return problem;
}

static void test_names(void)
{
    static const char *const names[][5] = {
        {"a", "b.1_C", "offset_a", "offset_b.1_C", "below_a~~b.1_C"},
        {"a", "a", "offset_a", "offset_a~1", "below_a~~a~1"},
        {"a b", "a/b", "offset_a_b~0", "offset_a_b~1", "below_a_b~0~~a_b~1"},
        {"", "\xc3\xa4", "offset_~0", "offset___~1", "below_~0~~__~1"},
        {"0123456789012345678901234567890123456789", "01234567890123456789012345678901234567890",
         "offset_0123456789012345678901234567890123456789", "offset_0123456789012345678901234567~1",
         "below_0123456789012345678901234567890123456789~~0123456789012345678901234567~1"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(problem_release) struct problem *problem = make_two(names[i][0], names[i][1]);
        SCOPED(mip_program_clear) struct mip_program program = make_program(problem);
        CU_ASSERT_STRING_EQUAL(names_get(&program.names, 0), "peak");
        for (uint32_t c = 0; c < 3; c++)
            CU_ASSERT_STRING_EQUAL(names_get(&program.names, 1 + c), names[i][2 + c]);
    }
}

/* Each name once, also with several windows of the same two buffers, and at most 100 characters. */
static void test_names_differ(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        SCOPED(mip_program_clear) struct mip_program program = make_program(problem);
        CU_ASSERT_EQUAL(program.names.count, program.model->columns);
        for (uint32_t c = 0; c < program.names.count; c++) {
            const char *name = names_get(&program.names, c);
            CU_ASSERT_EQUAL(names_find(&program.names, name), c);
            CU_ASSERT_TRUE(strlen(name) <= 100);
        }
    }
}

static void test_refusals(void)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *found;
    } cases[] = {
        {"", 0, "found 'no column'"},
        {"\n\nhello\n", 3, "found 'no column'"},
        {"Infeasible - objective value 0\n", 1, "found 'infeasible"},
        {"Optimal - objective value 10\n 0 peak 10 0\n 1 offset_c 4 0\n", 3, "found 'offset_c'"},
        {"objective value: 9\noffset_c 3 (obj:0)\noffset_a 0\n", 2, "found 'offset_c', expected a"},
        {"Objective 9\nx1 3\noffset_a 0\n", 2, "found 'x1', expected a column"},
        {"offset_a 0\noffset_a 4\n", 2, "found 'offset_a', expected each column once"},
        {"offset_a\n", 1, "found 'no column'"},
        {"offset_a four\n", 1, "found 'four', expected a number"},
        {"offset_a nan\n", 1, "found 'nan', expected a number"},
        {"peak 10\noffset_a -1\n", 2, "found offset -1 of buffer 'a'"},
        {"peak 10\noffset_a 1e300\n", 2, "found offset 1.0"},
        {"Problem: x\nStatus: INTEGER UNDEFINED\n", 2, "found 'status: integer undefined'"},
        {"Problem: x\n No. Column name\n 1 pea 4\n", 3, "found ' 1 pea 4', expected a column"},
    };
    SCOPED(problem_release) struct problem *problem = make_two("a", "b");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(text_free) struct text text = {0};
        SCOPED(plan_release) struct plan *plan = NULL;
        text_append(&text, "%s", cases[i].text);
        must(plan_create(problem, &plan, &error));
        CU_ASSERT_EQUAL(mip_solution_read(&text, "x.sol", problem, plan, &error), STATUS_BAD_INPUT);
        CU_ASSERT_EQUAL(error.line, cases[i].line);
        CU_ASSERT_STRING_EQUAL(error.file, "x.sol");
        CU_ASSERT_PTR_EQUAL(strstr(error.text, cases[i].found), error.text);
        if (strstr(error.text, cases[i].found) != error.text)
            printf("%s: %s\n", cases[i].text, error.text);
    }
}

/* In units of 2^20 bytes, so that the number in the file is small enough to be exact. */
static void test_offsets_beyond_range(void)
{
    enum { MEBIBYTE = 1 << 20 };
    SCOPED(text_free) struct text text = {0};
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    SCOPED(plan_release) struct plan *plan = NULL;
    made_problem_buffer(problem, "a", MEBIBYTE, MEBIBYTE, PROBLEM_FREE);
    made_problem_segment(problem, (struct problem_segment){0, 2, 0, MEBIBYTE});
    must(problem_finish(problem, &error));
    text_append(&text, "peak 1\noffset_a 8796093022207\n");
    must(plan_create(problem, &plan, &error));
    CU_ASSERT_EQUAL(mip_solution_read(&text, "x.sol", problem, plan, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(error.line, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "below 2^63 bytes"));
}

/* The plan keeps a claim that is too low, which verify_plan then finds wrong. */
static void test_claimed_peak(void)
{
    static const struct {
        const char *text;
        uint64_t peak_bytes;
    } cases[] = {{"Objective 8\noffset_b 2\n", 8},
                 {"Objective 10\noffset_b 1.9999999\n", 10},
                 {"Objective 12\noffset_b 2\n", 10},
                 {"offset_b 2\n", 10}};
    SCOPED(problem_release) struct problem *problem = make_two("a", "b");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(text_free) struct text text = {0};
        SCOPED(plan_release) struct plan *plan = NULL;
        /* The unit is 2 bytes. */
        text_append(&text, "%s", cases[i].text);
        must(plan_create(problem, &plan, &error));
        must(mip_solution_read(&text, "x.sol", problem, plan, &error));
        CU_ASSERT_EQUAL(plan->offset[1], 4);
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, cases[i].peak_bytes);
    }
}

static enum status write_both(const void *problem, struct error *fault)
{
    SCOPED(text_free) struct text text = {0};
    uint64_t upper_bytes = problem_ample_bytes(problem);
    for (uint32_t k = 0; k < mip_formulation_count(); k++) {
        const struct mip_formulation *formulation = mip_formulation_at(k);
        enum status status = mip_write(problem, formulation, upper_bytes, false, &text, fault);
        if (status != STATUS_BAD_INPUT)
            TRY(status);
        status = mip_write(problem, formulation, upper_bytes, true, &text, fault);
        if (status != STATUS_BAD_INPUT)
            TRY(status);
    }
    return STATUS_OK;
}

static enum status read_solution(const void *problem, struct error *fault)
{
    static char bytes[] = "peak 1\n";
    const struct text text = {.bytes = bytes, .length = sizeof bytes - 1};
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(problem, &plan, fault));
    return mip_solution_read(&text, "x.sol", problem, plan, fault);
}

static void test_allocations(void)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        const struct planner_task task = planned_task(problem);
        fail_each(write_both, problem);
        fail_each(read_solution, problem);
        for (uint32_t k = 0; k < solvers_count(); k++)
            if (strcmp(solvers_at(k)->family, "ilp") == 0)
                planned_fail_each(solvers_at(k), &task);
    }
}

static const struct test_case cases[] = {
    {"every form of solution reads back", test_every_form_reads_back},
    {"names of columns", test_names},
    {"names of columns differ", test_names_differ},
    {"files that are no solution", test_refusals},
    {"offsets beyond range", test_offsets_beyond_range},
    {"a claimed peak", test_claimed_peak},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("solvers/mip_files", cases)
