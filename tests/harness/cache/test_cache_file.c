#define _XOPEN_SOURCE 700

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache_folders.h"
#include "harness/cache/archive.h"
#include "support/must.h"

static const uint64_t ample = UINT64_C(1) << 30;

static struct cache_file *open_file(const char *path, uint64_t most_bytes)
{
    struct cache_file *file;
    must(cache_file_open(path, most_bytes, &file, &error));
    return file;
}

static struct cache_digests make_digests(unsigned environment, unsigned structure, unsigned weights)
{
    struct cache_digests digests;
    const unsigned number[CACHE_PARTS] = {environment, structure, weights};
    for (int i = 0; i < CACHE_PARTS; i++)
        snprintf(digests.of[i], sizeof digests.of[i], "%064x", number[i]);
    return digests;
}

/* Adds an entry of equal bytes, whose structure and weights are a number. */
static void add(struct cache_file *file, unsigned number, size_t bytes)
{
    const struct cache_digests digests = make_digests(1, number, number);
    SCOPED(text_free) struct text text = {0};
    for (size_t i = 0; i < bytes; i++)
        text_append_bytes(&text, "x", 1);
    must(cache_file_add(file, &digests, &text, &error));
}

/* The entries of a file as a text: "2 3 4 ", with a minus before one that is set aside. */
static enum status write_entry(const struct cache_entry *entry, void *context, struct error *found)
{
    (void)found;
    text_append(context, "%s%lu ", entry->set_aside ? "-" : "",
                strtoul(entry->digests.of[CACHE_STRUCTURE], NULL, 16));
    return STATUS_OK;
}

static void expect_left(struct cache_file *file, const char *expected)
{
    SCOPED(text_free) struct text left = {0};
    text_append(&left, "%s", "");
    must(cache_file_walk(file, write_entry, &left, &error));
    CU_ASSERT_STRING_EQUAL(left.bytes, expected);
}

static void test_first_in_first_out(void)
{
    char path[64];
    uint32_t removed;
    cache_folders_create(path);
    struct cache_file *file = open_file(path, 1000);
    for (unsigned i = 1; i <= 3; i++)
        add(file, i, 300);
    expect_left(file, "1 2 3 ");
    add(file, 4, 300);
    expect_left(file, "2 3 4 ");
    add(file, 5, 700);
    expect_left(file, "4 5 ");
    add(file, 6, 1001);
    expect_left(file, "4 5 ");
    add(file, 4, 10);
    expect_left(file, "5 4 ");
    add(file, 6, 1000);
    expect_left(file, "6 ");
    must(cache_file_clear(file, &removed, &error));
    CU_ASSERT_EQUAL(removed, 1);
    expect_left(file, "");
    add(file, 7, 1000);
    expect_left(file, "7 ");
    cache_file_close(file);
    cache_folders_remove(path);
}

/* Finds an entry; its sequence, or 0. */
static uint64_t find(struct cache_file *file, unsigned environment, unsigned structure,
                     unsigned weights, bool *whole)
{
    const struct cache_digests digests = make_digests(environment, structure, weights);
    struct cache_entry entry;
    bool found;
    must(cache_file_find(file, &digests, &entry, &found, whole, &error));
    text_free(&entry.archive);
    return found ? entry.sequence : 0;
}

static void test_find(void)
{
    char path[64];
    bool whole;
    cache_folders_create(path);
    struct cache_file *file = open_file(path, ample);
    const unsigned weights[] = {7, 8, 9};
    for (unsigned i = 0; i < 3; i++) {
        const struct cache_digests digests = make_digests(1, 2, weights[i]);
        SCOPED(text_free) struct text text = {0};
        text_append(&text, "text %u", i);
        must(cache_file_add(file, &digests, &text, &error));
    }
    CU_ASSERT_EQUAL(find(file, 1, 2, 7, &whole), 1);
    CU_ASSERT_TRUE(whole);
    CU_ASSERT_EQUAL(find(file, 1, 2, 6, &whole), 3);
    CU_ASSERT_FALSE(whole);
    CU_ASSERT_EQUAL(find(file, 2, 2, 7, &whole), 0);
    CU_ASSERT_EQUAL(find(file, 1, 3, 7, &whole), 0);
    must(cache_file_set_aside(file, 3, &error));
    CU_ASSERT_EQUAL(find(file, 1, 2, 9, &whole), 2);
    CU_ASSERT_FALSE(whole);
    expect_left(file, "2 2 -2 ");
    cache_file_close(file);
    cache_folders_remove(path);
}

