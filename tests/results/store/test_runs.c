#include "results/store/runs.h"

#include <string.h>

#include "core/memory.h"
#include "made_up.h"
#include "support/must.h"
#include "support/testing.h"

static struct run_row describe(const char *label, const char *started)
{
    return (struct run_row){.label = label,
                            .started = started,
                            .command = "memplan bench --suite zoo",
                            .build = "build 1",
                            .source_commit = "0123abc",
                            .cpu = "a processor",
                            .cores = 8,
                            .memory_bytes = 1 << 30,
                            .load_start_thousandths = 1250};
}

static void write_run(struct store *store, struct run_row run)
{
    must(runs_write(store, &run, &error));
}

static void list(struct store *store, struct run_list *runs, uint32_t count)
{
    must(runs_list(store, runs, &error));
    CU_ASSERT_EQUAL_FATAL(runs->count, count);
}

static void a_run_comes_back_with_its_rows_counted(void)
{
    struct run_list runs = {0};
    write_run(the_store, describe("made-up", "2026-01-02T00:00:00Z"));
    made_up_write(the_store, made_up_row("x", "flat", "a", 10));
    made_up_write(the_store, made_up_row("y", "flat", "a", 10));
    struct result_row wrong = made_up_row("y", "flat", "b", 10);
    wrong.verdict = "overlap";
    made_up_write(the_store, wrong);
    list(the_store, &runs, 1);
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.label, "made-up");
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.command, "memplan bench --suite zoo");
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.source_commit, "0123abc");
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.governor, "");
    CU_ASSERT_EQUAL(runs.run[0].run.cores, 8);
    CU_ASSERT_EQUAL(runs.run[0].run.load_start_thousandths, 1250);
    CU_ASSERT_EQUAL(runs.run[0].rows, 3);
    CU_ASSERT_EQUAL(runs.run[0].instances, 2);
    CU_ASSERT_EQUAL(runs.run[0].planners, 2);
    CU_ASSERT_EQUAL(runs.run[0].failed, 1);
    runs_free(&runs);
}

static void a_row_brings_its_run_along(void)
{
    struct run_list runs = {0};
    made_up_write(the_store, made_up_row("x", "flat", "a", 10));
    list(the_store, &runs, 1);
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.label, "made-up");
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.started, "2026-01-02T03:04:05Z");
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.host, "host");
    runs_free(&runs);
}

static void writing_again_keeps_the_start(void)
{
    struct run_list runs = {0};
    struct run_row run = describe("one", "2026-01-02T00:00:00Z");
    write_run(the_store, run);
    run.started = "2026-01-03T00:00:00Z";
    run.ended = "2026-01-03T00:00:09Z";
    write_run(the_store, run);
    list(the_store, &runs, 1);
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.started, "2026-01-02T00:00:00Z");
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.ended, "2026-01-03T00:00:09Z");
    runs_free(&runs);
}

static void write_new(struct store *store, const char *expected)
{
    struct text label = {0};
    const struct run_row run = describe("2026-01-02T00:00", "2026-01-02T00:00:00Z");
    must(runs_write_new(store, &run, &label, &error));
    CU_ASSERT_STRING_EQUAL(label.bytes, expected);
    text_free(&label);
}

static void new_labels_are_never_taken(void)
{
    struct run_list runs = {0};
    write_new(the_store, "2026-01-02T00:00");
    write_new(the_store, "2026-01-02T00:00-2");
    write_new(the_store, "2026-01-02T00:00-3");
    list(the_store, &runs, 3);
    CU_ASSERT_STRING_EQUAL(runs.run[0].run.label, "2026-01-02T00:00-3");
    CU_ASSERT_STRING_EQUAL(runs.run[2].run.label, "2026-01-02T00:00");
    runs_free(&runs);
}

static void expect_newest(struct store *store, const char *build, const char *command,
                          const char *expected)
{
    struct text label = {0};
    must(runs_find_newest(store, build, command, &label, &error));
    CU_ASSERT_STRING_EQUAL(label.bytes ? label.bytes : "", expected);
    text_free(&label);
}

