#include "results/store/merge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "made_up.h"
#include "results/store/measures.h"
#include "results/store/runs.h"
#include "support/must.h"
#include "support/testing.h"

enum { FILES = 3 };

/* Databases to merge, in a folder of their own, and what they become. */
struct files {
    char folder[32];
    char path[FILES][48], output[48];
};

static struct files open_folder(void)
{
    struct files files = {.folder = "/tmp/memplan-merge-XXXXXX"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(files.folder));
    for (int i = 0; i < FILES; i++)
        snprintf(files.path[i], sizeof files.path[i], "%s/%d.db", files.folder, i);
    snprintf(files.output, sizeof files.output, "%s/all.db", files.folder);
    return files;
}

static void remove_folder(const struct files *files)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", files->folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static struct store *open_file(const char *path)
{
    struct store *store;
    must(store_open(path, STORE_WRITE, &store, &error));
    return store;
}

/* A row whose layout has one rectangle, as high as the peak. */
static void write_row(const char *path, const char *planner, uint64_t peak_bytes,
                      const char *started)
{
    SCOPED(store_release) struct store *store = open_file(path);
    struct result_row row = made_up_row("x", "flat", planner, peak_bytes);
    const struct result_rectangle rectangle = {planner, 0, 1, 0, peak_bytes, 0, 0};
    row.started = started;
    must(store_write(store, &row, &rectangle, 1, &error));
}

static void write_measure(const char *path, const char *name)
{
    SCOPED(store_release) struct store *store = open_file(path);
    made_up_measure(store, (struct measure){.name = name, .value = 7});
}

static enum status merge(const struct files *files, uint32_t paths, bool newest,
                         struct merge_counts counts[FILES], struct error *reported)
{
    const char *const path[FILES] = {files->path[0], files->path[1], files->path[2]};
    const struct merge_request request = {path, paths, newest};
    return merge_stores(&request, files->output, counts, reported);
}

static void expect_number(const struct files *files, const char *question, int64_t answer)
{
    CU_ASSERT_EQUAL(made_up_ask(files->output, question), answer);
}

static void expect_counts(const struct merge_counts *counts, uint64_t added, uint64_t known,
                          uint64_t replaced)
{
    CU_ASSERT_EQUAL(counts->added, added);
    CU_ASSERT_EQUAL(counts->known, known);
    CU_ASSERT_EQUAL(counts->replaced, replaced);
}

static const char layouts_that_fit[] =
    "SELECT count(*) FROM result JOIN rectangle ON result.id = rectangle.result"
    " WHERE label = planner AND size_bytes = peak_bytes";

static void rows_layouts_and_measures_are_joined(void)
{
    const struct files files = open_folder();
    struct merge_counts counts[FILES];
    write_row(files.path[0], "a", 10, "2026-01-01");
    write_row(files.path[0], "b", 20, "2026-01-01");
    write_row(files.path[1], "c", 30, "2026-01-01");
    write_row(files.path[2], "b", 20, "2026-01-01");
    write_measure(files.path[1], "bytes_before");
    write_measure(files.path[2], "bytes_after");
    must(merge(&files, FILES, false, counts, &error));
    expect_counts(&counts[0], 2, 0, 0);
    expect_counts(&counts[1], 1, 0, 0);
    expect_counts(&counts[2], 0, 1, 0);
    /* Again: nothing changes. */
    must(merge(&files, FILES, false, counts, &error));
    expect_counts(&counts[0], 0, 2, 0);
    expect_counts(&counts[2], 0, 1, 0);
    expect_number(&files, "SELECT count(*) FROM result", 3);
    expect_number(&files, layouts_that_fit, 3);
    expect_number(&files, "SELECT count(*) FROM rectangle", 3);
    expect_number(&files, "SELECT count(*) FROM measure", 2);
    expect_number(&files, "SELECT count(*) FROM sqlite_master WHERE name = 'result_content'", 1);
    remove_folder(&files);
}

static void another_result_of_a_job_is_refused(void)
{
    const struct files files = open_folder();
    struct merge_counts counts[FILES];
    write_row(files.path[0], "a", 10, "2026-01-01");
    write_row(files.path[1], "b", 20, "2026-01-01");
    write_row(files.path[1], "a", 11, "2026-01-01");
    CU_ASSERT_EQUAL(merge(&files, 2, false, counts, &error), STATUS_NO);
    CU_ASSERT_STRING_EQUAL(error.file, files.path[1]);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "instance 'x'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "planner 'a'"));
    CU_ASSERT_NOT_EQUAL(access(files.output, F_OK), 0);
    /* Into a database that is there neither of the rows goes. */
    must(merge(&files, 1, false, counts, &error));
    CU_ASSERT_EQUAL(merge(&files, 2, false, counts, &error), STATUS_NO);
    expect_number(&files, "SELECT count(*) FROM result", 1);
    expect_number(&files, "SELECT peak_bytes FROM result", 10);
    remove_folder(&files);
}