/* Archives, so that a half-written one is seen. */
static void add_archive(struct cache_file *file, unsigned number)
{
    struct cache_digests digests = make_digests(1, number, 2);
    SCOPED(archive_free) struct archive archive = {0};
    SCOPED(text_free) struct text bytes = {0};
    uint64_t state = number;
    struct text *body = archive_add(&archive, "plan");
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        text_append(body, "%llu,", (unsigned long long)(state >> 33));
    }
    if (archive_write(&archive, &bytes, &error) || cache_file_add(file, &digests, &bytes, &error))
        _exit(1);
}

static enum status expect_whole(const struct cache_entry *entry, void *context, struct error *found)
{
    SCOPED(archive_free) struct archive archive = {0};
    uint64_t *sum = context;
    *sum += entry->bytes;
    CU_ASSERT_EQUAL(archive_read(&entry->archive, "x", &archive, found), STATUS_OK);
    return STATUS_OK;
}

static pid_t start_writer(const char *path, uint64_t most_bytes, unsigned first, unsigned count)
{
    pid_t writer = fork();
    CU_ASSERT_FATAL(writer >= 0);
    if (writer)
        return writer;
    struct cache_file *file = open_file(path, most_bytes);
    for (unsigned i = 0; i < count; i++)
        add_archive(file, first + i);
    cache_file_close(file);
    _exit(0);
}

/* A writer is killed at any moment of its work; what it leaves is whole. */
static void test_killed_while_writing(void)
{
    char path[64];
    uint64_t sum = 0;
    cache_folders_create(path);
    for (int round = 0; round < TESTING_COUNT(40, 8); round++) {
        pid_t writer = start_writer(path, ample, (unsigned)round * 1000, UINT32_MAX);
        nanosleep(&(struct timespec){.tv_nsec = 1000000L + round * 700000L}, NULL);
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        SCOPED(cache_file_release) struct cache_file *file = open_file(path, ample);
        must(cache_file_walk(file, expect_whole, &sum, &error));
    }
    cache_folders_remove(path);
}

enum { ARCHIVES = 30 };

static void run_two(uint64_t most_bytes, unsigned expected)
{
    char path[64];
    uint64_t sum = 0;
    cache_folders_create(path);
    pid_t writer[2] = {start_writer(path, most_bytes, 0, ARCHIVES),
                       start_writer(path, most_bytes, ARCHIVES / 2, ARCHIVES)};
    for (int i = 0; i < 2; i++) {
        int end;
        CU_ASSERT_EQUAL(waitpid(writer[i], &end, 0), writer[i]);
        CU_ASSERT(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    }
    struct cache_file *file = open_file(path, most_bytes);
    must(cache_file_walk(file, expect_whole, &sum, &error));
    CU_ASSERT(sum <= most_bytes);
    CU_ASSERT(!expected || cache_folders_count(file) == expected);
    cache_file_close(file);
    cache_folders_remove(path);
}

/* Half of what the two add is the same. */
static void test_two_processes(void)
{
    run_two(ample, ARCHIVES + ARCHIVES / 2);
    run_two(1000000, 0);
}

/* A file that is no database is renamed, and the next process begins a new one. */
static void test_no_database(void)
{
    char path[64], name[128];
    struct cache_file *file;
    cache_folders_create(path);
    snprintf(name, sizeof name, "%s/plans.db", path);
    FILE *stream = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    for (int i = 0; i < 5000; i++)
        fputs("no database\n", stream);
    fclose(stream);
    CU_ASSERT_EQUAL(cache_file_open(path, ample, &file, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "renamed to .damaged"));
    CU_ASSERT_STRING_EQUAL(error.file, name);
    file = open_file(path, ample);
    add(file, 1, 10);
    expect_left(file, "1 ");
    cache_file_close(file);
    cache_folders_remove(path);
}

static void test_no_folder(void)
{
    struct cache_file *file;
    CU_ASSERT_EQUAL(cache_file_open("/proc/self/none/deep", ample, &file, &error),
                    STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.file, "/proc/self/none"));
}

static const struct test_case cases[] = {
    {"the oldest entries make room", test_first_in_first_out},
    {"entries are found by their digests", test_find},
    {"a killed writer leaves nothing half-written", test_killed_while_writing},
    {"two processes write at once", test_two_processes},
    {"a file that is no database is put out of the way", test_no_database},
    {"a folder that cannot be made is an error", test_no_folder},
};

TESTING_MAIN("cache file", cases)
