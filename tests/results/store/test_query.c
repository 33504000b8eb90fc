#include "results/store/query.h"

#include "made_up.h"
#include "results/views/planners/grid.h"
#include "support/testing.h"

static const struct result_filter any;

/* The rows that count, of which there are as many. */
static struct result_set read_rows(const struct result_filter *filter, uint32_t count)
{
    struct result_set set;
    CU_ASSERT_EQUAL_FATAL(query_newest(the_store, filter, &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(set.count, count);
    return set;
}

static struct result_row make_dated(const char *planner, uint64_t peak_bytes, const char *run,
                                    const char *started)
{
    struct result_row row = made_up_row("x", "flat", planner, peak_bytes);
    row.run = run;
    row.started = started;
    return row;
}

static void the_newest_run_counts(void)
{
    made_up_write(the_store, make_dated("a", 10, "new", "2026-02-01T00:00:00Z"));
    made_up_write(the_store, make_dated("a", 20, "old", "2026-01-01T00:00:00Z"));
    made_up_write(the_store, make_dated("b", 30, "old", "2026-01-01T00:00:00Z"));
    struct result_set set = read_rows(&any, 2);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 10);
    CU_ASSERT_EQUAL(set.row[1].peak_bytes, 30);
    query_free(&set);
    set = read_rows(
        &(struct result_filter){.choice = &(struct result_choice){.run = "old"}, .planner = "a"},
        1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 20);
    query_free(&set);
}

/* A store that keeps its rows reads and sorts them once for all who ask for all of them, and gives
   each of the others what they ask for. */
static void a_store_that_keeps_rows_lends_them(void)
{
    struct result_filter each = {.each = true};
    struct result_set set[4];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct result_row row = made_up_row("x", "flat", "a", 10 * seed);
        row.seed = seed;
        made_up_write(the_store, row);
    }
    made_up_write(the_store, made_up_row("x", "flat", "b", 40));
    CU_ASSERT_EQUAL_FATAL(store_keep_rows(the_store, &the_error), STATUS_OK);
    set[0] = read_rows(&any, 2);
    set[1] = read_rows(&each, 4);
    set[2] = read_rows(&(struct result_filter){.planner = "b"}, 1);
    CU_ASSERT_EQUAL(set[0].row[0].peak_bytes, 20);
    CU_ASSERT_EQUAL(set[1].row[2].peak_bytes, 30);
    CU_ASSERT_EQUAL(set[2].row[0].peak_bytes, 40);
    CU_ASSERT_PTR_EQUAL(set[1].row[0].planner, set[1].row[2].planner);
    query_free(&set[0]);
    set[0] = read_rows(&any, 2);
    set[3] = read_rows(&any, 2);
    CU_ASSERT_PTR_EQUAL(set[0].row, set[3].row);
    CU_ASSERT_EQUAL(set[3].row[0].peak_bytes, 20);
    for (int i = 0; i < 4; i++)
        query_free(&set[i]);
}

static void rows_for_older_content_are_left_out(void)
{
    struct result_row old = make_dated("b", 30, "old", "2026-01-01T00:00:00Z");
    old.digest = "content before";
    made_up_write(the_store, old);
    made_up_write(the_store, make_dated("a", 10, "new", "2026-02-01T00:00:00Z"));
    struct result_set set = read_rows(&any, 1);
    CU_ASSERT_STRING_EQUAL(set.row[0].planner, "a");
    query_free(&set);
}

