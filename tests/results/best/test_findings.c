#include "results/best/findings.h"

#include <string.h>

#include "results/made_up.h"
#include "support/testing.h"

/* Rows against a list with one problem, peak 100, bound 80. */

static struct error error;
static char path[64];
static struct store *store;
static struct result_set set;
static struct best_list list;
static struct best_findings findings;

static struct result_row make_row(const char *planner, uint64_t peak_bytes, uint64_t bound_bytes)
{
    struct result_row row = made_up_row("x", "flat", planner, peak_bytes);
    row.digest = "dd";
    row.lower_bound_bytes = bound_bytes;
    row.load_bytes = 0;
    row.origin = RESULT_BUILT_IN;
    return row;
}

static void begin(void)
{
    const struct best_known known = {.instance = "x",
                                     .policy = "flat",
                                     .options = "",
                                     .peak_bytes = 100,
                                     .lower_bound_bytes = 80,
                                     .planner = "old",
                                     .prover = "load",
                                     .digest = "dd"};
    list = (struct best_list){0};
    findings = (struct best_findings){0};
    CU_ASSERT_EQUAL_FATAL(best_list_put(&list, &known, &error), STATUS_OK);
    store = made_up_open(path);
}

static const struct best_found *find(void)
{
    const struct result_filter filter = {.each = true};
    CU_ASSERT_EQUAL_FATAL(query_newest(store, &filter, &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(best_findings_create(&set, &list, &findings, &error), STATUS_OK);
    return findings.found;
}

static void end(void)
{
    best_findings_free(&findings);
    query_free(&set);
    best_list_free(&list);
    made_up_remove(store, path);
}

/* One row, and whether it improves the peak, the bound, and contradicts. */
static void expect(struct result_row row, bool peak, bool bound, bool contradicts)
{
    begin();
    made_up_write(store, row);
    const struct best_found *found = find();
    CU_ASSERT_EQUAL_FATAL(findings.count, 1);
    CU_ASSERT_EQUAL(best_found_improves_peak(found), peak);
    CU_ASSERT_EQUAL(best_found_improves_bound(found), bound);
    CU_ASSERT_EQUAL(best_found_contradicts(found), contradicts);
    end();
}

static void test_one_row(void)
{
    expect(make_row("p", 100, 80), false, false, false);
    expect(make_row("p", 99, 80), true, false, false);
    expect(make_row("p", 101, 0), false, false, false);
    expect(make_row("p", 110, 81), false, true, false);
    expect(make_row("p", 90, 90), true, true, false);
    expect(make_row("p", 100, 100), false, true, false);
    expect(make_row("p", 79, 0), true, false, true);
    expect(make_row("p", 110, 101), false, true, true);
}

/* What does not count: a plan that is wrong or splits buffers, a bound that a plug-in claims. */
static void test_what_does_not_count(void)
{
    struct result_row row = make_row("p", 90, 80);
    row.verdict = "overlap";
    expect(row, false, false, false);
    row = make_row("p", 70, 80);
    row.split_buffers = 1;
    expect(row, false, false, false);
    row = make_row("p", 100, 95);
    row.origin = "plug-in";
    expect(row, false, false, false);
    row = make_row("p", 90, 95);
    row.origin = "plug-in";
    expect(row, true, false, false);
}

/* A capacity is no other problem; in-place rules are, of which nothing is known. */
static void test_options(void)
{
    struct result_row row = make_row("p", 90, 80);
    row.options = "capacity=95";
    expect(row, true, false, false);
    row.options = "capacity=95 inplace=nnvm";
    expect(row, false, false, false);
    begin();
    made_up_write(store, row);
    CU_ASSERT_STRING_EQUAL(find()->options, "inplace=nnvm");
    end();
}

/* The best of several rows each: plan and bound from different planners. */
static void test_several_rows(void)
{
    begin();
    made_up_write(store, make_row("a", 120, 85));
    made_up_write(store, make_row("b", 95, 70));
    made_up_write(store, make_row("c", 95, 85));
    const struct best_found *found = find();
    CU_ASSERT_EQUAL_FATAL(findings.count, 1);
    CU_ASSERT_STRING_EQUAL(found->peak->planner, "b");
    CU_ASSERT_STRING_EQUAL(found->bound->planner, "a");
    end();
}

static void test_description(void)
{
    uint32_t contradictions;
    struct text lines = {0};
    begin();
    made_up_write(store, make_row("a", 120, 85));
    made_up_write(store, make_row("b", 95, 70));
    find();
    CU_ASSERT_EQUAL_FATAL(best_findings_describe(&findings, 20, &contradictions, &lines, &error),
                          STATUS_OK);
    CU_ASSERT_STRING_EQUAL(
        lines.bytes,
        "better than the best known: x, policy flat: peak 95 bytes by b, known was 100 by old\n"
        "better than the best known: x, policy flat: bound 85 bytes by a, known was 80\n");
    CU_ASSERT_EQUAL(contradictions, 0);
    text_free(&lines);
    CU_ASSERT_EQUAL_FATAL(best_findings_describe(&findings, 0, &contradictions, &lines, &error),
                          STATUS_OK);
    CU_ASSERT_STRING_EQUAL(lines.bytes, "better than the best known: and 1 more\n"
                                        "better than the best known: and 1 more\n");
    text_free(&lines);
    end();
}

static void test_description_of_contradictions(void)
{
    uint32_t contradictions;
    struct text lines = {0};
    begin();
    made_up_write(store, make_row("a", 79, 0));
    find();
    CU_ASSERT_EQUAL_FATAL(best_findings_describe(&findings, 20, &contradictions, &lines, &error),
                          STATUS_OK);
    CU_ASSERT_STRING_EQUAL(lines.bytes,
                           "contradicts the best known: x, policy flat: a valid plan of 79 bytes "
                           "by a, but no plan is below 80 bytes by load, as is known\n");
    CU_ASSERT_EQUAL(contradictions, 1);
    text_free(&lines);
    end();
}

static const struct test_case cases[] = {
    {"one row", test_one_row},
    {"what does not count", test_what_does_not_count},
    {"options", test_options},
    {"several rows", test_several_rows},
    {"description", test_description},
    {"description of contradictions", test_description_of_contradictions},
};

TESTING_MAIN("results/best/findings", cases)
