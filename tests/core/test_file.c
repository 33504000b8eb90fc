#include "core/file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/text.h"
#include "support/must.h"

static const struct {
    const char *path, *stem, *extension;
} names[] = {
    {"a.csv", "a", "csv"},
    {"x/y.z/a.b.json", "a.b", "json"},
    {"a", "a", ""},
    {"x.y/a", "a", ""},
    {".csv", ".csv", ""},
    {"x/.csv", ".csv", ""},
    {"x/.a.csv", ".a", "csv"},
    {"a.", "a.", ""},
    {"", "", ""},
    {"x/", "", ""},
};

static void stems_and_extensions(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(memory_release) char *stem = file_name_stem(names[i].path);
        CU_ASSERT_PTR_NOT_NULL_FATAL(stem);
        CU_ASSERT_STRING_EQUAL(stem, names[i].stem);
        CU_ASSERT_STRING_EQUAL(file_name_extension(names[i].path), names[i].extension);
    }
    memory_fail_after(0);
    CU_ASSERT_PTR_NULL(file_name_stem("a.csv"));
    memory_fail_after(UINT64_MAX);
    CU_ASSERT(file_name_has_extension("x/a.csv", ".csv"));
    CU_ASSERT(file_name_has_extension("a.b.json", ".json"));
    static const char *const others[] = {"a.json", "acsv", "a.csv.gz", ".csv", "sv"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CU_ASSERT_FALSE(file_name_has_extension(others[i], ".csv"));
}

static void folders_are_created_with_their_parents(void)
{
    char top[] = "/tmp/memplan-folder-XXXXXX", inside[64];
    struct stat found;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
    snprintf(inside, sizeof inside, "%s/a/b c", top);
    for (int times = 0; times < 2; times++)
        must(file_create_folder(inside, &error));
    CU_ASSERT_EQUAL_FATAL(stat(inside, &found), 0);
    CU_ASSERT(S_ISDIR(found.st_mode));
    char *absolute;
    snprintf(inside, sizeof inside, "%s/a/../a/b c/.", top);
    must(file_find_absolute(inside, &absolute, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(absolute, "/a/b c"));
    CU_ASSERT_PTR_NULL(strstr(absolute, ".."));
    memory_free(absolute);
    snprintf(inside, sizeof inside, "%s/a/b c", top);
    rmdir(inside);
    snprintf(inside, sizeof inside, "%s/a", top);
    rmdir(inside);
    rmdir(top);
}

static void what_cannot_be_is_an_error(void)
{
    char *absolute;
    CU_ASSERT_EQUAL(file_create_folder("/dev/null/x", &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, "/dev/null/x");
    CU_ASSERT_EQUAL(file_find_absolute("/nowhere/x", &absolute, &error), STATUS_BAD_INPUT);
}

/* A new folder for each case of writing; path is of a file in it that does not exist yet. */
static char folder[] = "/tmp/memplan-text-XXXXXX";
static char path[64];

static void begin(void)
{
    memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file.txt", folder);
}

static void end(void)
{
    remove(path);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *opened = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(opened);
    for (struct dirent *entry; (entry = readdir(opened));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(opened);
    return count;
}

/* In two halves. */
static enum status write_bytes(const char *to, const char *bytes, size_t length)
{
    struct file_replace replace;
    size_t half = length / 2;
    enum status status = file_replace_open(&replace, to, &error);
    if (!status)
        status = file_replace_write(&replace, bytes, half, &error);
    if (!status)
        status = file_replace_write(&replace, bytes + half, length - half, &error);
    return file_replace_close(&replace, status, &error);
}

static void expect_content(const char *bytes, size_t length)
{
    struct text text;
    must(text_read_file(path, &text, &error));
    CU_ASSERT_EQUAL_FATAL(text.length, length);
    CU_ASSERT_EQUAL(memcmp(text.bytes, bytes, length), 0);
    CU_ASSERT_EQUAL(text.bytes[length], '\0');
    text_free(&text);
}

/* The old file is whole, and nothing lies beside it. */
static void expect_old_file(void)
{
    expect_content("old", 3);
    CU_ASSERT_EQUAL(count_files(), 1);
}

/* A limit on the size of files stands for a full disk. */
static void test_full_disk_leaves_the_old_file(void)
{
    static const char zeros[100000];
    struct rlimit before, small;
    begin();
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "old", 3), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 5000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum status status = write_bytes(path, zeros, sizeof zeros);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "cannot write: File too large");
    CU_ASSERT_STRING_EQUAL(error.file, path);
    expect_old_file();
    end();
}

static void test_no_memory_leaves_the_old_file(void)
{
    begin();
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "old", 3), STATUS_OK);
    memory_fail_after(0);
    CU_ASSERT_EQUAL(write_bytes(path, "new", 3), STATUS_INTERNAL);
    memory_fail_after(UINT64_MAX);
    expect_old_file();
    end();
}

/* Until it is closed the old file stands, and what is given up leaves nothing. */
static void test_given_up(void)
{
    struct file_replace replace;
    begin();
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "older", 5), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "old", 3), STATUS_OK);
    must(file_replace_open(&replace, path, &error));
    must(file_replace_write(&replace, "new", 3, &error));
    expect_content("old", 3);
    CU_ASSERT_EQUAL(count_files(), 2);
    CU_ASSERT_EQUAL(file_replace_close(&replace, STATUS_LIMIT, &error), STATUS_LIMIT);
    expect_old_file();
    end();
}

/* A missing folder is not made, and a folder is no file. */
static void test_refusals(void)
{
    char inside[128];
    begin();
    snprintf(inside, sizeof inside, "%s/missing/file.txt", folder);
    const char *const refusals[][2] = {{inside, "cannot create: No such file or directory"},
                                       {folder, "cannot create: Is a directory"}};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(write_bytes(refusals[i][0], "x", 1), STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.text, refusals[i][1]);
        CU_ASSERT_STRING_EQUAL(error.file, refusals[i][0]);
        CU_ASSERT_EQUAL(count_files(), 0);
    }
    end();
}

/* What is no plain file is written to, not replaced. */
static void test_devices_stay(void)
{
    struct stat found;
    CU_ASSERT_EQUAL(write_bytes("/dev/null", "x", 1), STATUS_OK);
    CU_ASSERT_EQUAL(stat("/dev/null", &found), 0);
    CU_ASSERT_TRUE(S_ISCHR(found.st_mode));
    if (access("/dev/full", W_OK) != 0) {
        testing_skip("writing to a full device, no /dev/full");
        return;
    }
    CU_ASSERT_EQUAL(write_bytes("/dev/full", "x", 1), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "cannot write: No space left on device");
}

static const struct test_case cases[] = {
    {"stems and extensions", stems_and_extensions},
    {"folders are created with their parents", folders_are_created_with_their_parents},
    {"folders that cannot be created or found", what_cannot_be_is_an_error},
    {"what is given up leaves the old file", test_given_up},
    {"a full disk leaves the old file", test_full_disk_leaves_the_old_file},
    {"no memory leaves the old file", test_no_memory_leaves_the_old_file},
    {"what cannot be written", test_refusals},
    {"devices are written straight", test_devices_stay},
};

TESTING_MAIN("core/file", cases)
