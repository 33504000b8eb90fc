#include "results/store/merge.h"

#include <string.h>

#include "made_up.h"
#include "results/store/query.h"
#include "results/store/rectangles.h"
#include "results/store/runs.h"
#include "results/store/timelines.h"
#include "support/must.h"
#include "support/testing.h"

static void write_placed(struct store *store, const char *run, const char *instance)
{
    const struct result_rectangle rectangles[] = {{"a", 0, 1, 0, 8, 0, 0}, {"b", 0, 1, 8, 8, 0, 1}};
    struct result_row row = made_up_row(instance, "flat", "exact", 16);
    row.run = run;
    row.fault = "a \"b\", 'c'\n\xe4\xb8\xad";
    row.nodes = INT64_MAX;
    must(store_write(store, &row, rectangles, 2, &error));
}

static void write_timeline(struct store *store, const char *run)
{
    struct timelines_event event[] = {{"processor", "x", "compute", 0, 7}};
    const struct timelines_chart chart = {
        run, "x", "x", "luna sync", "host", "build", "2026-01-02T03:04:05Z", event, 1};
    must(timelines_write(store, &chart, &error));
}

/* Two runs of two rows each, and one that is known more of. */
static void fill(struct store *store)
{
    const struct run_row run = {.label = "first", .command = "memplan bench", .cores = 3};
    must(runs_write(store, &run, &error));
    write_placed(store, "first", "x");
    write_placed(store, "second", "x");
    write_placed(store, "first", "y");
    write_placed(store, "second", "y");
    made_up_measure(store, (struct measure){.run = "first", .value = -5});
    made_up_measure(store, (struct measure){.run = "second", .value = -5});
    write_timeline(store, "first");
    write_timeline(store, "second");
}

static struct store *open_filled(char path[64])
{
    struct store *store = made_up_open(path);
    fill(store);
    return store;
}

static enum status copy(const char *source, const char *label, struct merge_transferred *done,
                        struct error *reported)
{
    const struct merge_transfer transfer = {
        .source = source, .label = &label, .labels = label ? 1 : 0};
    return merge_transfer_runs(the_store, &transfer, done, reported);
}

static void a_run_is_the_same_there(void)
{
    char path[64];
    struct store *source = open_filled(path);
    struct merge_transferred done;
    struct result_set set = {0};
    struct rectangle_set places = {0};
    made_up_write(the_store, made_up_row("x", "flat", "exact", 16));
    must(copy(path, "second", &done, &error));
    CU_ASSERT_EQUAL(done.runs, 1);
    CU_ASSERT_EQUAL(done.rows, 2);
    const struct result_filter filter = {.choice = &(struct result_choice){.run = "second"},
                                         .stored = true};
    must(query_newest(the_store, &filter, &set, &error));
    CU_ASSERT_EQUAL_FATAL(set.count, 2);
    CU_ASSERT_STRING_EQUAL(set.row[0].instance, "x");
    CU_ASSERT_STRING_EQUAL(set.row[1].fault, "a \"b\", 'c'\n\xe4\xb8\xad");
    CU_ASSERT_EQUAL(set.row[1].nodes, INT64_MAX);
    must(rectangles_read(the_store, set.id[1], &places, &error));
    CU_ASSERT_EQUAL_FATAL(places.count, 2);
    CU_ASSERT_STRING_EQUAL(places.rectangle[1].label, "b");
    rectangles_free(&places);
    query_free(&set);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM measure WHERE value = -5"), 1);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM timeline WHERE end_ns = 7"), 1);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM rectangle"), 4);
    made_up_remove(source, path);
}

static void all_runs_bring_what_is_known(void)
{
    char path[64];
    struct store *source = open_filled(path);
    struct merge_transferred done;
    must(copy(path, NULL, &done, &error));
    CU_ASSERT_EQUAL(done.runs, 2);
    CU_ASSERT_EQUAL(done.rows, 4);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT cores FROM run WHERE label = 'first'"), 3);
    CU_ASSERT_EQUAL(
        made_up_ask(the_path, "SELECT count(*) FROM result, rectangle WHERE result = id"), 8);
    made_up_remove(source, path);
}

static void conflicts_change_nothing(void)
{
    char path[64];
    struct store *source = open_filled(path);
    struct merge_transferred done;
    write_placed(the_store, "second", "z");
    CU_ASSERT_EQUAL(copy(path, NULL, &done, &error), STATUS_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "has a run 'second' already"));
    CU_ASSERT_EQUAL(copy(path, "third", &done, &error), STATUS_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no run 'third'"));
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM result"), 1);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM run"), 1);
    must(copy(path, "first", &done, &error));
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM result"), 3);
    made_up_remove(source, path);
}

/* Without the tables "run" and "measure", and without the columns of version 4. */
static void old_files_are_taken_in(void)
{
    char path[64];
    struct store *source = open_filled(path);
    struct merge_transferred done;
    store_close(source);
    made_up_run_sql(path, "CREATE TABLE older AS SELECT * FROM result; DROP TABLE result;"
                          "ALTER TABLE older RENAME TO result;"
                          "ALTER TABLE result DROP COLUMN settings;"
                          "ALTER TABLE result DROP COLUMN path;"
                          "ALTER TABLE result DROP COLUMN origin; DROP TABLE run;"
                          "DROP TABLE measure; DROP TABLE timeline; PRAGMA user_version = 3");
    must(copy(path, NULL, &done, &error));
    CU_ASSERT_EQUAL(done.rows, 4);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM run WHERE host = 'host'"), 2);
    CU_ASSERT_EQUAL(
        made_up_ask(the_path, "SELECT count(*) FROM result, rectangle WHERE result = id"), 8);
    made_up_remove(NULL, path);
}

static void bad_files_are_refused(void)
{
    struct merge_transferred done;
    fill(the_store);
    CU_ASSERT_EQUAL(copy("/nowhere/x.db", NULL, &done, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(copy("/dev/null", NULL, &done, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(copy(the_path, NULL, &done, &error), STATUS_NO);
    CU_ASSERT_EQUAL(made_up_ask(the_path, "SELECT count(*) FROM result"), 4);
}

static const struct test_case cases[] = {
    {"a run is the same there", a_run_is_the_same_there},
    {"all runs bring what is known", all_runs_bring_what_is_known},
    {"conflicts change nothing", conflicts_change_nothing},
    {"old files are taken in", old_files_are_taken_in},
    {"bad files are refused", bad_files_are_refused},
};
MADE_UP_MAIN("results/store/transfer", cases)
