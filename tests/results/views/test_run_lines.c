#include "results/views/run_lines.h"

#include "made_up.h"
#include "support/must.h"
#include "support/testing.h"

/* Rows of runs that begin one day after the other. */
static struct result_row make_row(const char *run, const char *planner, const char *instance,
                                  uint64_t peak_bytes)
{
    static const char *const days[] = {"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z",
                                       "2026-01-03T00:00:00Z"};
    struct result_row row = made_up_row(instance, "flat", planner, peak_bytes);
    row.run = run;
    row.started = days[run[0] - 'a'];
    row.load_bytes = 100;
    row.lower_bound_bytes = 0;
    return row;
}

struct view {
    struct result_set set;
    struct run_list runs;
    struct run_lines lines;
};

static void look(struct store *store, enum run_figure figure, struct view *view)
{
    const struct result_filter filter = {.stored = true};
    *view = (struct view){.set = {0}};
    must(query_newest(store, &filter, &view->set, &error));
    must(runs_list(store, &view->runs, &error));
    must(run_lines_create(&view->set, &view->runs, figure, &view->lines, &error));
}

static void forget(struct view *view)
{
    run_lines_free(&view->lines);
    runs_free(&view->runs);
    query_free(&view->set);
}

static void means_are_over_common_jobs(void)
{
    struct view view;
    made_up_write(the_store, make_row("b", "p", "x", 200));
    made_up_write(the_store, make_row("b", "p", "y", 800));
    made_up_write(the_store, make_row("a", "p", "y", 200));
    made_up_write(the_store, make_row("a", "p", "x", 200));
    made_up_write(the_store, make_row("b", "p", "only", 900));
    look(the_store, RUN_BYTES, &view);
    CU_ASSERT_EQUAL_FATAL(view.lines.runs, 2);
    CU_ASSERT_STRING_EQUAL(view.lines.run[0], "a");
    CU_ASSERT_EQUAL_FATAL(view.lines.planners.count, 1);
    CU_ASSERT_EQUAL(view.lines.jobs[0], 2);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[0], 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[1], 4, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(run_lines_range(&view.lines, 0), 2, 1e-9);
    forget(&view);
}

/* Runs of unlike repetitions are compared: each job counts once, by its geometric mean. */
static void repetitions_are_one_job(void)
{
    struct view view;
    made_up_write(the_store, make_row("a", "p", "x", 200));
    for (uint64_t i = 0; i < 2; i++) {
        struct result_row row = make_row("b", "p", "x", i ? 800 : 200);
        row.repetition = i;
        made_up_write(the_store, row);
    }
    look(the_store, RUN_BYTES, &view);
    CU_ASSERT_EQUAL_FATAL(view.lines.planners.count, 1);
    CU_ASSERT_EQUAL(view.lines.jobs[0], 1);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[0], 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[1], 4, 1e-9);
    forget(&view);
}

/* A try on one instance must not leave a line with that alone. */
static void small_runs_are_left_out(void)
{
    static const char *const instances[] = {"u", "v", "w", "x", "y"};
    struct view view;
    for (int i = 0; i < 5; i++) {
        made_up_write(the_store, make_row("a", "p", instances[i], 200));
        made_up_write(the_store, make_row("c", "p", instances[i], 300));
    }
    made_up_write(the_store, make_row("b", "p", "u", 900));
    look(the_store, RUN_BYTES, &view);
    CU_ASSERT_EQUAL_FATAL(view.lines.runs, 3);
    CU_ASSERT_EQUAL_FATAL(view.lines.planners.count, 1);
    CU_ASSERT_EQUAL(view.lines.jobs[0], 5);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[0], 2, 1e-9);
    CU_ASSERT_EQUAL(view.lines.mean[1], 0);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[2], 3, 1e-9);
    forget(&view);
}

static void what_does_not_count_is_left_out(void)
{
    struct view view;
    struct result_row row = make_row("a", "p", "x", 200);
    row.nodes = 10;
    made_up_write(the_store, row);
    row = make_row("b", "p", "x", 200);
    row.nodes = 20;
    row.stop_reason = "time limit";
    made_up_write(the_store, row);
    row = make_row("b", "q", "x", 200);
    made_up_write(the_store, row);
    look(the_store, RUN_NODES, &view);
    CU_ASSERT_EQUAL(view.lines.planners.count, 0);
    forget(&view);
    look(the_store, RUN_TIME, &view);
    CU_ASSERT_EQUAL_FATAL(view.lines.planners.count, 1);
    CU_ASSERT_DOUBLE_EQUAL(view.lines.mean[0], 0.012345, 1e-9);
    forget(&view);
}

static void nothing_has_no_lines(void)
{
    struct view view;
    look(the_store, RUN_BYTES, &view);
    CU_ASSERT_EQUAL(view.lines.runs, 0);
    CU_ASSERT_EQUAL(view.lines.planners.count, 0);
    forget(&view);
}

static const struct test_case cases[] = {
    {"means are over common jobs", means_are_over_common_jobs},
    {"repetitions are one job", repetitions_are_one_job},
    {"small runs are left out", small_runs_are_left_out},
    {"what does not count is left out", what_does_not_count_is_left_out},
    {"nothing has no lines", nothing_has_no_lines},
};
MADE_UP_MAIN("results/views/run_lines", cases)
