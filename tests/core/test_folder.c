#include "core/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "support/testing.h"

static void folders_are_created_with_their_parents(void)
{
    char top[] = "/tmp/memplan-folder-XXXXXX", path[64];
    struct error error = ERROR_NONE;
    struct stat found;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
    snprintf(path, sizeof path, "%s/a/b c", top);
    for (int times = 0; times < 2; times++)
        CU_ASSERT_EQUAL(folder_create(path, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(stat(path, &found), 0);
    CU_ASSERT(S_ISDIR(found.st_mode));
    char *absolute;
    snprintf(path, sizeof path, "%s/a/../a/b c/.", top);
    CU_ASSERT_EQUAL_FATAL(folder_find_absolute(path, &absolute, &error), STATUS_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(absolute, "/a/b c"));
    CU_ASSERT_PTR_NULL(strstr(absolute, ".."));
    memory_free(absolute);
    snprintf(path, sizeof path, "%s/a/b c", top);
    rmdir(path);
    snprintf(path, sizeof path, "%s/a", top);
    rmdir(path);
    rmdir(top);
}

static void what_cannot_be_is_an_error(void)
{
    char *absolute;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(folder_create("/dev/null/x", &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, "/dev/null/x");
    CU_ASSERT_EQUAL(folder_find_absolute("/nowhere/x", &absolute, &error), STATUS_BAD_INPUT);
}

static const struct test_case cases[] = {
    {"folders are created with their parents", folders_are_created_with_their_parents},
    {"what cannot be is an error", what_cannot_be_is_an_error},
};

TESTING_MAIN("core/folder", cases)
