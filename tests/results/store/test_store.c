#include "results/store/facts.h"
#include "results/store/rectangles.h"
#include "results/store/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"
#include "made_up.h"
#include "results/store/contradictions.h"
#include "results/store/query.h"
#include "support/testing.h"

static const struct result_filter any;

static void a_row_comes_back(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_set set = {0};
    struct rectangle_set places = {0};
    const struct result_rectangle rectangles[] = {
        {"a \"b\", 'c'\n\xe4\xb8\xad", 1, 5, 64, 4096, 0, 0}, {"block", 2, 3, 0, INT64_MAX, 7, 1}};
    struct result_row row = made_up_row("zoo/'x'", "flat", "exact", 123);
    row.seed = INT64_MAX;
    row.nodes = 42;
    row.split_buffers = 7;
    row.pool_bytes = 456;
    row.pools = 3;
    row.stop_reason = "wall; DROP TABLE result";
    CU_ASSERT_EQUAL(store_write(store, &row, rectangles, 2, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(query_newest(store, &any, &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    CU_ASSERT_STRING_EQUAL(set.row[0].instance, "zoo/'x'");
    CU_ASSERT_STRING_EQUAL(set.row[0].stop_reason, row.stop_reason);
    CU_ASSERT_STRING_EQUAL(set.row[0].wall_samples, "12000 12345 13000");
    CU_ASSERT_EQUAL(set.row[0].seed, INT64_MAX);
    CU_ASSERT_EQUAL(set.row[0].nodes, 42);
    CU_ASSERT_EQUAL(set.row[0].split_buffers, 7);
    CU_ASSERT_EQUAL(set.row[0].pool_bytes, 456);
    CU_ASSERT_EQUAL(set.row[0].pools, 3);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 123);
    CU_ASSERT_EQUAL_FATAL(rectangles_read(store, set.id[0], &places, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(places.count, 2);
    CU_ASSERT_STRING_EQUAL(places.rectangle[0].label, rectangles[0].label);
    CU_ASSERT_EQUAL(places.rectangle[0].offset, 64);
    CU_ASSERT_EQUAL(places.rectangle[1].size, INT64_MAX);
    CU_ASSERT_EQUAL(places.rectangle[1].group, 7);
    CU_ASSERT_EQUAL(places.rectangle[1].block, 1);
    rectangles_free(&places);
    query_free(&set);
    made_up_remove(store, path);
}

static void the_same_key_replaces(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_set set = {0};
    struct rectangle_set places = {0};
    const struct result_rectangle rectangles[] = {{"a", 0, 1, 0, 8, 0, 0}, {"b", 0, 1, 8, 8, 0, 0}};
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    CU_ASSERT_EQUAL(store_write(store, &row, rectangles, 2, &error), STATUS_OK);
    row.peak_bytes = 8;
    row.host = "other";
    CU_ASSERT_EQUAL(store_write(store, &row, rectangles, 1, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(query_newest(store, &any, &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 8);
    CU_ASSERT_STRING_EQUAL(set.row[0].host, "other");
    CU_ASSERT_EQUAL_FATAL(rectangles_read(store, set.id[0], &places, &error), STATUS_OK);
    CU_ASSERT_EQUAL(places.count, 1);
    rectangles_free(&places);
    query_free(&set);
    made_up_remove(store, path);
}

static void has_looks_at_the_whole_key(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    int found;
    made_up_write(store, row);
    row.peak_bytes = 99;
    CU_ASSERT_EQUAL(store_has(store, &row, &found, &error), STATUS_OK);
    CU_ASSERT_EQUAL(found, 1);
    row.repetition = 1;
    CU_ASSERT_EQUAL(store_has(store, &row, &found, &error), STATUS_OK);
    CU_ASSERT_EQUAL(found, 0);
    row.repetition = 0;
    row.options = "a=1";
    CU_ASSERT_EQUAL(store_has(store, &row, &found, &error), STATUS_OK);
    CU_ASSERT_EQUAL(found, 0);
    made_up_remove(store, path);
}

static void too_large_numbers_leave_nothing(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    struct result_rectangle rectangles[] = {{"a", 0, 1, 0, 8, 0, 0},
                                            {"b", 0, 1, UINT64_MAX, 8, 0, 0}};
    int found;
    CU_ASSERT_EQUAL(store_write(store, &row, rectangles, 2, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "offset"));
    CU_ASSERT_EQUAL(store_has(store, &row, &found, &error), STATUS_OK);
    CU_ASSERT_EQUAL(found, 0);
    row.peak_bytes = (uint64_t)INT64_MAX + 1;
    CU_ASSERT_EQUAL(store_write(store, &row, NULL, 0, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "peak_bytes"));
    row.peak_bytes = INT64_MAX;
    CU_ASSERT_EQUAL(store_write(store, &row, NULL, 0, &error), STATUS_OK);
    made_up_remove(store, path);
}

static void count_contradictions(struct store *store, uint64_t wanted, const char *words)
{
    struct error error = ERROR_NONE;
    uint64_t count;
    struct text lines = {0};
    CU_ASSERT_EQUAL(contradictions_find(store, &count, &lines, &error), STATUS_OK);
    CU_ASSERT_EQUAL(count, wanted);
    CU_ASSERT_PTR_NOT_NULL(strstr(lines.bytes ? lines.bytes : "", words));
    text_free(&lines);
}

static void contradictions_are_found(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct result_row claim = made_up_row("x", "flat", "exact", 100);
    claim.status = "optimal";
    claim.lower_bound_bytes = 100;
    made_up_write(store, claim);
    made_up_write(store, made_up_row("x", "flat", "descent", 100));
    made_up_write(store, made_up_row("x", "recursive", "descent", 90));
    struct result_row refused = made_up_row("x", "flat", "tflm_greedy", 90);
    refused.verdict = "overlap";
    made_up_write(store, refused);
    refused = made_up_row("x", "flat", "sequential", 90);
    refused.execution = "damaged";
    made_up_write(store, refused);
    count_contradictions(store, 0, "");
    made_up_write(store, made_up_row("x", "flat", "large_first", 96));
    count_contradictions(store, 2,
                         "x, policy flat: exact says the optimum is 100 bytes, but "
                         "large_first has a valid plan of 96 bytes");
    count_contradictions(store, 2, "96 bytes, but exact says no plan is below 100 bytes\n");
    made_up_remove(store, path);
}

static void the_first_contradictions_are_described(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct text lines = {0};
    uint64_t count;
    unsigned described = 0;
    for (int i = 0; i < CONTRADICTIONS_DESCRIBED + 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "planner%d", i);
        struct result_row row = made_up_row("x", "flat", name, 90);
        row.lower_bound_bytes = i ? 0 : 100;
        made_up_write(store, row);
    }
    CU_ASSERT_EQUAL(contradictions_find(store, &count, &lines, &error), STATUS_OK);
    CU_ASSERT_EQUAL(count, CONTRADICTIONS_DESCRIBED + 5);
    for (const char *at = lines.bytes; at && (at = strchr(at, '\n')); at++)
        described++;
    CU_ASSERT_EQUAL(described, CONTRADICTIONS_DESCRIBED);
    text_free(&lines);
    made_up_remove(store, path);
}

static void rows_in_place_are_another_problem(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct result_row row = made_up_row("x", "flat", "a", 20);
    row.status = "optimal";
    row.lower_bound_bytes = 20;
    made_up_write(store, row);
    row = made_up_row("x", "flat", "a", 12);
    row.lower_bound_bytes = 0;
    row.options = "capacity=30 inplace=nnvm";
    made_up_write(store, row);
    count_contradictions(store, 0, "");
    row.options = "inplace=nnvm";
    row.lower_bound_bytes = 14;
    made_up_write(store, row);
    count_contradictions(store, 2, "14");
    made_up_remove(store, path);
}

static void a_peak_below_a_bound_is_a_contradiction(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct result_row bound = made_up_row("x", "flat", "glpk", 0);
    bound.status = "timeout";
    bound.verdict = bound.execution = "";
    bound.lower_bound_bytes = 100;
    made_up_write(store, bound);
    made_up_write(store, made_up_row("x", "flat", "descent", 99));
    count_contradictions(store, 1,
                         "descent has a valid plan of 99 bytes, but glpk says no plan is "
                         "below 100 bytes");
    made_up_remove(store, path);
}

/* A row of the graph x in an order that proves the bound, or as stored where `order` says so. */
static struct result_row order_row(const char *order, uint64_t load, uint64_t bound)
{
    static char name[4][32];
    static int used;
    char *instance = name[used++ % 4];
    bool stored = strcmp(order, "stored") == 0;
    snprintf(instance, sizeof name[0], stored ? "x" : "x@%s", order);
    struct result_row row = made_up_row(instance, "flat", "best", load);
    row.path = row.digest = instance;
    row.load_bytes = row.lower_bound_bytes = load;
    row.order_name = order;
    row.order_status = stored ? "" : bound ? "optimal" : "feasible";
    row.order_load_bytes = stored ? 0 : load;
    row.order_bound_bytes = bound;
    return row;
}

static void a_load_below_the_bound_of_all_orders_is_a_contradiction(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct result_row row = order_row("exact_order", 200, 200);
    made_up_write(store, row);
    made_up_write(store, order_row("stored", 200, 0));
    row = order_row("fifo", 110, 0);
    row.options = "inplace=declared"; /* of another problem */
    made_up_write(store, row);
    row = order_row("fifo", 110, 0);
    row.run = "another"; /* the file may have changed */
    made_up_write(store, row);
    count_contradictions(store, 0, "");
    made_up_write(store, order_row("lifo", 110, 0));
    count_contradictions(store, 1,
                         "x@lifo, policy flat: best has a load of 110 bytes, but exact_order says "
                         "no order has a load below 200 bytes");
    row = order_row("stored", 200, 0);
    row.peak_bytes = 150; /* whatever its load says */
    row.lower_bound_bytes = 0;
    row.planner = "naive";
    made_up_write(store, row);
    count_contradictions(store, 3,
                         "x, policy flat: naive has a valid plan of 150 bytes, but exact_");
    made_up_remove(store, path);
}

static void a_plan_within_a_capacity_that_nothing_fits_is_a_contradiction(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct result_row claim = made_up_row("x", "flat", "exact", 0);
    claim.status = "infeasible";
    claim.verdict = claim.execution = "";
    claim.lower_bound_bytes = 0;
    claim.options = "capacity=99";
    made_up_write(store, claim);
    made_up_write(store, made_up_row("x", "flat", "descent", 100));
    count_contradictions(store, 0, "");
    claim.options = "capacity=100";
    made_up_write(store, claim);
    count_contradictions(store, 1,
                         "exact says nothing fits in 100 bytes, but descent has a valid plan of "
                         "100 bytes");
    made_up_remove(store, path);
}

static void refuse(const char *path, enum store_mode mode, const char *words)
{
    struct store *store;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(store_open(path, mode, &store, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NULL(store);
    CU_ASSERT_STRING_EQUAL(error.file, path);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
}

static void write_bytes(const char *path, const char *bytes)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_FATAL(file && fputs(bytes, file) >= 0 && fclose(file) == 0);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *database;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* What a whole buffer cannot do a split one can, but nothing goes below the load. */
static void split_buffers_are_held_against_the_load(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct result_row claim = made_up_row("x", "flat", "exact", 100);
    claim.status = "optimal";
    claim.lower_bound_bytes = 100;
    claim.load_bytes = 90;
    made_up_write(store, claim);
    struct result_row split = made_up_row("x", "flat", "exclusive", 90);
    split.split_buffers = 1;
    made_up_write(store, split);
    count_contradictions(store, 0, "");
    split.peak_bytes = 89;
    made_up_write(store, split);
    count_contradictions(store, 1,
                         "exclusive has a valid plan of 89 bytes, but exact has a load of 90");
    made_up_remove(store, path);
}

static void bad_files_are_refused(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    store_close(store);
    run_sql(path, "PRAGMA user_version = 999");
    refuse(path, STORE_READ, "newer program");
    refuse(path, STORE_WRITE, "newer program");
    write_bytes(path, "instance,peak\nsome text that is long enough not to be a header at all....");
    refuse(path, STORE_READ, "no SQLite database");
    refuse(path, STORE_WRITE, "no SQLite database");
    unlink(path);
    run_sql(path, "CREATE TABLE something (a)");
    refuse(path, STORE_READ, "without results");
    refuse(path, STORE_WRITE, "without results");
    made_up_remove(NULL, path);
    refuse(path, STORE_READ, "No such file");
    CU_ASSERT_EQUAL(access(path, F_OK), -1);
    refuse("/tmp", STORE_READ, "no plain file");
    refuse("/nowhere/x.db", STORE_WRITE, "cannot open");
}

static void expect_one_row(struct store *store, uint64_t pool_bytes)
{
    struct error error = ERROR_NONE;
    struct result_set set = {0};
    CU_ASSERT_EQUAL_FATAL(query_newest(store, &any, &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 16);
    CU_ASSERT_EQUAL(set.row[0].pool_bytes, pool_bytes);
    CU_ASSERT_EQUAL(set.row[0].split_buffers, pool_bytes ? 5 : 0);
    CU_ASSERT_STRING_EQUAL(set.row[0].addresses, pool_bytes ? "static" : "");
    CU_ASSERT_STRING_EQUAL(set.row[0].planner, "exact");
    query_free(&set);
}

/* A file of version 1 lacks split_buffers and others, one of version 3 settings, which is part of
   the key: reading takes 0 and no text, writing builds the table anew. */
static void old_files_are_read_and_continued(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    row.pool_bytes = 99;
    made_up_write(store, row);
    store_close(store);
    run_sql(path, "CREATE TABLE older AS SELECT * FROM result; DROP TABLE result;"
                  "ALTER TABLE older RENAME TO result; ALTER TABLE result DROP COLUMN settings;"
                  "ALTER TABLE result DROP COLUMN path; ALTER TABLE result DROP COLUMN origin;"
                  "ALTER TABLE result DROP COLUMN split_buffers;"
                  "ALTER TABLE result DROP COLUMN pool_bytes; ALTER TABLE result DROP COLUMN pools;"
                  "ALTER TABLE result DROP COLUMN counters; ALTER TABLE result DROP COLUMN curve;"
                  "ALTER TABLE result DROP COLUMN best_ns; ALTER TABLE result DROP COLUMN fault; "
                  "ALTER TABLE result DROP COLUMN addresses; DROP TABLE run;"
                  "PRAGMA user_version = 1");
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    expect_one_row(store, 0);
    store_close(store);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_WRITE, &store, &error), STATUS_OK);
    expect_one_row(store, 0);
    row.pool_bytes = 77;
    row.split_buffers = 5;
    row.addresses = "static";
    made_up_write(store, row);
    expect_one_row(store, 77);
    store_close(store);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    expect_one_row(store, 77);
    made_up_remove(store, path);
}

static void reading_cannot_write(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    int found;
    made_up_write(store, row);
    store_close(store);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    CU_ASSERT_EQUAL(store_write(store, &row, NULL, 0, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(store_has(store, &row, &found, &error), STATUS_INTERNAL);
    made_up_remove(store, path);
}

static bool has_log(const char *path)
{
    char log[80];
    struct stat found;
    snprintf(log, sizeof log, "%s-wal", path);
    if (stat(log, &found) == 0)
        return true;
    snprintf(log, sizeof log, "%s-shm", path);
    return stat(log, &found) == 0;
}

/* The log is there while anybody writes, and ends with the last one who has the file. */
static void nothing_is_left_beside_the_file(void)
{
    char path[64];
    struct store *store = made_up_open(path), *other;
    struct result_set set = {0};
    struct error error = ERROR_NONE;
    made_up_write(store, made_up_row("x", "flat", "exact", 16));
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_WRITE, &other, &error), STATUS_OK);
    store_close(store);
    CU_ASSERT_TRUE(has_log(path));
    made_up_write(other, made_up_row("y", "flat", "exact", 16));
    store_close(other);
    CU_ASSERT_FALSE(has_log(path));
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(query_newest(store, &any, &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL(set.count, 2);
    query_free(&set);
    store_close(store);
    CU_ASSERT_FALSE(has_log(path));
    made_up_remove(NULL, path);
}

/* As somebody to whom a folder's rights mean something, which they do not to root. A file whose log
   was not ended, as of an older program, is harder. */
static void a_sealed_folder_can_be_read(void)
{
    enum { NOBODY = 65534 };
    const uid_t user = geteuid();
    char folder[] = "/tmp/memplan-sealed-XXXXXX", path[64];
    struct store *store;
    struct error error = ERROR_NONE;
    CU_ASSERT_FATAL(user != 0 || seteuid(NOBODY) == 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a%%3f?#.db", folder);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_WRITE, &store, &error), STATUS_OK);
    made_up_write(store, made_up_row("x", "flat", "exact", 16));
    store_close(store);
    run_sql(path, "PRAGMA journal_mode = WAL");
    chmod(folder, 0555);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    store_close(store);
    chmod(folder, 0755);
    made_up_remove(NULL, path);
    rmdir(folder);
    CU_ASSERT_EQUAL(seteuid(user), 0);
}

enum { WRITERS = 6, ROWS_EACH = 20 };

static int write_rows(const char *path, const char *run)
{
    struct store *store;
    struct error error = ERROR_NONE;
    if (store_open(path, STORE_WRITE, &store, &error))
        return 1;
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    int failed = 0;
    row.run = run;
    for (row.repetition = 0; row.repetition < ROWS_EACH; row.repetition++)
        failed |= store_write(store, &row, NULL, 0, &error) != STATUS_OK;
    store_close(store);
    return failed;
}

static void many_processes_create_and_write(void)
{
    char path[64], runs[WRITERS][8];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_facts facts;
    made_up_remove(store, path);
    for (int i = 0; i < WRITERS; i++) {
        snprintf(runs[i], sizeof runs[i], "run %d", i);
        pid_t child = fork();
        if (child == 0)
            _exit(write_rows(path, runs[i]));
        CU_ASSERT_FATAL(child > 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        int result;
        CU_ASSERT_FATAL(wait(&result) > 0);
        CU_ASSERT(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    }
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(facts_read(store, &facts, &error), STATUS_OK);
    CU_ASSERT_EQUAL(facts.rows, WRITERS * ROWS_EACH);
    CU_ASSERT_STRING_EQUAL(facts.runs, "run 0, run 1, run 2, run 3, run 4, run 5");
    facts_free(&facts);
    made_up_remove(store, path);
}

static enum status use_store(const char *path, struct error *error)
{
    struct store *store;
    struct result_set set = {0};
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    const struct result_rectangle rectangle = {"a", 0, 1, 0, 8, 0, 0};
    TRY(store_open(path, STORE_WRITE, &store, error));
    enum status status = store_write(store, &row, &rectangle, 1, error);
    if (!status)
        status = query_newest(store, &any, &set, error);
    query_free(&set);
    store_close(store);
    return status;
}

static void no_memory_leaks_nothing(void)
{
    char path[64];
    made_up_remove(made_up_open(path), path);
    uint64_t before = memory_live_blocks();
    enum status status = STATUS_INTERNAL;
    for (uint64_t allowed = 0; status && allowed < 1000; allowed++) {
        struct error error = ERROR_NONE;
        memory_fail_after(allowed);
        status = use_store(path, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT(status == STATUS_OK || status == STATUS_INTERNAL);
        CU_ASSERT_EQUAL(memory_live_blocks(), before);
    }
    CU_ASSERT_EQUAL(status, STATUS_OK);
    made_up_remove(NULL, path);
}

static const struct test_case cases[] = {
    {"a row comes back", a_row_comes_back},
    {"the same key replaces", the_same_key_replaces},
    {"has looks at the whole key", has_looks_at_the_whole_key},
    {"too large numbers leave nothing", too_large_numbers_leave_nothing},
    {"contradictions are found", contradictions_are_found},
    {"the first contradictions are described", the_first_contradictions_are_described},
    {"rows in place are another problem", rows_in_place_are_another_problem},
    {"a peak below a bound is a contradiction", a_peak_below_a_bound_is_a_contradiction},
    {"a load below the bound of all orders is a contradiction",
     a_load_below_the_bound_of_all_orders_is_a_contradiction},
    {"a plan within a capacity that nothing fits is a contradiction",
     a_plan_within_a_capacity_that_nothing_fits_is_a_contradiction},
    {"split buffers are held against the load", split_buffers_are_held_against_the_load},
    {"bad files are refused", bad_files_are_refused},
    {"old files are read and continued", old_files_are_read_and_continued},
    {"reading cannot write", reading_cannot_write},
    {"nothing is left beside the file", nothing_is_left_beside_the_file},
    {"a sealed folder can be read", a_sealed_folder_can_be_read},
    {"many processes create and write", many_processes_create_and_write},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
TESTING_MAIN("results/store", cases)
