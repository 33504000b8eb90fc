#include <math.h>
#include <string.h>

#include "core/text.h"
#include "results/compare/comparison.h"
#include "results/compare/comparison_json.h"
#include "results/compare/comparison_tables.h"
#include "results/compare/two_sides.h"
#include "results/store/failure.h"
#include "support/must.h"
#include "support/testing.h"

static void expect_verdicts(const struct two_sides *two, enum comparison_figure figure,
                            uint32_t wins, uint32_t ties, uint32_t losses)
{
    const uint32_t *verdicts = two->comparison.verdicts[figure];
    CU_ASSERT_EQUAL(verdicts[COMPARISON_WIN], wins);
    CU_ASSERT_EQUAL(verdicts[COMPARISON_TIE], ties);
    CU_ASSERT_EQUAL(verdicts[COMPARISON_LOSS], losses);
}

static void test_better_equal_worse(void)
{
    struct two_sides two = {.sides.time_threshold = 0.05};
    add(&two, 0, make_row("a", "p", 100, "10 10 10 10 10 10"));
    add(&two, 0, make_row("b", "p", 100, "10 10 10 10 10 10"));
    add(&two, 0, make_row("c", "p", 100, "10 10 10 10 10 11"));
    add(&two, 0, make_row("gone", "p", 100, ""));
    add(&two, 1, make_row("a", "p", 50, "30 31 32 33 34 35"));
    add(&two, 1, make_row("b", "p", 100, "5 5 5 5 5 5"));
    add(&two, 1, make_row("c", "p", 101, "11 11 11 11 11 12"));
    compare(&two);
    CU_ASSERT_EQUAL(two.comparison.pairs, 3);
    CU_ASSERT_EQUAL(two.comparison.unmatched[0], 1);
    CU_ASSERT_EQUAL(two.comparison.unmatched[1], 0);
    expect_verdicts(&two, COMPARISON_BYTES, 1, 1, 1);
    expect_verdicts(&two, COMPARISON_TIME, 1, 1, 1); /* the intervals of c overlap */
    CU_ASSERT_DOUBLE_EQUAL(two.comparison.ratio[COMPARISON_BYTES].value, cbrt(0.5 * 1.01), 1e-9);
    CU_ASSERT_EQUAL(two.comparison.better, 1);
    CU_ASSERT_EQUAL(two.comparison.worse, 1);
    CU_ASSERT(comparison_is_worse(&two.comparison));
    comparison_free(&two.comparison);
    two.sides.tolerance = 0.02;
    compare(&two);
    CU_ASSERT(!comparison_is_worse(&two.comparison));
    comparison_free(&two.comparison);
}

/* A plan that only one side has, or that the checks refused on the other. */
static void test_plans_come_and_go(void)
{
    struct two_sides two = {0};
    struct result_row lost = make_row("lost", "p", 0, ""), wrong = make_row("wrong", "p", 5, "");
    lost.status = "timeout";
    lost.verdict = "";
    wrong.verdict = "overlap";
    add(&two, 0, make_row("lost", "p", 100, ""));
    add(&two, 0, wrong);
    add(&two, 1, lost);
    add(&two, 1, make_row("wrong", "p", 100, ""));
    compare(&two);
    expect_verdicts(&two, COMPARISON_BYTES, 1, 0, 1);
    CU_ASSERT_EQUAL(two.comparison.found[0], 1);
    CU_ASSERT_EQUAL(two.comparison.found[1], 1);
    CU_ASSERT_EQUAL(two.comparison.instances, 0);
    CU_ASSERT_EQUAL(two.comparison.verdicts[COMPARISON_TIME][COMPARISON_NONE], 2);
    comparison_free(&two.comparison);
}

/* Each instance counts once, however many rows it has. */
static void test_instances_are_clusters(void)
{
    struct two_sides two = {.sides.across_planners = true};
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int side = 0; side < 2; side++) {
            struct result_row row = make_row("many", side ? "mine" : "theirs", side ? 50 : 100, "");
            row.seed = seed;
            add(&two, side, row);
        }
    add(&two, 0, make_row("one", "theirs", 50, ""));
    add(&two, 1, make_row("one", "mine", 100, ""));
    compare(&two);
    CU_ASSERT_EQUAL(two.comparison.pairs, 4);
    CU_ASSERT_EQUAL(two.comparison.instances, 2);
    CU_ASSERT_DOUBLE_EQUAL(two.comparison.ratio[COMPARISON_BYTES].value, 1, 1e-9);
    CU_ASSERT(!comparison_is_worse(&two.comparison));
    comparison_free(&two.comparison);
}

/* An instance whose content changed is not compared, and that is said. */
static void test_other_content(void)
{
    struct two_sides two = {0};
    struct result_row changed = make_row("a", "p", 10, "");
    changed.digest = "other";
    add(&two, 0, make_row("a", "p", 20, ""));
    add(&two, 1, changed);
    compare(&two);
    CU_ASSERT_EQUAL(two.comparison.pairs, 0);
    CU_ASSERT_EQUAL(two.comparison.changed, 1);
    comparison_free(&two.comparison);
}

