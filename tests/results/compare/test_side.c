#include "results/compare/side.h"

#include <string.h>

#include "results/made_up.h"
#include "results/store/runs.h"
#include "support/testing.h"

static void write_run(struct store *store, const char *label, const char *commit,
                      const char *started)
{
    struct error error = ERROR_NONE;
    const struct run_row run = {.label = label, .source_commit = commit, .started = started};
    struct result_row row = made_up_row(label, "flat", "exact", 16);
    row.run = label;
    CU_ASSERT_EQUAL_FATAL(runs_write(store, &run, &error), STATUS_OK);
    made_up_write(store, row);
}

static struct store *open_filled(char path[64])
{
    struct store *store = made_up_open(path);
    write_run(store, "older", "abcdef0123", "2026-01-01T00:00:00Z");
    write_run(store, "newer", "abcdef0123-dirty", "2026-01-02T00:00:00Z");
    write_run(store, "abcd", "0123", "2026-01-03T00:00:00Z");
    write_run(store, "other", "0123456789", "2026-01-04T00:00:00Z");
    return store;
}

static void expect(const char *path, const char *name, enum side_kind kind, const char *instance)
{
    struct side side;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(side_load(path, name, NULL, &side, &error), STATUS_OK);
    CU_ASSERT_EQUAL(side.kind, kind);
    CU_ASSERT_FATAL(side.set.count > 0);
    CU_ASSERT_STRING_EQUAL(side.set.row[0].instance, instance);
    side_free(&side);
}

static void refuse(const char *path, const char *name, const char *words)
{
    struct side side;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(side_load(path, name, NULL, &side, &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
    side_free(&side);
}

static void sides_are_found_by_their_names(void)
{
    char path[64];
    struct store *store = open_filled(path);
    expect(path, "older", SIDE_RUN, "older");
    expect(path, "exact", SIDE_PLANNER, "abcd");
    expect(path, path, SIDE_DATABASE, "abcd");
    made_up_remove(store, path);
}

static void a_commit_is_its_newest_run(void)
{
    char path[64];
    struct store *store = open_filled(path);
    expect(path, "abcdef", SIDE_RUN, "newer");
    expect(path, "abcdef0123", SIDE_RUN, "newer");
    expect(path, "01234", SIDE_RUN, "other");
    expect(path, "abcd", SIDE_RUN, "abcd");
    made_up_remove(store, path);
}

static void what_is_no_side_is_refused(void)
{
    char path[64];
    struct store *store = open_filled(path);
    refuse(path, "abc", "no run, planner, commit or database 'abc'");
    refuse(path, "abcdef9", "no run");
    refuse(path, "0123", "several commits begin with '0123'");
    refuse(path, "nothing", "there are the runs: abcd, newer, older, other");
    made_up_remove(store, path);
}

static const struct test_case cases[] = {
    {"sides are found by their names", sides_are_found_by_their_names},
    {"a commit is its newest run", a_commit_is_its_newest_run},
    {"what is no side is refused", what_is_no_side_is_refused},
};
TESTING_MAIN("results/compare/side", cases)
