#include "results/compare/side.h"

#include <string.h>

#include "results/made_up.h"
#include "results/store/runs.h"
#include "support/testing.h"

/* Runs of two commits, one of them twice, and one run with a label like a commit. */
static void fill(void)
{
    static const struct run_row runs[] = {
        {.label = "older", .source_commit = "abcdef0123", .started = "2026-01-01T00:00:00Z"},
        {.label = "newer", .source_commit = "abcdef0123-dirty", .started = "2026-01-02T00:00:00Z"},
        {.label = "abcd", .source_commit = "0123", .started = "2026-01-03T00:00:00Z"},
        {.label = "other", .source_commit = "0123456789", .started = "2026-01-04T00:00:00Z"},
    };
    for (int i = 0; i < 4; i++) {
        struct result_row row = made_up_row(runs[i].label, "flat", "exact", 16);
        row.run = runs[i].label;
        CU_ASSERT_EQUAL_FATAL(runs_write(the_store, &runs[i], &the_error), STATUS_OK);
        made_up_write(the_store, row);
    }
}

/* By run, planner and database; a commit is its newest run. */
static void sides_are_found_by_their_names(void)
{
    const struct {
        const char *name;
        enum side_kind kind;
        const char *instance;
    } sides[] = {
        {"older", SIDE_RUN, "older"},      {"exact", SIDE_PLANNER, "abcd"},
        {the_path, SIDE_DATABASE, "abcd"}, {"abcdef", SIDE_RUN, "newer"},
        {"abcdef0123", SIDE_RUN, "newer"}, {"01234", SIDE_RUN, "other"},
        {"abcd", SIDE_RUN, "abcd"},
    };
    fill();
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct side side;
        CU_ASSERT_EQUAL_FATAL(side_load(the_path, sides[i].name, NULL, &side, &the_error),
                              STATUS_OK);
        CU_ASSERT_EQUAL(side.kind, sides[i].kind);
        CU_ASSERT_FATAL(side.set.count > 0);
        CU_ASSERT_STRING_EQUAL(side.set.row[0].instance, sides[i].instance);
        side_free(&side);
    }
}

static void what_is_no_side_is_refused(void)
{
    static const char *const refused[][2] = {
        {"abc", "no run, planner, commit or database 'abc'"},
        {"abcdef9", "no run"},
        {"0123", "several commits begin with '0123'"},
        {"nothing", "there are the runs: abcd, newer, older, other"},
    };
    fill();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct side side;
        struct error error = ERROR_NONE;
        CU_ASSERT_EQUAL(side_load(the_path, refused[i][0], NULL, &side, &error), STATUS_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i][1]));
        side_free(&side);
    }
}

static const struct test_case cases[] = {
    {"sides are found by their names", sides_are_found_by_their_names},
    {"what is no side is refused", what_is_no_side_is_refused},
};
MADE_UP_MAIN("results/compare/side", cases)
