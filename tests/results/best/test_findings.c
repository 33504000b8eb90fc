#include "results/best/findings.h"

#include <string.h>

#include "results/made_up.h"
#include "support/must.h"
#include "support/testing.h"

/* Rows against a list with one problem, peak 100, bound 80. */

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
    must(best_list_put(&list, &known, &error));
}

static const struct best_found *find(void)
{
    const struct result_filter filter = {.each = true};
    must(query_newest(the_store, &filter, &set, &error));
    must(best_findings_create(&set, &list, &findings, &error));
    return findings.found;
}

static void end(void)
{
    best_findings_free(&findings);
    query_free(&set);
    best_list_free(&list);
}

/* One row, and whether it improves the peak, the bound, and contradicts. A plan does not count that
   is wrong or splits buffers, nor a bound that a plug-in claims. A capacity is no other problem;
   in-place rules are, of which nothing is known. */
static void test_one_row(void)
{
    static const struct {
        uint64_t peak_bytes, bound_bytes;
        bool peak, bound, contradicts, splits;
        const char *verdict, *origin, *options;
    } rows[] = {
        {100, 80, false, false, false, false, NULL, NULL, NULL},
        {99, 80, true, false, false, false, NULL, NULL, NULL},
        {101, 0, false, false, false, false, NULL, NULL, NULL},
        {110, 81, false, true, false, false, NULL, NULL, NULL},
        {90, 90, true, true, false, false, NULL, NULL, NULL},
        {100, 100, false, true, false, false, NULL, NULL, NULL},
        {79, 0, true, false, true, false, NULL, NULL, NULL},
        {110, 101, false, true, true, false, NULL, NULL, NULL},
        {90, 80, false, false, false, false, "overlap", NULL, NULL},
        {70, 80, false, false, false, true, NULL, NULL, NULL},
        {100, 95, false, false, false, false, NULL, "plug-in", NULL},
        {90, 95, true, false, false, false, NULL, "plug-in", NULL},
        {90, 80, true, false, false, false, NULL, NULL, "capacity=95"},
        {90, 80, false, false, false, false, NULL, NULL, "capacity=95 inplace=nnvm"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result_row row = make_row("p", rows[i].peak_bytes, rows[i].bound_bytes);
        row.verdict = rows[i].verdict ? rows[i].verdict : row.verdict;
        row.origin = rows[i].origin ? rows[i].origin : row.origin;
        row.options = rows[i].options ? rows[i].options : row.options;
        row.split_buffers = rows[i].splits;
        begin();
        made_up_write(the_store, row);
        const struct best_found *found = find();
        CU_ASSERT_EQUAL_FATAL(findings.count, 1);
        CU_ASSERT_EQUAL(best_found_improves_peak(found), rows[i].peak);
        CU_ASSERT_EQUAL(best_found_improves_bound(found), rows[i].bound);
        CU_ASSERT_EQUAL(best_found_contradicts(found), rows[i].contradicts);
        if (row.options && strstr(row.options, "inplace"))
            CU_ASSERT_STRING_EQUAL(found->options, "inplace=nnvm");
        end();
        made_up_end();
        made_up_begin();
    }
}

/* The best of several rows each: plan and bound from different planners. */
static void test_several_rows(void)
{
    begin();
    made_up_write(the_store, make_row("a", 120, 85));
    made_up_write(the_store, make_row("b", 95, 70));
    made_up_write(the_store, make_row("c", 95, 85));
    const struct best_found *found = find();
    CU_ASSERT_EQUAL_FATAL(findings.count, 1);
    CU_ASSERT_STRING_EQUAL(found->peak->planner, "b");
    CU_ASSERT_STRING_EQUAL(found->bound->planner, "a");
    end();
}

/* Which log counts: of an optimal plan, or of a capacity that nothing fits. */
static void test_proofs(void)
{
    static const struct {
        const char *planner, *status, *options, *proof;
    } rows[] = {{"none", RESULT_OPTIMAL, "", RESULT_PROOF_NONE},
                {"alone", RESULT_INFEASIBLE, "", RESULT_PROOF_VERIFIED},
                {"low", RESULT_INFEASIBLE, "capacity=98 pin_io=", RESULT_PROOF_VERIFIED},
                {"optimal", RESULT_OPTIMAL, "", RESULT_PROOF_CHECKED},
                {"refused", RESULT_INFEASIBLE, "capacity=99", RESULT_PROOF_VERIFIED}};
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result_row row = make_row(rows[i].planner, 100, 100);
        row.status = rows[i].status;
        row.options = rows[i].options;
        row.proof = rows[i].proof;
        made_up_write(the_store, row);
    }
    const struct best_found *found = find();
    CU_ASSERT_EQUAL_FATAL(findings.count, 2);
    for (uint32_t i = 0; i < findings.count; i++, found++) {
        bool is_plain = !*found->options;
        CU_ASSERT_STRING_EQUAL_FATAL(found->proof->planner, is_plain ? "refused" : "low");
        CU_ASSERT_EQUAL(found->proved_bytes, is_plain ? 100 : 99);
    }
    end();
}

static void expect_description(uint32_t most, uint32_t contradictions, const char *expected)
{
    uint32_t found;
    struct text lines = {0};
    must(best_findings_describe(&findings, most, &found, &lines, &error));
    CU_ASSERT_STRING_EQUAL(lines.bytes, expected);
    CU_ASSERT_EQUAL(found, contradictions);
    text_free(&lines);
}

static void test_description(void)
{
    begin();
    made_up_write(the_store, make_row("a", 120, 85));
    made_up_write(the_store, make_row("b", 95, 70));
    find();
    expect_description(
        20, 0,
        "better than the best known: x, policy flat: peak 95 bytes by b, known was 100 by old\n"
        "better than the best known: x, policy flat: bound 85 bytes by a, known was 80\n");
    expect_description(0, 0,
                       "better than the best known: and 1 more\n"
                       "better than the best known: and 1 more\n");
    end();
}

static void test_description_of_contradictions(void)
{
    begin();
    made_up_write(the_store, make_row("a", 79, 0));
    find();
    expect_description(20, 1,
                       "contradicts the best known: x, policy flat: a valid plan of 79 bytes "
                       "by a, but no plan is below 80 bytes by load, as is known\n");
    end();
}

static const struct test_case cases[] = {
    {"one row", test_one_row},
    {"several rows", test_several_rows},
    {"proofs", test_proofs},
    {"description", test_description},
    {"description of contradictions", test_description_of_contradictions},
};

MADE_UP_MAIN("results/best/findings", cases)
