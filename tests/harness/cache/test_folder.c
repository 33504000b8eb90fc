#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache_folders.h"
#include "harness/cache/archive.h"
#include "support/testing.h"

static const uint64_t ample = UINT64_C(1) << 30;

/* Adds a file of a number of equal bytes. */
static bool add(const struct cache_folder *folder, unsigned number, size_t bytes)
{
    struct cache_digests digests = cache_folders_digests(1, number, 2);
    struct text text = {0};
    struct error error = ERROR_NONE;
    bool added = false;
    char *block = malloc(bytes);
    memset(block, 'a' + (int)(number % 26), bytes);
    text_append_bytes(&text, block, bytes);
    free(block);
    CU_ASSERT_EQUAL(cache_folder_add(folder, &digests, &text, &added, &error), STATUS_OK);
    text_free(&text);
    return added;
}

static struct cache_entries list(const struct cache_folder *folder)
{
    struct cache_entries entries;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(cache_folder_list(folder, &entries, &error), STATUS_OK);
    return entries;
}

/* The structures' digests, which add made of numbers, say which files are left. */
static void expect_left(const struct cache_folder *folder, const unsigned *number, unsigned count)
{
    struct cache_entries entries = list(folder);
    CU_ASSERT_EQUAL_FATAL(entries.count, count);
    for (unsigned i = 0; i < count; i++)
        CU_ASSERT_EQUAL(strtoul(entries.entry[i].digests.of[CACHE_STRUCTURE], NULL, 16), number[i]);
    cache_entries_free(&entries);
}

static void test_first_in_first_out(void)
{
    char path[64];
    struct cache_folder folder = cache_folders_create(path, 1000);
    for (unsigned i = 1; i <= 3; i++)
        CU_ASSERT_TRUE(add(&folder, i, 300));
    expect_left(&folder, (const unsigned[]){1, 2, 3}, 3);
    CU_ASSERT_TRUE(add(&folder, 4, 300));
    expect_left(&folder, (const unsigned[]){2, 3, 4}, 3);
    CU_ASSERT_TRUE(add(&folder, 5, 700));
    expect_left(&folder, (const unsigned[]){4, 5}, 2);
    CU_ASSERT_FALSE(add(&folder, 5, 10));
    CU_ASSERT_FALSE(add(&folder, 6, 1001));
    expect_left(&folder, (const unsigned[]){4, 5}, 2);
    CU_ASSERT_TRUE(add(&folder, 6, 1000));
    expect_left(&folder, (const unsigned[]){6}, 1);
    cache_folders_remove(&folder);
}

static void test_set_aside(void)
{
    char path[64];
    struct cache_folder folder = cache_folders_create(path, ample);
    struct error error;
    add(&folder, 1, 10);
    struct cache_entries entries = list(&folder);
    CU_ASSERT_EQUAL(cache_folder_set_aside(&folder, entries.entry[0].file, &error), STATUS_OK);
    cache_entries_free(&entries);
    entries = list(&folder);
    CU_ASSERT_EQUAL_FATAL(entries.count, 1);
    CU_ASSERT_TRUE(entries.entry[0].damaged);
    cache_entries_free(&entries);
    CU_ASSERT_TRUE(add(&folder, 1, 10));
    CU_ASSERT_EQUAL(cache_folders_count(&folder, ".damaged"), 1);
    cache_folders_remove(&folder);
}

static void touch(const struct cache_folder *folder, const char *file)
{
    struct text name = {0};
    struct error error;
    CU_ASSERT_EQUAL_FATAL(cache_folder_path(folder, file, &name, &error), STATUS_OK);
    int descriptor = open(name.bytes, O_CREAT | O_WRONLY, 0666);
    CU_ASSERT(descriptor >= 0);
    close(descriptor);
    text_free(&name);
}

/* Files of others stay, whatever they are called; what a killed writer left goes. */
static void test_other_files(void)
{
    static const char *const others[] = {
        "notes.txt",
        "0000000000000001-12.mpa",
        "0000000000000001-0000000000000000000000000000000000000000000000000000000000000000.mpa",
        "g000000000000001-x.mpa",
        ".mpa",
        "-"};
    char path[64];
    uint32_t removed;
    struct error error;
    struct cache_folder folder = cache_folders_create(path, 100);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        touch(&folder, others[i]);
    touch(&folder, "0000000000000009-x.mpa.123.part");
    add(&folder, 1, 60);
    add(&folder, 2, 60);
    expect_left(&folder, (const unsigned[]){2}, 1);
    CU_ASSERT_EQUAL(cache_folders_count(&folder, ".part"), 0);
    CU_ASSERT_EQUAL(cache_folder_clear(&folder, &removed, &error), STATUS_OK);
    CU_ASSERT_EQUAL(removed, 1);
    CU_ASSERT_EQUAL(cache_folders_count(&folder, ""), sizeof others / sizeof *others + 1);
    cache_folders_remove(&folder);
}