static void the_newest_stays_where_asked_for(void)
{
    const struct files files = open_folder();
    struct merge_counts counts[FILES];
    write_row(files.path[0], "a", 10, "2026-01-02");
    write_row(files.path[0], "b", 10, "2026-01-02");
    write_row(files.path[1], "a", 11, "2026-01-01");
    write_row(files.path[1], "b", 12, "2026-01-03");
    must(merge(&files, 2, true, counts, &error));
    expect_counts(&counts[0], 2, 0, 0);
    expect_counts(&counts[1], 0, 0, 2);
    expect_number(&files, "SELECT peak_bytes FROM result WHERE planner = 'a'", 10);
    expect_number(&files, "SELECT peak_bytes FROM result WHERE planner = 'b'", 12);
    expect_number(&files, layouts_that_fit, 2);
    expect_number(&files, "SELECT count(*) FROM rectangle", 2);
    remove_folder(&files);
}

static void older_files_are_read(void)
{
    const struct files files = open_folder();
    struct merge_counts counts[FILES];
    write_row(files.path[0], "a", 10, "2026-01-01");
    write_row(files.path[1], "b", 20, "2026-01-01");
    made_up_run_sql(
        files.path[1],
        "CREATE TABLE older AS SELECT * FROM result; DROP TABLE result; DROP TABLE measure;"
        "DROP TABLE run;"
        "ALTER TABLE older RENAME TO result; ALTER TABLE result DROP COLUMN settings;"
        "ALTER TABLE result DROP COLUMN path; ALTER TABLE result DROP COLUMN origin;"
        "PRAGMA user_version = 3");
    must(merge(&files, 2, false, counts, &error));
    expect_number(&files, "SELECT count(*) FROM result WHERE settings = ''", 2);
    expect_number(&files, layouts_that_fit, 2);
    expect_number(&files, "SELECT count(*) FROM run WHERE label = 'made-up'", 1);
    /* Reading one does not change it. */
    CU_ASSERT_EQUAL(made_up_ask(files.path[1], "PRAGMA user_version"), 3);
    remove_folder(&files);
}

static void write_run(const char *path, struct run_row run)
{
    SCOPED(store_release) struct store *store = open_file(path);
    run.label = "made-up";
    must(runs_write(store, &run, &error));
}

static void shards_of_a_run_are_one_run(void)
{
    const struct files files = open_folder();
    struct merge_counts counts[FILES];
    write_run(files.path[0],
              (struct run_row){.started = "2", .ended = "3", .command = "x", .host = "n1"});
    write_run(
        files.path[1],
        (struct run_row){
            .started = "1", .ended = "4", .command = "y", .host = "n2", .cpu = "c", .cores = 4});
    write_run(
        files.path[2],
        (struct run_row){.started = "3", .command = "z", .host = "n1", .cpu = "c", .cores = 4});
    for (int i = 0; i < FILES; i++)
        write_row(files.path[i], (char[]){(char)('a' + i), 0}, 10, "2026-01-01");
    for (int times = 0; times < 2; times++)
        must(merge(&files, FILES, false, counts, &error));
    expect_number(&files, "SELECT count(*) FROM run", 1);
    expect_number(&files,
                  "SELECT count(*) FROM run WHERE started = '1' AND ended = '4'"
                  " AND command = 'z' AND host = 'n1, n2' AND cpu = 'c'"
                  " AND cores = 0",
                  1);
    remove_folder(&files);
}

static void what_holds_no_results_is_refused(void)
{
    const struct files files = open_folder();
    struct merge_counts counts[FILES];
    write_row(files.path[0], "a", 10, "2026-01-01");
    CU_ASSERT_EQUAL(merge(&files, 2, false, counts, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, files.path[1]);
    made_up_run_sql(files.path[1], "CREATE TABLE other (number)");
    CU_ASSERT_EQUAL(merge(&files, 2, false, counts, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "without results"));
    CU_ASSERT_NOT_EQUAL(access(files.output, F_OK), 0);
    /* Nothing half-written is left either. */
    char command[64];
    snprintf(command, sizeof command, "! ls %s | grep -q part", files.folder);
    CU_ASSERT_EQUAL(system(command), 0);
    remove_folder(&files);
}

static const struct test_case cases[] = {
    {"rows, layouts and measures are joined", rows_layouts_and_measures_are_joined},
    {"another result of a job is refused", another_result_of_a_job_is_refused},
    {"the newest stays where asked for", the_newest_stays_where_asked_for},
    {"older files are read", older_files_are_read},
    {"shards of a run are one run", shards_of_a_run_are_one_run},
    {"what holds no results is refused", what_holds_no_results_is_refused},
};

TESTING_MAIN("results/store/merge", cases)
