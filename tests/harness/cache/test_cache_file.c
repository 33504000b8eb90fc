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

static char path[64];

static void begin(void)
{
    cache_folders_create(path);
}

static void end(void)
{
    cache_folders_remove(path);
}

static struct cache_file *open_file(uint64_t most_bytes)
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
    /* What is left after each entry that is added. */
    static const struct {
        unsigned number;
        size_t bytes;
        const char *left;
    } rows[] = {{1, 300, "1 "},   {2, 300, "1 2 "},  {3, 300, "1 2 3 "}, {4, 300, "2 3 4 "},
                {5, 700, "4 5 "}, {6, 1001, "4 5 "}, {4, 10, "5 4 "},    {6, 1000, "6 "},
                {0, 0, ""},       {7, 1000, "7 "}};
    SCOPED(cache_file_release) struct cache_file *file = open_file(1000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t removed;
        if (rows[i].number) {
            add(file, rows[i].number, rows[i].bytes);
        } else {
            must(cache_file_clear(file, &removed, &error));
            CU_ASSERT_EQUAL(removed, 1);
        }
        expect_left(file, rows[i].left);
    }
}

static void test_find(void)
{
    /* What is asked for, and which entry is found, 0 for none: one whose weights are also the same,
       else the newest that is not set aside. */
    static const struct {
        unsigned environment, structure, weights, sequence;
        bool whole;
    } rows[] = {{1, 2, 7, 1, true},
                {1, 2, 6, 3, false},
                {2, 2, 7, 0, false},
                {1, 3, 7, 0, false},
                {1, 2, 9, 2, false}};
    SCOPED(cache_file_release) struct cache_file *file = open_file(ample);
    for (unsigned i = 0; i < 3; i++) {
        const struct cache_digests digests = make_digests(1, 2, 7 + i);
        SCOPED(text_free) struct text text = {0};
        text_append(&text, "text %u", i);
        must(cache_file_add(file, &digests, &text, &error));
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cache_digests digests =
            make_digests(rows[i].environment, rows[i].structure, rows[i].weights);
        struct cache_entry entry;
        bool found, whole;
        if (rows[i].weights == 9)
            must(cache_file_set_aside(file, 3, &error));
        must(cache_file_find(file, &digests, &entry, &found, &whole, &error));
        text_free(&entry.archive);
        CU_ASSERT_EQUAL(found ? entry.sequence : 0, rows[i].sequence);
        CU_ASSERT(!found || whole == rows[i].whole);
    }
    expect_left(file, "2 2 -2 ");
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

static pid_t start_writer(uint64_t most_bytes, unsigned first, unsigned count)
{
    pid_t writer = fork();
    CU_ASSERT_FATAL(writer >= 0);
    if (writer)
        return writer;
    struct cache_file *file = open_file(most_bytes);
    for (unsigned i = 0; i < count; i++)
        add_archive(file, first + i);
    cache_file_close(file);
    _exit(0);
}

/* A writer is killed at any moment of its work; what it leaves is whole. */
static void test_killed_while_writing(void)
{
    uint64_t sum = 0;
    for (int round = 0; round < TESTING_COUNT(40, 8); round++) {
        pid_t writer = start_writer(ample, (unsigned)round * 1000, UINT32_MAX);
        nanosleep(&(struct timespec){.tv_nsec = 1000000L + round * 700000L}, NULL);
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        SCOPED(cache_file_release) struct cache_file *file = open_file(ample);
        must(cache_file_walk(file, expect_whole, &sum, &error));
    }
}

enum { ARCHIVES = 30 };

/* Half of what the two add is the same; the second time there is less room than that. */
static void test_two_processes(void)
{
    for (int round = 0; round < 2; round++) {
        uint64_t most_bytes = round ? 1000000 : ample, sum = 0;
        pid_t writer[2] = {start_writer(most_bytes, 0, ARCHIVES),
                           start_writer(most_bytes, ARCHIVES / 2, ARCHIVES)};
        for (int i = 0; i < 2; i++) {
            int ended;
            CU_ASSERT_EQUAL(waitpid(writer[i], &ended, 0), writer[i]);
            CU_ASSERT(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
        }
        SCOPED(cache_file_release) struct cache_file *file = open_file(most_bytes);
        must(cache_file_walk(file, expect_whole, &sum, &error));
        CU_ASSERT(sum <= most_bytes);
        CU_ASSERT(round || cache_folders_count(file) == ARCHIVES + ARCHIVES / 2);
        end();
        begin();
    }
}

/* A file that is no database is renamed, and the next process begins a new one. A folder that
   cannot be made is an error. */
static void test_no_database(void)
{
    char name[128];
    struct cache_file *file;
    snprintf(name, sizeof name, "%s/plans.db", path);
    FILE *stream = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    for (int i = 0; i < 5000; i++)
        fputs("no database\n", stream);
    fclose(stream);
    CU_ASSERT_EQUAL(cache_file_open(path, ample, &file, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "renamed to .damaged"));
    CU_ASSERT_STRING_EQUAL(error.file, name);
    file = open_file(ample);
    add(file, 1, 10);
    expect_left(file, "1 ");
    cache_file_close(file);
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

};

int main(void)
{
    return testing_run_between("cache file", cases, sizeof cases / sizeof *cases, begin, end);
}