/* Files that are archives, so that a half-written one is seen. */
static void add_archive(const struct cache_folder *folder, unsigned number)
{
    struct cache_digests digests = cache_folders_digests(1, number, 2);
    struct archive archive = {0};
    struct text bytes = {0};
    struct error error;
    bool added;
    uint64_t state = number;
    struct text *body = archive_add(&archive, "plan");
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        text_append(body, "%llu,", (unsigned long long)(state >> 33));
    }
    if (archive_write(&archive, &bytes, &error) ||
        cache_folder_add(folder, &digests, &bytes, &added, &error))
        _exit(1);
    archive_free(&archive);
    text_free(&bytes);
}

static void expect_whole(const struct cache_folder *folder)
{
    struct cache_entries entries = list(folder);
    for (uint32_t i = 0; i < entries.count; i++) {
        struct text path = {0}, bytes = {0};
        struct archive archive = {0};
        struct error error;
        CU_ASSERT_EQUAL_FATAL(cache_folder_path(folder, entries.entry[i].file, &path, &error),
                              STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(text_read_file(path.bytes, &bytes, &error), STATUS_OK);
        CU_ASSERT_EQUAL(archive_read(&bytes, path.bytes, &archive, &error), STATUS_OK);
        archive_free(&archive);
        text_free(&bytes);
        text_free(&path);
    }
    cache_entries_free(&entries);
}

static void nap(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* A writer is killed at all times of its work; what it leaves is whole, and the next one cleans up.
 */
static void test_killed_while_writing(void)
{
    char path[64];
    struct cache_folder folder = cache_folders_create(path, ample);
    for (int round = 0; round < TESTING_COUNT(40, 8); round++) {
        pid_t writer = fork();
        CU_ASSERT_FATAL(writer >= 0);
        if (!writer)
            for (unsigned i = 0;; i++)
                add_archive(&folder, (unsigned)round * 1000 + i);
        nap(1000000L + round * 700000L);
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        expect_whole(&folder);
    }
    add(&folder, 999999, 1);
    CU_ASSERT_EQUAL(cache_folders_count(&folder, ".part"), 0);
    cache_folders_remove(&folder);
}

enum { FILES = 30 };

static pid_t start_writer(const struct cache_folder *folder, unsigned first)
{
    pid_t writer = fork();
    CU_ASSERT_FATAL(writer >= 0);
    if (writer)
        return writer;
    for (unsigned i = 0; i < FILES; i++)
        add_archive(folder, first + i);
    _exit(0);
}

static void expect_distinct(const struct cache_folder *folder)
{
    struct cache_entries entries = list(folder);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < entries.count; i++) {
        sum += entries.entry[i].bytes;
        for (uint32_t k = 0; k < i; k++) {
            CU_ASSERT_NOT_EQUAL(entries.entry[i].sequence, entries.entry[k].sequence);
            CU_ASSERT_NOT_EQUAL(memcmp(&entries.entry[i].digests, &entries.entry[k].digests,
                                       sizeof entries.entry[i].digests),
                                0);
        }
    }
    CU_ASSERT(sum <= folder->most_bytes);
    cache_entries_free(&entries);
}

static void run_two(uint64_t most_bytes, unsigned expected)
{
    char path[64];
    struct cache_folder folder = cache_folders_create(path, most_bytes);
    pid_t writer[2] = {start_writer(&folder, 0), start_writer(&folder, FILES / 2)};
    for (int i = 0; i < 2; i++) {
        int end;
        CU_ASSERT_EQUAL(waitpid(writer[i], &end, 0), writer[i]);
        CU_ASSERT(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    }
    expect_whole(&folder);
    expect_distinct(&folder);
    CU_ASSERT(!expected || cache_folders_count(&folder, ".mpa") == expected);
    cache_folders_remove(&folder);
}

/* Half of what the two add is the same. */
static void test_two_processes(void)
{
    run_two(ample, FILES + FILES / 2);
    run_two(1000000, 0);
}

static void test_no_folder(void)
{
    struct cache_folder folder = {"/proc/self/none", ample};
    struct cache_entries entries;
    struct error error;
    CU_ASSERT_EQUAL(cache_folder_list(&folder, &entries, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(cache_folder_create("/proc/self/none/deep", &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.file, "/proc/self/none"));
}

static const struct test_case cases[] = {
    {"the oldest files make room", test_first_in_first_out},
    {"a file that is set aside is not found", test_set_aside},
    {"files of others stay", test_other_files},
    {"a killed writer leaves nothing half-written", test_killed_while_writing},
    {"two processes write at once", test_two_processes},
    {"a folder that cannot be is an error", test_no_folder},
};

TESTING_MAIN("folder", cases)
