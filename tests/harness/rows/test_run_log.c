#include "harness/rows/run_log.h"

#include <string.h>

#include "results/store/runs.h"
#include "support/must.h"

static const char bench[] = "memplan bench --suite 'a b'";

static struct store *open_empty(void)
{
    struct store *store;

    must(store_open(":memory:", STORE_WRITE, &store, &error));
    return store;
}

/* Begins and ends a run, and copies the label that it had. */
static void log_run(struct store *store, struct run_request request, char label[64])
{
    SCOPED(run_log_free) struct run_log log = {0};

    must(run_log_begin(store, &request, &log, &error));
    CU_ASSERT_FATAL(strlen(log.record.run) < 64);
    strcpy(label, log.record.run);
    must(run_log_end(store, &log, &error));
}

static void facts_are_stored(void)
{
    SCOPED(store_release) struct store *store = open_empty();

    SCOPED(runs_free) struct run_list runs = {0};
    char label[64];
    log_run(store, (struct run_request){.label = "mine", .command = bench}, label);
    CU_ASSERT_STRING_EQUAL(label, "mine");
    must(runs_list(store, &runs, &error));
    CU_ASSERT_EQUAL_FATAL(runs.count, 1);
    const struct run_row *run = &runs.run[0].run;
    CU_ASSERT_STRING_EQUAL(run->command, bench);
    CU_ASSERT_EQUAL(strlen(run->started), strlen("2026-01-02T03:04:05Z"));
    CU_ASSERT_TRUE(strcmp(run->started, run->ended) <= 0);
    CU_ASSERT_EQUAL(strncmp(run->build, "memplan ", 8), 0);
    CU_ASSERT_NOT_EQUAL(run->cores, 0);
    CU_ASSERT_NOT_EQUAL(run->memory_bytes, 0);
}

static void new_runs_are_told_apart(void)
{
    SCOPED(store_release) struct store *store = open_empty();
    char first[64], second[64];
    log_run(store, (struct run_request){.command = bench}, first);
    log_run(store, (struct run_request){.command = bench}, second);
    CU_ASSERT_STRING_NOT_EQUAL(first, second);
    CU_ASSERT_EQUAL(first[4], '-');
    CU_ASSERT_EQUAL(first[10], 'T');
}

static void the_newest_run_is_resumed(void)
{
    SCOPED(store_release) struct store *store = open_empty();
    char first[64], other[64], resumed[64];
    log_run(store, (struct run_request){.command = bench, .resume = true}, first);
    log_run(store, (struct run_request){.label = "other", .command = "memplan reproduce"}, other);
    log_run(store, (struct run_request){.command = "memplan bench x.csv --resume", .resume = true},
            resumed);
    CU_ASSERT_STRING_EQUAL(resumed, first);
    log_run(store,
            (struct run_request){.label = "other", .command = "memplan bench", .resume = true},
            resumed);
    CU_ASSERT_STRING_EQUAL(resumed, "other");
}

static const struct test_case cases[] = {
    {"facts are stored", facts_are_stored},
    {"new runs are told apart", new_runs_are_told_apart},
    {"the newest run is resumed", the_newest_run_is_resumed},
};
TESTING_MAIN("harness/rows/run_log", cases)
