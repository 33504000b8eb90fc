#include <string.h>

#include "core/random.h"
#include "datasets/reading.h"
#include "harness/jobs.h"
#include "harness/layout/report.h"
#include "harness/layout/report_write.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"

static struct outcome take_plan(struct plan *plan)
{
    plan->status = PLAN_FEASIBLE;
    return (struct outcome){.status = PLAN_FEASIBLE, .plan = plan};
}

/* a and b are live first; c takes over all of a and one byte of b, d the rest of b, e what was c's
   in the bytes of a. */
static const struct made_buffer five[] = {{0, 2, 4}, {0, 3, 3}, {2, 5, 4}, {3, 9, 2}, {6, 7, 4}};

static struct plan *plan_five(const struct problem *problem)
{
    struct plan *plan;
    must(plan_create(problem, &plan, &error));
    plan->offset[0] = 16;
    plan->offset[1] = 20;
    plan->offset[2] = 16;
    plan->offset[3] = 20;
    must(plan_add_extent(plan, 4, 17, 3, &error));
    must(plan_add_extent(plan, 4, 22, 1, &error));
    must(plan_set_peak(plan, problem, &error));
    return plan;
}

static void test_by_hand(void)
{
    struct problem *problem = made_problem(five, 5);
    SCOPED(instance_release) struct instance *instance = jobs_own(NULL, problem);
    SCOPED(outcome_clear) struct outcome outcome = take_plan(plan_five(problem));
    const struct job job = {.instance = instance};
    SCOPED(layout_report_free) struct layout_report report = {0};
    SCOPED(text_free) struct text text = {0};
    SCOPED(text_free) struct text json = {0};
    must(layout_report_create(&job, &outcome, &report, &error));
    must(layout_report_write(&report, SIZE_MAX, &text, &error));
    reading_check_result("layout_report", "text", text.bytes);
    report.row[3].in_place = 1;
    must(layout_report_write_json(&report, &json, &error));
    reading_check_result("layout_report", "JSON", json.bytes);
}

/* Ten buffers of a byte each reuse the bytes of the first. */
static void test_many_reusers(void)
{
    struct made_buffer rows[11] = {{0, 1, 10}};
    for (uint32_t i = 0; i < 10; i++)
        rows[i + 1] = (struct made_buffer){1 + i, 20, 1};
    struct problem *problem = made_problem(rows, 11);
    SCOPED(instance_release) struct instance *instance = jobs_own(NULL, problem);
    SCOPED(plan_release) struct plan *plan = NULL;
    must(plan_create(problem, &plan, &error));
    plan->offset[0] = 0;
    for (uint32_t i = 0; i < 10; i++)
        plan->offset[i + 1] = i;
    struct outcome outcome = take_plan(plan);
    const struct job job = {.instance = instance};
    SCOPED(layout_report_free) struct layout_report report = {0};
    SCOPED(text_free) struct text text = {0};
    must(layout_report_create(&job, &outcome, &report, &error));
    CU_ASSERT_EQUAL(report.row[0].reusers, 10);
    must(layout_report_write(&report, SIZE_MAX, &text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, " b, c, d, e, f, g, h, i, +2 "));
}

enum { ARENA = 256, MOST_BUFFERS = 16 };

/* Rows against who used each byte last, byte by byte, in the order in which segments begin. */
static void check_rows(const struct layout_report *report, const struct problem *problem,
                       const struct plan *plan)
{
    bool reuses[MOST_BUFFERS][MOST_BUFFERS] = {{false}};
    uint32_t user[ARENA];
    memset(user, 0xff, sizeof user);
    for (uint32_t step = 0; step < problem_steps(problem); step++)
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
                struct extents_walk walk = plan_begin(plan, b, problem_window_lower(problem, s),
                                                      problem_window_upper(problem, s));
                struct extent piece;
                while (problem->lower[s] == step && extents_next(&walk, &piece))
                    for (uint64_t i = piece.offset; i < piece.offset + piece.bytes; i++) {
                        CU_ASSERT_FATAL(i < ARENA);
                        if (user[i] != UINT32_MAX && user[i] != b)
                            reuses[user[i]][b] = true;
                        user[i] = b;
                    }
            }
    CU_ASSERT_EQUAL(report->rows, problem->buffers);
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r], *last = r ? row - 1 : NULL;
        uint32_t reusers = 0;
        for (uint32_t b = 0; b < problem->buffers; b++)
            reusers += reuses[row->item][b];
        CU_ASSERT_EQUAL(row->reusers, reusers);
        for (uint32_t i = 0; i < row->reusers && i < LAYOUT_REPORT_MOST_NAMES; i++)
            CU_ASSERT_TRUE(reuses[row->item][report->row[row->reused_by[i]].item]);
        CU_ASSERT_EQUAL(row->start, problem_lower(problem, row->item));
        CU_ASSERT_EQUAL(row->end, problem_upper(problem, row->item) - 1);
        CU_ASSERT_EQUAL(row->address, plan->offset[row->item]);
        CU_ASSERT_TRUE(!last || last->start < row->start ||
                       (last->start == row->start && last->address <= row->address));
    }
}

static void test_random_problems(void)
{
    static const struct random_problem kind = {.most_buffers = MOST_BUFFERS,
                                               .steps = 14,
                                               .most_size = 9,
                                               .holes = true,
                                               .windows = true,
                                               .alignment = true};
    static const char *const planners[] = {"exclusive", "large_first", "naive"};
    unsigned reports_with_reuse = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(instance_release)
        struct instance *instance = jobs_own(NULL, random_problem_create(&kind, &random));
        const struct job job = jobs_name(instance, NULL, planners[seed % 3]);
        SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
        SCOPED(layout_report_free) struct layout_report report = {0};
        must(layout_report_create(&job, &outcome, &report, &error));
        check_rows(&report, instance->problem, outcome.plan);
        reports_with_reuse += report.rows && report.row[0].reusers > 0;
    }
    CU_ASSERT(reports_with_reuse > 500);
}

struct reported {
    const struct job *job;
    const struct outcome *outcome;
};

static enum status write_report(const void *input, struct error *failure)
{
    const struct reported *reported = input;
    SCOPED(layout_report_free) struct layout_report report = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(layout_report_create(reported->job, reported->outcome, &report, failure));
    return layout_report_write(&report, SIZE_MAX, &text, failure);
}

static void test_no_memory(void)
{
    struct problem *problem = made_problem(five, 5);
    SCOPED(instance_release) struct instance *instance = jobs_own(NULL, problem);
    const struct job job = {.instance = instance};
    SCOPED(outcome_clear) struct outcome outcome = take_plan(plan_five(problem));
    fail_each(write_report, &(struct reported){&job, &outcome});
}

static const struct test_case cases[] = {
    {"by hand", test_by_hand},
    {"many reusers", test_many_reusers},
    {"random problems, byte by byte", test_random_problems},
    {"no memory", test_no_memory},
};

TESTING_MAIN("harness/layout_report", cases)