static void the_newest_of_a_build_and_command_is_found(void)
{
    expect_newest(the_store, "build 1", "memplan bench", "");
    write_run(the_store, describe("second", "2026-01-03T00:00:00Z"));
    write_run(the_store, describe("first", "2026-01-02T00:00:00Z"));
    struct run_row other = describe("other", "2026-01-04T00:00:00Z");
    other.build = "build 2";
    write_run(the_store, other);
    other = describe("reproduced", "2026-01-04T00:00:00Z");
    other.command = "memplan reproduce";
    write_run(the_store, other);
    expect_newest(the_store, "build 1", "memplan bench", "second");
    expect_newest(the_store, "build 2", "memplan bench", "other");
    expect_newest(the_store, "build 2", "memplan plan", "");
}

static void delete_run(struct store *store, const char *label, const char *planner, uint64_t rows,
                       uint64_t runs)
{
    struct runs_deleted deleted;
    must(runs_delete(store, label, planner, &deleted, &error));
    CU_ASSERT_EQUAL(deleted.rows, rows);
    CU_ASSERT_EQUAL(deleted.runs, runs);
}

static void a_run_goes_with_its_rows(void)
{
    struct run_list runs = {0};
    made_up_write(the_store, made_up_row("x", "flat", "a", 10));
    made_up_write(the_store, made_up_row("x", "flat", "b", 10));
    write_run(the_store, describe("empty", "2026-01-03T00:00:00Z"));
    delete_run(the_store, "nothing", NULL, 0, 0);
    delete_run(the_store, "made-up", "a", 1, 0);
    list(the_store, &runs, 2);
    runs_free(&runs);
    delete_run(the_store, "made-up", NULL, 1, 1);
    delete_run(the_store, "empty", NULL, 0, 1);
    list(the_store, &runs, 0);
    runs_free(&runs);
}

/* As an older program has left it: no table of runs, and rows of two of them. */
static void old_files_know_what_their_rows_tell(void)
{
    struct result_row row = made_up_row("x", "flat", "a", 10);
    made_up_write(the_store, row);
    row.run = "later";
    row.started = "2026-01-05T00:00:00Z";
    row.build = "build 2";
    made_up_write(the_store, row);
    made_up_run_sql(the_path, "DROP TABLE run; PRAGMA user_version = 4");
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        struct run_list runs = {0};
        made_up_open_again(mode);
        list(the_store, &runs, 2);
        CU_ASSERT_STRING_EQUAL(runs.run[0].run.label, "later");
        CU_ASSERT_STRING_EQUAL(runs.run[0].run.started, "2026-01-05T00:00:00Z");
        CU_ASSERT_STRING_EQUAL(runs.run[0].run.build, "build 2");
        CU_ASSERT_STRING_EQUAL(runs.run[0].run.ended, "");
        CU_ASSERT_EQUAL(runs.run[0].rows, 1);
        CU_ASSERT_STRING_EQUAL(runs.run[1].run.label, "made-up");
        runs_free(&runs);
    }
}

static void delete_everything_of(struct store *store, const char *label)
{
    struct runs_deleted deleted;
    must(runs_delete(store, label, NULL, &deleted, &error));
}

static void no_memory_leaks_nothing(void)
{
    enum status status = STATUS_INTERNAL;
    made_up_write(the_store, made_up_row("x", "flat", "a", 10));
    uint64_t blocks = memory_live_blocks();
    for (uint64_t allowed = 0; status && allowed < 100; allowed++) {
        struct run_list runs = {0};
        struct text label = {0};
        const struct run_row run = describe("new", "2026-01-02T00:00:00Z");
        memory_fail_after(allowed);
        status = runs_write_new(the_store, &run, &label, &error);
        if (!status)
            status = runs_list(the_store, &runs, &error);
        memory_fail_after(UINT64_MAX);
        runs_free(&runs);
        text_free(&label);
        delete_everything_of(the_store, "new");
        CU_ASSERT_EQUAL(memory_live_blocks(), blocks);
    }
    CU_ASSERT_EQUAL(status, STATUS_OK);
}

static const struct test_case cases[] = {
    {"a run comes back with its rows counted", a_run_comes_back_with_its_rows_counted},
    {"a row brings its run along", a_row_brings_its_run_along},
    {"writing again keeps the start", writing_again_keeps_the_start},
    {"new labels are never taken", new_labels_are_never_taken},
    {"the newest of a build and command is found", the_newest_of_a_build_and_command_is_found},
    {"a run goes with its rows", a_run_goes_with_its_rows},
    {"old files know what their rows tell", old_files_know_what_their_rows_tell},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
MADE_UP_MAIN("results/store/runs", cases)
