#include "harness/rows/run_log.h"

#include <string.h>

#include "results/store/runs.h"
#include "support/must.h"

static const char bench[] = "memplan bench --suite 'a b'";

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
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(runs_free) struct run_list runs = {0};
    char label[64];
    must(store_open(":memory:", STORE_WRITE, &store, &error));
    log_run(store, (struct run_request){.label = "mine", .command = bench}, label);
    CU_ASSERT_STRING_EQUAL(label, "mine");
    must(runs_list(store, &runs, &error));
    CU_ASSERT_EQUAL_FATAL(runs.count, 1);
    const struct run_row *run = &runs.run[0].run;
    CU_ASSERT_STRING_EQUAL(run->command, bench);
    CU_ASSERT_EQUAL(strlen(run->started), strlen("2026-01-02T03:04:05Z"));
    CU_ASSERT_TRUE(strcmp(run->started, run->ended) <= 0);
    CU_ASSERT_EQUAL(strncmp(run->build, "memplan ", 8), 0);
    CU_ASSERT(run->cores && run->memory_bytes);
}

/* New runs are told apart, and the newest one is resumed where no label is given. */
static void runs_are_named(void)
{
    SCOPED(store_release) struct store *store = NULL;
    char first[64], second[64], other[64], resumed[64];
    must(store_open(":memory:", STORE_WRITE, &store, &error));
    log_run(store, (struct run_request){.command = bench}, first);
    log_run(store, (struct run_request){.command = bench, .resume = false}, second);
    CU_ASSERT_STRING_NOT_EQUAL(first, second);
    CU_ASSERT(first[4] == '-' && first[10] == 'T');
    log_run(store, (struct run_request){.label = "other", .command = "memplan reproduce"}, other);
    log_run(store, (struct run_request){.command = "memplan bench x.csv --resume", .resume = true},
            resumed);
    CU_ASSERT_STRING_EQUAL(resumed, second);
    log_run(store,
            (struct run_request){.label = "other", .command = "memplan bench", .resume = true},
            resumed);
    CU_ASSERT_STRING_EQUAL(resumed, "other");
}

static const struct test_case cases[] = {
    {"facts are stored", facts_are_stored},
    {"runs are named", runs_are_named},
};
TESTING_MAIN("harness/rows/run_log", cases)
