#include "results/store/rectangles.h"
#include "results/store/runs.h"
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
#include "support/must.h"
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

static void a_row_comes_back(void)
{
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
    CU_ASSERT_EQUAL(store_write(the_store, &row, rectangles, 2, &the_error), STATUS_OK);
    struct result_set set = read_rows(&any, 1);
    CU_ASSERT_STRING_EQUAL(set.row[0].instance, "zoo/'x'");
    CU_ASSERT_STRING_EQUAL(set.row[0].stop_reason, row.stop_reason);
    CU_ASSERT_STRING_EQUAL(set.row[0].wall_samples, "12000 12345 13000");
    CU_ASSERT_EQUAL(set.row[0].seed, INT64_MAX);
    CU_ASSERT_EQUAL(set.row[0].nodes, 42);
    CU_ASSERT_EQUAL(set.row[0].split_buffers, 7);
    CU_ASSERT_EQUAL(set.row[0].pool_bytes, 456);
    CU_ASSERT_EQUAL(set.row[0].pools, 3);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 123);
    CU_ASSERT_EQUAL_FATAL(rectangles_read(the_store, set.id[0], &places, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(places.count, 2);
    CU_ASSERT_STRING_EQUAL(places.rectangle[0].label, rectangles[0].label);
    CU_ASSERT_EQUAL(places.rectangle[0].offset, 64);
    CU_ASSERT_EQUAL(places.rectangle[1].size, INT64_MAX);
    CU_ASSERT_EQUAL(places.rectangle[1].group, 7);
    CU_ASSERT_EQUAL(places.rectangle[1].block, 1);
    rectangles_free(&places);
    query_free(&set);
}

static void the_same_key_replaces(void)
{
    struct rectangle_set places = {0};
    const struct result_rectangle rectangles[] = {{"a", 0, 1, 0, 8, 0, 0}, {"b", 0, 1, 8, 8, 0, 0}};
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    CU_ASSERT_EQUAL(store_write(the_store, &row, rectangles, 2, &the_error), STATUS_OK);
    row.peak_bytes = 8;
    row.host = "other";
    CU_ASSERT_EQUAL(store_write(the_store, &row, rectangles, 1, &the_error), STATUS_OK);
    struct result_set set = read_rows(&any, 1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 8);
    CU_ASSERT_STRING_EQUAL(set.row[0].host, "other");
    CU_ASSERT_EQUAL_FATAL(rectangles_read(the_store, set.id[0], &places, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(places.count, 1);
    rectangles_free(&places);
    query_free(&set);
}

static void expect_has(struct result_row row, bool expected)
{
    int found;
    CU_ASSERT_EQUAL(store_has(the_store, &row, &found, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(found != 0, expected);
}

static void has_looks_at_the_whole_key(void)
{
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    made_up_write(the_store, row);
    row.peak_bytes = 99;
    expect_has(row, true);
    row.repetition = 1;
    expect_has(row, false);
    row.repetition = 0;
    row.options = "a=1";
    expect_has(row, false);
}

static void too_large_numbers_leave_nothing(void)
{
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    struct result_rectangle rectangles[] = {{"a", 0, 1, 0, 8, 0, 0},
                                            {"b", 0, 1, UINT64_MAX, 8, 0, 0}};
    CU_ASSERT_EQUAL(store_write(the_store, &row, rectangles, 2, &the_error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(the_error.text, "offset"));
    expect_has(row, false);
    row.peak_bytes = (uint64_t)INT64_MAX + 1;
    CU_ASSERT_EQUAL(store_write(the_store, &row, NULL, 0, &the_error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(the_error.text, "peak_bytes"));
    row.peak_bytes = INT64_MAX;
    CU_ASSERT_EQUAL(store_write(the_store, &row, NULL, 0, &the_error), STATUS_OK);
}

/* Each instance of the case agrees with itself or not, as the text says. */
static void contradictions_are_found(void)
{
    struct text rows = {0}, lines = {0};
    uint64_t count;
    made_up_load(the_store, "contradictions", &rows);
    CU_ASSERT_EQUAL(contradictions_find(the_store, &count, &lines, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(count, 10);
    made_up_compare("contradictions.txt", &lines);
    text_free(&rows);
    text_free(&lines);
}

static void the_first_contradictions_are_described(void)
{
    struct text lines = {0};
    uint64_t count;
    unsigned described = 0;
    for (int i = 0; i < CONTRADICTIONS_DESCRIBED + 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "planner%d", i);
        struct result_row row = made_up_row("x", "flat", name, 90);
        row.lower_bound_bytes = i ? 0 : 100;
        made_up_write(the_store, row);
    }
    CU_ASSERT_EQUAL(contradictions_find(the_store, &count, &lines, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(count, CONTRADICTIONS_DESCRIBED + 5);
    for (const char *at = lines.bytes; at && (at = strchr(at, '\n')); at++)
        described++;
    CU_ASSERT_EQUAL(described, CONTRADICTIONS_DESCRIBED);
    text_free(&lines);
}

/* The file holds no results, which is said whether it is opened for reading or for writing. */
static void refuse(const char *path, const char *words)
{
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        struct store *store;
        CU_ASSERT_EQUAL(store_open(path, mode, &store, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NULL(store);
        CU_ASSERT_STRING_EQUAL(error.file, path);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
    }
}

static void bad_files_are_refused(void)
{
    static const char text[] = "instance,peak\nsome text that is long enough to be no header....";
    struct store *store;
    store_close(the_store);
    the_store = NULL;
    made_up_run_sql(the_path, "PRAGMA user_version = 999");
    refuse(the_path, "newer program");
    FILE *file = fopen(the_path, "wb");
    CU_ASSERT_FATAL(file && fputs(text, file) >= 0 && fclose(file) == 0);
    refuse(the_path, "no SQLite database");
    unlink(the_path);
    made_up_run_sql(the_path, "CREATE TABLE something (a)");
    refuse(the_path, "without results");
    unlink(the_path);
    CU_ASSERT_EQUAL(store_open(the_path, STORE_READ, &store, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "No such file"));
    CU_ASSERT_EQUAL(access(the_path, F_OK), -1);
    refuse("/tmp", "no plain file");
    refuse("/nowhere/x.db", "cannot open");
}

static void expect_one_row(uint64_t pool_bytes)
{
    struct result_set set = read_rows(&any, 1);
    CU_ASSERT_EQUAL(set.row[0].peak_bytes, 16);
    CU_ASSERT_EQUAL(set.row[0].pool_bytes, pool_bytes);
    CU_ASSERT_EQUAL(set.row[0].split_buffers, pool_bytes ? 5 : 0);
    CU_ASSERT_STRING_EQUAL(set.row[0].addresses, pool_bytes ? "static" : "");
    CU_ASSERT_STRING_EQUAL(set.row[0].planner, "exact");
    query_free(&set);
}

/* A file of version 1 lacks split_buffers and others, one of version 3 settings, which is part of
   the key: reading takes 0 and no text, writing builds the table again. */
static void old_files_are_read_and_continued(void)
{
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    row.pool_bytes = 99;
    made_up_write(the_store, row);
    made_up_run_sql(
        the_path, "CREATE TABLE older AS SELECT * FROM result; DROP TABLE result;"
                  "ALTER TABLE older RENAME TO result; ALTER TABLE result DROP COLUMN settings;"
                  "ALTER TABLE result DROP COLUMN path; ALTER TABLE result DROP COLUMN origin;"
                  "ALTER TABLE result DROP COLUMN split_buffers;"
                  "ALTER TABLE result DROP COLUMN pool_bytes; ALTER TABLE result DROP COLUMN pools;"
                  "ALTER TABLE result DROP COLUMN counters; ALTER TABLE result DROP COLUMN curve;"
                  "ALTER TABLE result DROP COLUMN best_ns; ALTER TABLE result DROP COLUMN fault; "
                  "ALTER TABLE result DROP COLUMN addresses; DROP TABLE run;"
                  "PRAGMA user_version = 1");
    made_up_open_again(STORE_READ);
    expect_one_row(0);
    made_up_open_again(STORE_WRITE);
    expect_one_row(0);
    row.pool_bytes = 77;
    row.split_buffers = 5;
    row.addresses = "static";
    made_up_write(the_store, row);
    expect_one_row(77);
    made_up_open_again(STORE_READ);
    expect_one_row(77);
}

static void reading_cannot_write(void)
{
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    int found;
    made_up_write(the_store, row);
    made_up_open_again(STORE_READ);
    CU_ASSERT_EQUAL(store_write(the_store, &row, NULL, 0, &the_error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(store_has(the_store, &row, &found, &the_error), STATUS_INTERNAL);
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
    struct store *other;
    made_up_write(the_store, made_up_row("x", "flat", "exact", 16));
    CU_ASSERT_EQUAL_FATAL(store_open(the_path, STORE_WRITE, &other, &the_error), STATUS_OK);
    store_close(the_store);
    the_store = other;
    CU_ASSERT_TRUE(has_log(the_path));
    made_up_write(the_store, made_up_row("y", "flat", "exact", 16));
    made_up_open_again(STORE_READ);
    CU_ASSERT_FALSE(has_log(the_path));
    struct result_set set = read_rows(&any, 2);
    query_free(&set);
    store_close(the_store);
    the_store = NULL;
    CU_ASSERT_FALSE(has_log(the_path));
}

/* As somebody to whom a folder's rights mean something, which they do not to root. A file whose log
   was not ended, as of an older program, is harder. */
static void a_sealed_folder_can_be_read(void)
{
    enum { NOBODY = 65534 };
    const uid_t user = geteuid();
    char folder[] = "/tmp/memplan-sealed-XXXXXX", path[64];
    struct store *store;
    CU_ASSERT_FATAL(user != 0 || seteuid(NOBODY) == 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a%%3f?#.db", folder);
    must(store_open(path, STORE_WRITE, &store, &error));
    made_up_write(store, made_up_row("x", "flat", "exact", 16));
    store_close(store);
    made_up_run_sql(path, "PRAGMA journal_mode = WAL");
    chmod(folder, 0555);
    must(store_open(path, STORE_READ, &store, &error));
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
    char runs[WRITERS][8];
    struct result_facts facts;
    made_up_remove(the_store, the_path);
    the_store = NULL;
    for (int i = 0; i < WRITERS; i++) {
        snprintf(runs[i], sizeof runs[i], "run %d", i);
        pid_t child = fork();
        if (child == 0)
            _exit(write_rows(the_path, runs[i]));
        CU_ASSERT_FATAL(child > 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        int result;
        CU_ASSERT_FATAL(wait(&result) > 0);
        CU_ASSERT(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    }
    made_up_open_again(STORE_READ);
    CU_ASSERT_EQUAL_FATAL(facts_read(the_store, &facts, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(facts.rows, WRITERS * ROWS_EACH);
    CU_ASSERT_STRING_EQUAL(facts.runs, "run 0, run 1, run 2, run 3, run 4, run 5");
    facts_free(&facts);
}

static enum status use_store(const char *path, struct error *reported)
{
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(query_free) struct result_set set = {0};
    struct result_row row = made_up_row("x", "flat", "exact", 16);
    const struct result_rectangle rectangle = {"a", 0, 1, 0, 8, 0, 0};
    TRY(store_open(path, STORE_WRITE, &store, reported));
    TRY(store_write(store, &row, &rectangle, 1, reported));
    return query_newest(store, &any, &set, reported);
}

static void no_memory_leaks_nothing(void)
{
    made_up_remove(the_store, the_path);
    the_store = NULL;
    uint64_t before = memory_live_blocks();
    enum status status = STATUS_INTERNAL;
    for (uint64_t allowed = 0; status && allowed < 1000; allowed++) {
        memory_fail_after(allowed);
        status = use_store(the_path, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT(status == STATUS_OK || status == STATUS_INTERNAL);
        CU_ASSERT_EQUAL(memory_live_blocks(), before);
    }
    CU_ASSERT_EQUAL(status, STATUS_OK);
}

static const struct test_case cases[] = {
    {"a row comes back", a_row_comes_back},
    {"the same key replaces", the_same_key_replaces},
    {"has looks at the whole key", has_looks_at_the_whole_key},
    {"too large numbers leave nothing", too_large_numbers_leave_nothing},
    {"contradictions are found", contradictions_are_found},
    {"the first contradictions are described", the_first_contradictions_are_described},
    {"bad files are refused", bad_files_are_refused},
    {"old files are read and continued", old_files_are_read_and_continued},
    {"reading cannot write", reading_cannot_write},
    {"nothing is left beside the file", nothing_is_left_beside_the_file},
    {"a sealed folder can be read", a_sealed_folder_can_be_read},
    {"many processes create and write", many_processes_create_and_write},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
MADE_UP_MAIN("results/store", cases)
