#include "results/published/published.h"

#include <stdlib.h>

#include "support/testing.h"

static void every_source_parses(void)
{
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(published_count(), 8);
    for (unsigned i = 0; i < published_count(); i++) {
        struct published_value name = published_at(i);
        CU_ASSERT_EQUAL(published_check(name.text, &error), STATUS_OK);
        CU_ASSERT(published_rows(name.text) > 1);
    }
}

static void rows_are_found_by_their_keys(void)
{
    uint64_t bytes;
    const char *const denoise[] = {"Denoise", "recursive", "large_first"};
    CU_ASSERT_FATAL(published_find_bytes("luna_memory", denoise, 3, "bytes", &bytes));
    CU_ASSERT_EQUAL(bytes, 98340);
    struct published_value value;
    const char *const no_reuse[] = {"cnn_block", "no_reuse"};
    CU_ASSERT_FATAL(published_find("ge", no_reuse, 2, "peak", &value));
    CU_ASSERT_STRING_EQUAL(value.text, "7.35");
    CU_ASSERT_FALSE(published_find_bytes("ge", no_reuse, 2, "peak", &bytes));
}

static void what_is_not_there_is_not_found(void)
{
    struct published_value value;
    struct error error = ERROR_NONE;
    const char *const no_reuse[] = {"cnn_block", "no_reuse"};
    const char *const unknown[] = {"unknown"};
    CU_ASSERT_FALSE(published_find("ge", no_reuse, 2, "saving_percent", &value));
    CU_ASSERT_FALSE(published_find("ge", no_reuse, 2, "nothing", &value));
    CU_ASSERT_FALSE(published_find("ge", unknown, 1, "peak", &value));
    CU_ASSERT_FALSE(published_find("nothing", unknown, 1, "peak", &value));
    CU_ASSERT_EQUAL(published_rows("nothing"), 0);
    CU_ASSERT_EQUAL(published_check("nothing", &error), STATUS_BAD_INPUT);
}

static void cells_are_counted_from_the_first_row(void)
{
    struct published_value value;
    CU_ASSERT_EQUAL(published_rows("minimalloc"), 11);
    CU_ASSERT_FATAL(published_cell("minimalloc", 0, "instance", &value));
    CU_ASSERT_STRING_EQUAL(value.text, "A");
    CU_ASSERT_FATAL(published_cell("minimalloc", 10, "minimalloc_ms", &value));
    CU_ASSERT_STRING_EQUAL(value.text, "628");
    CU_ASSERT_FALSE(published_cell("minimalloc", 11, "instance", &value));
}

static void the_patent_adds_up(void)
{
    struct published_value value, total;
    const char *const figure4[] = {"patent/figure4"};
    unsigned long sum = 0;
    for (unsigned i = 0; published_cell("patent", i, "megabytes", &value); i++)
        sum += strtoul(value.text, NULL, 10);
    CU_ASSERT_FATAL(published_find("worked", figure4, 1, "without_reuse", &total));
    CU_ASSERT_EQUAL(sum, strtoul(total.text, NULL, 10));
}

static void reconstructions_are_known(void)
{
    CU_ASSERT(published_is_reconstruction("luna/denoise"));
    CU_ASSERT_FALSE(published_is_reconstruction("zoo/lunar"));
}

static const struct test_case cases[] = {
    {"every source parses", every_source_parses},
    {"rows are found by their keys", rows_are_found_by_their_keys},
    {"what is not there is not found", what_is_not_there_is_not_found},
    {"cells are counted from the first row", cells_are_counted_from_the_first_row},
    {"the patent adds up", the_patent_adds_up},
    {"reconstructions are known", reconstructions_are_known},
};
TESTING_MAIN("results/published", cases)
