#include "core/embedded.h"

#include "support/testing.h"

static const struct embedded_file files[] = {
    {"a/one.json", "1", 1}, {"a/one.jsonl", "2", 1}, {"one.json", "3", 1}, {"b/one", "4", 1}};

static const struct embedded_file *find(const char *folder, const char *stem, const char *extension)
{
    return embedded_find(files, 4, folder, stem, extension);
}

static void names_are_put_together(void)
{
    CU_ASSERT_PTR_EQUAL(find("a/", "one", ".json"), &files[0]);
    CU_ASSERT_PTR_EQUAL(find("a/", "one", ".jsonl"), &files[1]);
    CU_ASSERT_PTR_EQUAL(find("", "one", ".json"), &files[2]);
    CU_ASSERT_PTR_EQUAL(find("", "a/one.json", ""), &files[0]);
    CU_ASSERT_PTR_EQUAL(find("b/", "one", ""), &files[3]);
}

static void whole_names_only(void)
{
    CU_ASSERT_PTR_NULL(find("a/", "on", ".json"));
    CU_ASSERT_PTR_NULL(find("a/", "one", ".jso"));
    CU_ASSERT_PTR_NULL(find("b/", "one", ".json"));
    CU_ASSERT_PTR_NULL(find("a", "one", ".json"));
    CU_ASSERT_PTR_NULL(find("", "", ""));
    CU_ASSERT_PTR_NULL(embedded_find(files, 0, "", "one", ".json"));
}

static const struct test_case cases[] = {
    {"names are put together", names_are_put_together},
    {"whole names only", whole_names_only},
};

TESTING_MAIN("core/embedded", cases)
