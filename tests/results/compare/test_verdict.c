#include <string.h>

#include "core/text.h"
#include "results/compare/two_sides.h"
#include "results/compare/verdict.h"
#include "results/store/failure.h"
#include "support/testing.h"

static void expect_verdict(struct two_sides *two, const char *expected)
{
    struct text text = {0};
    compare(two);
    must(verdict_append(&two->comparison, &text, &error));
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
    text_free(&text);
}

/* A change of one planner is told of that planner alone, and failures are no ratios. */
static void test_verdict_names_what_changed(void)
{
    struct two_sides two = {0};
    struct text worst = {0};
    for (int side = 0; side < 2; side++) {
        add(&two, side, make_row("a", "same", 100, ""));
        add(&two, side, make_row("b", "same", 100, ""));
    }
    expect_verdict(&two, "new is as good as old: 0 of 1 planner changed, 2 jobs on both sides");
    CU_ASSERT(!comparison_is_worse(&two.comparison));
    comparison_free(&two.comparison);
    add(&two, 0, make_row("a", "mine", 100, ""));
    add(&two, 1, make_row("a", "mine", 200, ""));
    expect_verdict(&two, "new is worse than old: 1 of 2 planners changed (mine), 3 jobs on both "
                         "sides, 1 of 1 peaks worse, 0 better, ratio 2.0000");
    comparison_free(&two.comparison);
    two.row[1][2].peak_bytes = 50;
    expect_verdict(&two, "new is better than old: 1 of 2 planners changed (mine), 3 jobs on both "
                         "sides, 0 of 1 peaks worse, 1 better, ratio 0.5000");
    comparison_free(&two.comparison);
    struct result_row *row = &two.row[1][2];
    row->status = "crash";
    row->verdict = "";
    row->stop_reason = "signal 11";
    row->origin = "plug-in";
    row->settings = "time_limit_ns=2500000000 jobs=3";
    expect_verdict(&two, "new is worse than old: 1 of 2 planners changed (mine), 3 jobs on both "
                         "sides, 1 new failure (1 crash)");
    must(verdict_append_worst(&two.comparison,
                              "memplan bench --plugin './my planner.so' --planners mine a", &worst,
                              &error));
    CU_ASSERT_STRING_EQUAL(worst.bytes,
                           "mine on a, policy flat: was 100 bytes, is crash: signal 11\n"
                           "    memplan plan a --policy flat --planner mine --time-limit 2.5 "
                           "--plugin './my planner.so'\n");
    text_free(&worst);
    comparison_free(&two.comparison);
}

/* Failures that are told do not push out all of the worse peaks. */
static void test_worst_of_each_kind(void)
{
    enum { EACH = 12 };
    static char names[2 * EACH][8];
    static struct result_row row[2][2 * EACH];
    struct two_sides two = {0};
    struct text worst = {0};
    for (int side = 0; side < 2; side++) {
        for (uint64_t i = 0; i < 2 * EACH; i++) {
            snprintf(names[i], sizeof *names, "i%02u", (unsigned)i);
            row[side][i] = make_row(names[i], "p", side ? 100 + i : 100, "");
            if (side && i >= EACH) {
                row[side][i].status = "timeout";
                row[side][i].verdict = "";
            }
        }
        two.set[side] = (struct result_set){.row = row[side], .count = 2 * EACH};
        two.sides.set[side] = &two.set[side];
        two.sides.name[side] = "side";
    }
    must(comparison_create(&two.sides, &two.comparison, &error));
    must(verdict_append_worst(&two.comparison, "", &worst, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(worst.bytes, "p on i16, policy flat: was 100 bytes, is timeout"));
    CU_ASSERT_PTR_NULL(strstr(worst.bytes, "i17"));
    CU_ASSERT_TRUE(strstr(worst.bytes, "i16") < strstr(worst.bytes, "i11")); /* failures first */
    CU_ASSERT_PTR_NOT_NULL(strstr(worst.bytes, "p on i11, policy flat: was 100 bytes, is 111 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(worst.bytes, "p on i07"));
    CU_ASSERT_PTR_NULL(strstr(worst.bytes, "i06"));
    CU_ASSERT_PTR_NOT_NULL(strstr(worst.bytes, "\nand 13 more\n"));
    text_free(&worst);
    comparison_free(&two.comparison);
}

static void test_kinds_of_failures(void)
{
    static const struct {
        const char *status, *verdict, *execution;
        unsigned kind;
    } rows[] = {
        {"feasible", "valid", "intact", FAILURE_KINDS},
        {"feasible", "overlap", "", FAILURE_REFUSED},
        {"feasible", "valid", "damaged", FAILURE_DAMAGED},
        {"crash", "", "", FAILURE_FIRST_STATUS},
        {"infeasible", "", "", FAILURE_KINDS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result_row row = make_row("a", "p", 100, "");
        row.status = rows[i].status;
        row.verdict = rows[i].verdict;
        row.execution = rows[i].execution;
        CU_ASSERT_EQUAL(failure_kind(&row), rows[i].kind);
    }
}

static const struct test_case cases[] = {
    {"the verdict names what changed", test_verdict_names_what_changed},
    {"the worst of each kind", test_worst_of_each_kind},
    {"kinds of failures", test_kinds_of_failures},
};
TESTING_MAIN("verdict", cases)
