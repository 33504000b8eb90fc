#include "core/embedded.h"

#include "support/testing.h"

static const struct embedded_file files[] = {
    {"a/one.json", "1", 1}, {"a/one.jsonl", "2", 1}, {"one.json", "3", 1}, {"b/one", "4", 1}};

/* The number of the file from 1, 0 for none: only whole names count. */
static void names_are_put_together(void)
{
    static const struct {
        const char *folder, *stem, *extension;
        int number;
    } rows[] = {{"a/", "one", ".json", 1}, {"a/", "one", ".jsonl", 2},
                {"", "one", ".json", 3},   {"", "a/one.json", "", 1},
                {"b/", "one", "", 4},      {"a/", "on", ".json", 0},
                {"a/", "one", ".jso", 0},  {"b/", "one", ".json", 0},
                {"a", "one", ".json", 0},  {"", "", "", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_PTR_EQUAL(
            embedded_find(files, 4, rows[i].folder, rows[i].stem, rows[i].extension),
            rows[i].number ? &files[rows[i].number - 1] : NULL);
    CU_ASSERT_PTR_NULL(embedded_find(files, 0, "", "one", ".json"));
}

static const struct test_case cases[] = {{"names are put together", names_are_put_together}};

TESTING_MAIN("core/embedded", cases)
