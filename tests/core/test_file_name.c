#include "core/file_name.h"

#include <stddef.h>

#include "core/memory.h"
#include "support/testing.h"

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

static const struct test_case cases[] = {{"stems and extensions", stems_and_extensions}};

TESTING_MAIN("core/file_name", cases)
