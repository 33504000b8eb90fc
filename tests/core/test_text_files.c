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
#include "support/testing.h"

static struct error error;

/* A new folder for each case; path is of a file in it that does not exist yet. */
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

static enum status write_bytes(const char *to, const char *bytes, size_t length)
{
    struct text text = {0};
    text_append_bytes(&text, bytes, length);
    enum status status = text_write_file(to, &text, &error);
    text_free(&text);
    return status;
}

static void expect_content(const char *bytes, size_t length)
{
    struct text text;
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(text.length, length);
    CU_ASSERT_EQUAL(memcmp(text.bytes, bytes, length), 0);
    CU_ASSERT_EQUAL(text.bytes[length], '\0');
    text_free(&text);
}

static void test_write_and_read(void)
{
    begin();
    CU_ASSERT_EQUAL(write_bytes(path, "one\0two\r\n", 9), STATUS_OK);
    expect_content("one\0two\r\n", 9);
    CU_ASSERT_EQUAL(write_bytes(path, "", 0), STATUS_OK);
    expect_content("", 0);
    CU_ASSERT_EQUAL(count_files(), 1);
    end();
}

/* A text that nothing was written to has no bytes at all. */
static void test_write_empty_text(void)
{
    const struct text empty = {0};
    begin();
    CU_ASSERT_EQUAL(text_write_file(path, &empty, &error), STATUS_OK);
    expect_content("", 0);
    end();
}

static void test_large_file(void)
{
    enum { LENGTH = 300001 };
    char *bytes = memory_allocate(LENGTH, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (char)('a' + i % 23);
    begin();
    CU_ASSERT_EQUAL(write_bytes(path, bytes, LENGTH), STATUS_OK);
    expect_content(bytes, LENGTH);
    end();
    memory_free(bytes);
}

static void expect_unreadable(const char *from, const char *reason)
{
    struct text text = {.length = 99};
    uint64_t live = memory_live_blocks();
    CU_ASSERT_EQUAL(text_read_file(from, &text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, from);
    CU_ASSERT_EQUAL(error.line, 0);
    CU_ASSERT_STRING_EQUAL(error.text, reason);
    CU_ASSERT_EQUAL(text.length, 0);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
}

static void test_unreadable(void)
{
    begin();
    expect_unreadable(path, "cannot open: No such file or directory");
    expect_unreadable(folder, "cannot read: Is a directory");
    end();
}

static void test_read_without_memory(void)
{
    struct text text;
    begin();
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "abc", 3), STATUS_OK);
    uint64_t live = memory_live_blocks();
    memory_fail_after(0);
    CU_ASSERT_EQUAL(text_read_file(path, &text, &error), STATUS_INTERNAL);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
    end();
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
    struct text text = {0};
    begin();
    CU_ASSERT_EQUAL_FATAL(write_bytes(path, "old", 3), STATUS_OK);
    text_append(&text, "new");
    memory_fail_after(0);
    CU_ASSERT_EQUAL(text_write_file(path, &text, &error), STATUS_INTERNAL);
    expect_old_file();
    memory_fail_after(0);
    text_append(&text, "%1000s", "");
    CU_ASSERT_EQUAL(text_write_file(path, &text, &error), STATUS_INTERNAL);
    expect_old_file();
    text_free(&text);
    end();
}

static void test_missing_folder(void)
{
    char inside[128];
    begin();
    snprintf(inside, sizeof inside, "%s/missing/file.txt", folder);
    CU_ASSERT_EQUAL(write_bytes(inside, "x", 1), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "cannot create: No such file or directory");
    CU_ASSERT_STRING_EQUAL(error.file, inside);
    CU_ASSERT_EQUAL(count_files(), 0);
    end();
}

static void test_folder_is_no_file(void)
{
    begin();
    CU_ASSERT_EQUAL(write_bytes(folder, "x", 1), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "cannot create: Is a directory");
    CU_ASSERT_EQUAL(count_files(), 0);
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
    {"write and read", test_write_and_read},
    {"write an empty text", test_write_empty_text},
    {"a file of many blocks", test_large_file},
    {"what cannot be read", test_unreadable},
    {"reading without memory", test_read_without_memory},
    {"a full disk leaves the old file", test_full_disk_leaves_the_old_file},
    {"no memory leaves the old file", test_no_memory_leaves_the_old_file},
    {"a missing folder is not made", test_missing_folder},
    {"a folder is no file", test_folder_is_no_file},
    {"devices are written straight", test_devices_stay},
};

TESTING_MAIN("core/text_files", cases)
