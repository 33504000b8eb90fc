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
        char *stem = file_name_stem(names[i].path);
        CU_ASSERT_PTR_NOT_NULL_FATAL(stem);
        CU_ASSERT_STRING_EQUAL(stem, names[i].stem);
        CU_ASSERT_STRING_EQUAL(file_name_extension(names[i].path), names[i].extension);
        memory_free(stem);
    }
}

static void whether_a_path_has_an_extension(void)
{
    CU_ASSERT(file_name_has_extension("x/a.csv", ".csv"));
    CU_ASSERT(file_name_has_extension("a.b.json", ".json"));
    CU_ASSERT_FALSE(file_name_has_extension("a.csv", ".json"));
    CU_ASSERT_FALSE(file_name_has_extension("acsv", ".csv"));
    CU_ASSERT_FALSE(file_name_has_extension("a.csv.gz", ".csv"));
    CU_ASSERT_FALSE(file_name_has_extension(".csv", ".csv"));
    CU_ASSERT_FALSE(file_name_has_extension("sv", ".csv"));
}

static void a_stem_without_memory(void)
{
    memory_fail_after(0);
    CU_ASSERT_PTR_NULL(file_name_stem("a.csv"));
    memory_fail_after(UINT64_MAX);
}

static const struct test_case cases[] = {
    {"stems and extensions", stems_and_extensions},
    {"whether a path has an extension", whether_a_path_has_an_extension},
    {"a stem without memory", a_stem_without_memory},
};

TESTING_MAIN("core/file_name", cases)