static void the_best_bound_is_that_of_all_rows(void)
{
    struct result_row row = make_dated("a", 10, "one", "2026-01-01T00:00:00Z");
    row.load_bytes = 7;
    made_up_write(the_store, row);
    row.planner = "b";
    row.lower_bound_bytes = 9;
    made_up_write(the_store, row);
    row.policy = "recursive";
    row.lower_bound_bytes = 3;
    made_up_write(the_store, row);
    struct result_set set = read_rows(&(struct result_filter){.planner = "a"}, 1);
    CU_ASSERT_EQUAL(set.bound_bytes[0], 9);
    query_free(&set);
    CU_ASSERT_EQUAL_FATAL(query_newest(the_store, &any, &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(set.bound_bytes[2], 7);
    query_free(&set);
}

static void find_prefers_rows_without_options(void)
{
    made_up_write(the_store, make_dated("a", 10, "one", "2026-01-01T00:00:00Z"));
    struct result_row row = make_dated("a", 20, "one", "2026-03-01T00:00:00Z");
    row.options = "k=1";
    made_up_write(the_store, row);
    struct result_set set = read_rows(&any, 2);
    CU_ASSERT_EQUAL(set.row[query_find(&set, "x", "flat", "a")].peak_bytes, 10);
    CU_ASSERT_EQUAL(set.row[query_find(&set, "x", NULL, NULL)].peak_bytes, 10);
    CU_ASSERT_EQUAL(query_find(&set, "x", "flat", "b"), UINT32_MAX);
    query_free(&set);
}

static void the_median_of_seeds_stands_for_them(void)
{
    static const uint64_t peaks[] = {50, 10, 40, 20};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct result_row row = make_dated("a", seed < 5 ? peaks[seed - 1] : 1, "one", "2026");
        row.seed = seed;
        row.wall_ns = 100 * seed;
        if (seed == 5)
            row.verdict = "overlap";
        made_up_write(the_store, row);
    }
    struct result_set set = read_rows(&any, 1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 20);
    CU_ASSERT_EQUAL(set.row[0].wall_ns, 300);
    CU_ASSERT_EQUAL(set.spread[0].rows, 5);
    CU_ASSERT_EQUAL(set.spread[0].valid, 4);
    CU_ASSERT_EQUAL(set.spread[0].best_bytes, 10);
    CU_ASSERT_EQUAL(set.spread[0].worst_bytes, 50);
    query_free(&set);
    set = read_rows(&(struct result_filter){.each = true}, 5);
    CU_ASSERT_EQUAL(set.row[3].seed, 4);
    query_free(&set);
}

/* A run with other settings is another run, and the newest counts: its rows are not mixed. */
static void settings_are_part_of_the_key(void)
{
    struct result_row row = make_dated("a", 30, "one", "2026-01");
    int found;
    row.settings = "time_limit_ns=1";
    made_up_write(the_store, row);
    row.settings = "time_limit_ns=5 threads=2";
    CU_ASSERT_EQUAL(store_has(the_store, &row, &found, &the_error), STATUS_OK);
    CU_ASSERT(!found);
    row.started = "2026-02";
    row.peak_bytes = 20;
    made_up_write(the_store, row);
    struct result_set set = read_rows(&any, 1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 20);
    CU_ASSERT_EQUAL(set.spread[0].rows, 1);
    query_free(&set);
}

/* Two files of one name are two instances; a file whose content changed is one. */
static void namesakes_are_told_apart(void)
{
    struct result_row row = make_dated("a", 30, "one", "2026-01");
    row.digest = "1";
    row.path = "/home/left/x.csv";
    made_up_write(the_store, row);
    row.digest = "2";
    row.path = "/home/right/x.csv";
    made_up_write(the_store, row);
    row.digest = "3";
    row.started = "2026-02";
    made_up_write(the_store, row);
    struct result_set set = read_rows(&any, 2);
    CU_ASSERT_STRING_EQUAL(set.row[0].instance, "left/x.csv");
    CU_ASSERT_STRING_EQUAL(set.row[1].instance, "right/x.csv");
    CU_ASSERT_STRING_EQUAL(set.row[1].digest, "3");
    query_free(&set);
}

/* A plug-in says that nothing is below 25: no bound of anyone else's rows. */
static void claims_of_outsiders_stand_apart(void)
{
    struct result_row row = make_dated("a", 20, "one", "2026-01");
    row.load_bytes = 15;
    made_up_write(the_store, row);
    row.planner = "mine";
    row.origin = "plugin";
    row.peak_bytes = 25;
    row.lower_bound_bytes = 25;
    row.status = "optimal";
    made_up_write(the_store, row);
    struct result_set set = read_rows(&any, 2);
    CU_ASSERT_EQUAL(set.bound_bytes[0], 15);
    CU_ASSERT_EQUAL(set.bound_bytes[1], 15);
    CU_ASSERT_EQUAL(set.claims, 1);
    CU_ASSERT_STRING_EQUAL(set.row[1].status, RESULT_FEASIBLE);
    query_free(&set);
}

static void judge(const char *status, const char *verdict, const char *execution,
                  enum result_worth wanted)
{
    struct result_row row = made_up_row("x", "flat", "a", 1);
    row.status = status;
    row.verdict = verdict;
    row.execution = execution;
    CU_ASSERT_EQUAL(query_worth(&row), wanted);
}

static void only_checked_plans_are_numbers(void)
{
    judge("optimal", "valid", "intact", RESULT_NUMBER);
    judge("feasible", "valid", "", RESULT_NUMBER);
    judge("feasible", "valid", "damaged", RESULT_INVALID);
    judge("feasible", "overlap", "intact", RESULT_INVALID);
    judge("feasible", "", "", RESULT_INVALID);
    judge("timeout", "", "", RESULT_NO_PLAN);
    judge("error", "", "", RESULT_NO_PLAN);
}

static void the_grid_has_planners_by_name(void)
{
    struct result_set set = {0};
    struct grid grid = {0};
    uint32_t lines;
    double ratio;
    struct result_row row = made_up_row("y", "flat", "b", 20);
    row.load_bytes = 10;
    made_up_write(the_store, row);
    row = made_up_row("x", "flat", "b", 40);
    row.load_bytes = 5;
    made_up_write(the_store, row);
    row = made_up_row("x", "flat", "a", 5);
    made_up_write(the_store, row);
    CU_ASSERT_EQUAL_FATAL(query_newest(the_store, &any, &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(grid_create(&set, &grid, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(grid.lines, 2);
    CU_ASSERT_EQUAL_FATAL(grid.planners.count, 2);
    CU_ASSERT_STRING_EQUAL(names_get(&grid.planners, 0), "a");
    CU_ASSERT_PTR_NULL(grid_at(&grid, 1, 0));
    CU_ASSERT(grid_ratio(&grid, 0, 0, &ratio) && ratio == 1.0);
    CU_ASSERT(grid_ratio(&grid, 0, 1, &ratio) && ratio == 8.0);
    CU_ASSERT_FALSE(grid_ratio(&grid, 1, 0, &ratio));
    CU_ASSERT_DOUBLE_EQUAL(grid_mean_ratio(&grid, 1, &lines), 4.0, 1e-9);
    CU_ASSERT_EQUAL(lines, 2);
    grid_free(&grid);
    query_free(&set);
}

static const struct test_case cases[] = {
    {"the median of seeds stands for them", the_median_of_seeds_stands_for_them},
    {"settings are part of the key", settings_are_part_of_the_key},
    {"namesakes are told apart", namesakes_are_told_apart},
    {"claims of outsiders stand apart", claims_of_outsiders_stand_apart},
    {"the newest run counts", the_newest_run_counts},
    {"a store that keeps rows lends them", a_store_that_keeps_rows_lends_them},
    {"rows for older content are left out", rows_for_older_content_are_left_out},
    {"the best bound is that of all rows", the_best_bound_is_that_of_all_rows},
    {"find prefers rows without options", find_prefers_rows_without_options},
    {"only checked plans are numbers", only_checked_plans_are_numbers},
    {"the grid has planners by name", the_grid_has_planners_by_name},
};
MADE_UP_MAIN("results/query", cases)