static uint32_t build_table(const struct two_sides *two, const char *name, struct table *table)
{
    unsigned i = 0;
    while (strcmp(comparison_tables_at(i)->name, name) != 0)
        i++;
    must(comparison_tables_build(comparison_tables_at(i), &two->comparison, table, &error));
    return table_rows(table);
}

static void test_tables(void)
{
    static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct two_sides two = {0};
    for (uint64_t i = 0; i < MOST; i++)
        add_both(&two, names[i], 100, 100 + i, 1);
    compare(&two);
    for (unsigned i = 0; i < comparison_tables_count(); i++) {
        const struct comparison_table *recipe = comparison_tables_at(i);
        struct table table = {0};
        uint32_t rows = build_table(&two, recipe->name, &table);
        if (strcmp(recipe->name, "losses") == 0) {
            CU_ASSERT_EQUAL(rows, MOST - 1);
            CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 0), "h"); /* the worst first */
        }
        CU_ASSERT(!recipe->is_list || rows == MOST);
        table_free(&table);
    }
    comparison_free(&two.comparison);
}

static struct result_row make_search(const char *instance, const char *status, uint64_t nodes)
{
    struct result_row row = make_row(instance, "exact", 100, "");
    row.status = status;
    row.nodes = nodes;
    return row;
}

/* How the second of two searches stands by nodes, where 10 % more are none. A search that was cut
   short says something once it is longer than the finished one. */
static void test_nodes(void)
{
    static const struct {
        const char *first;
        uint64_t first_nodes;
        const char *second;
        uint64_t second_nodes;
        enum comparison_verdict expected;
    } pairs[] = {
        {"optimal", 100, "optimal", 110, COMPARISON_TIE},
        {"optimal", 100, "optimal", 111, COMPARISON_LOSS},
        {"optimal", 100, "optimal", 90, COMPARISON_WIN},
        {"optimal", 100, "feasible", 90, COMPARISON_NONE},
        {"optimal", 100, "feasible", 200, COMPARISON_LOSS},
        {"feasible", 200, "optimal", 100, COMPARISON_WIN},
        {"feasible", 90, "optimal", 100, COMPARISON_NONE},
        {"feasible", 10, "feasible", 90, COMPARISON_NONE},
        {"optimal", 0, "optimal", 0, COMPARISON_NONE},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct two_sides two = {.sides = {.judges_nodes = true, .node_tolerance = 0.1}};
        add(&two, 0, make_search("a", pairs[i].first, pairs[i].first_nodes));
        add(&two, 1, make_search("a", pairs[i].second, pairs[i].second_nodes));
        compare(&two);
        CU_ASSERT_EQUAL_FATAL(two.comparison.pairs, 1);
        CU_ASSERT_EQUAL(two.comparison.pair[0].verdict[COMPARISON_NODES], pairs[i].expected);
        CU_ASSERT_EQUAL(comparison_is_worse(&two.comparison), pairs[i].expected == COMPARISON_LOSS);
        two.comparison.sides = &(struct comparison_sides){.judges_nodes = false};
        CU_ASSERT(!comparison_is_worse(&two.comparison));
        comparison_free(&two.comparison);
    }
}

/* The peak of a search that was cut short depends on the time it had. */
static void expect_bytes(const char *status, uint64_t nodes, enum comparison_verdict expected)
{
    struct two_sides two = {.sides.search_tolerance = 0.05};
    struct result_row worse = make_search("a", status, nodes);
    worse.peak_bytes = 104;
    add(&two, 0, make_search("a", "optimal", 100));
    add(&two, 1, worse);
    compare(&two);
    CU_ASSERT_EQUAL(two.comparison.pair[0].verdict[COMPARISON_BYTES], expected);
    comparison_free(&two.comparison);
}

static void test_tolerance_of_searches(void)
{
    expect_bytes("optimal", 100, COMPARISON_LOSS);
    expect_bytes("feasible", 0, COMPARISON_LOSS);
    expect_bytes("feasible", 50, COMPARISON_TIE);
}

/* Over their jobs: what one seed loses another may win. */
static void test_instances(void)
{
    static const struct {
        const char *name;
        uint64_t first, second;
    } peaks[] = {{"even", 200, 50}, {"bad", 100, 400}, {"good", 50, 100}};
    struct two_sides two = {0};
    struct table worst = {0}, best = {0}, none = {0};
    for (uint64_t seed = 0; seed < 2; seed++)
        for (int i = 0; i < 3; i++)
            add_both(&two, peaks[i].name, 100, seed ? peaks[i].second : peaks[i].first, seed);
    compare(&two);
    CU_ASSERT_EQUAL_FATAL(build_table(&two, "worst_instances", &worst), 1);
    CU_ASSERT_STRING_EQUAL(table_raw(&worst, 0, 0), "bad");
    CU_ASSERT_STRING_EQUAL(table_raw(&worst, 0, 1), "2");
    CU_ASSERT_STRING_EQUAL(table_raw(&worst, 0, 2), "2.0000");
    CU_ASSERT_EQUAL_FATAL(build_table(&two, "best_instances", &best), 1);
    CU_ASSERT_STRING_EQUAL(table_raw(&best, 0, 0), "good");
    comparison_free(&two.comparison);
    two.set[0].count = two.set[1].count = 2;
    compare(&two);
    CU_ASSERT_EQUAL(build_table(&two, "worst_instances", &none), 0);
    comparison_free(&two.comparison);
    table_free(&worst);
    table_free(&best);
    table_free(&none);
}

static void add_repetition(struct two_sides *two, int side, uint64_t repetition,
                           uint64_t peak_bytes, const char *samples)
{
    struct result_row row = make_row("a", "p", peak_bytes, samples);
    row.repetition = repetition;
    row.status = peak_bytes ? "feasible" : "crash";
    row.verdict = peak_bytes ? "valid" : "";
    add(two, side, row);
}

/* Repetitions are one job, however many each side has: the median of the peaks counts, and the
   times of all. One that failed stands for all. */
static void test_repetitions_are_one_job(void)
{
    static const uint64_t peaks[] = {150, 180, 160};
    struct two_sides two = {.sides.time_threshold = 0.05};
    struct table losses = {0};
    add_repetition(&two, 0, 0, 100, "10 10 10 10 10 10");
    for (uint64_t i = 0; i < 3; i++)
        add_repetition(&two, 1, i, peaks[i], "30 30");
    add_both(&two, "b", 100, 170, 1);
    compare(&two);
    CU_ASSERT_EQUAL(two.comparison.pairs, 2);
    CU_ASSERT_EQUAL(two.comparison.unmatched[1], 0);
    expect_verdicts(&two, COMPARISON_TIME, 0, 0, 1);
    CU_ASSERT_EQUAL_FATAL(build_table(&two, "losses", &losses), 2);
    CU_ASSERT_STRING_EQUAL(table_raw(&losses, 0, 0), "b");
    CU_ASSERT_STRING_EQUAL(table_raw(&losses, 1, 4), "160");
    comparison_free(&two.comparison);
    table_free(&losses);

    add_repetition(&two, 1, 3, 0, "");
    compare(&two);
    CU_ASSERT_EQUAL(two.comparison.pairs, 2);
    CU_ASSERT_EQUAL(two.comparison.pair[0].failure, FAILURE_FIRST_STATUS);
    comparison_free(&two.comparison);
}

static void test_reconstructions_are_labelled(void)
{
    struct two_sides two = {0};
    struct table losses = {0}, instances = {0};
    for (uint64_t seed = 0; seed < 2; seed++)
        add_both(&two, "a", 100, 150, seed);
    for (int i = 0; i < 2; i++)
        two.row[0][i].reconstruction = two.row[1][i].reconstruction = 1;
    compare(&two);
    CU_ASSERT_EQUAL_FATAL(build_table(&two, "losses", &losses), 2);
    CU_ASSERT_STRING_EQUAL(table_raw(&losses, 0, 0), "a (a reconstruction)");
    CU_ASSERT_EQUAL_FATAL(build_table(&two, "worst_instances", &instances), 1);
    CU_ASSERT_STRING_EQUAL(table_raw(&instances, 0, 0), "a (a reconstruction)");
    comparison_free(&two.comparison);
    table_free(&losses);
    table_free(&instances);
}

static void test_json(void)
{
    struct two_sides two = {0};
    struct text text = {0};
    add(&two, 0, make_row("a \"quoted\"", "p", 100, "10 10 10 10 10 10"));
    add(&two, 1, make_row("a \"quoted\"", "p", 150, ""));
    compare(&two);
    must(comparison_json_write(&two.comparison, &text, &error));
    static const char *const wanted[] = {
        "{\n  \"format\": \"memplan-compare/1\",\n  \"first\": \"old\",\n",
        "\n  \"is_worse\": true,\n",
        "\n  \"peak\": {\"better\": 0, \"equal\": 0, \"worse\": 1, \"ratio\": 1.5, "
        "\"ratio_lower\": null, "
        "\"ratio_upper\": null},\n",
        "\n  \"nodes\": {\"better\": 0, \"equal\": 0, \"worse\": 0, \"ratio\": null, ",
        "\n  \"losses\": [\n    {\"instance\": \"a \\\"quoted\\\"\", ",
        "\n  \"wins\": [\n  ],\n",
        "\n  \"pairs\": [\n    {\"instance\": \"a \\\"quoted\\\"\", "};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, wanted[i]));
    text_free(&text);
    comparison_free(&two.comparison);
}

static const struct test_case cases[] = {
    {"better, equal, worse", test_better_equal_worse},
    {"plans come and go", test_plans_come_and_go},
    {"instances are clusters", test_instances_are_clusters},
    {"other content", test_other_content},
    {"tables", test_tables},
    {"nodes", test_nodes},
    {"tolerance of searches", test_tolerance_of_searches},
    {"instances", test_instances},
    {"repetitions are one job", test_repetitions_are_one_job},
    {"reconstructions are labelled", test_reconstructions_are_labelled},
    {"JSON", test_json},
};
TESTING_MAIN("comparison", cases)
