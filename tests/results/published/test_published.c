#include "results/published/published.h"

#include <stdlib.h>
#include <string.h>

#include "core/embedded.h"
#include "core/text.h"
#include "support/testing.h"

extern const struct embedded_file published_files[];
extern const unsigned published_files_count;

/* How many fields the line has; none is too long. */
static unsigned count_fields(const struct text_line *line)
{
    unsigned fields = 1;
    size_t length = 0;
    for (size_t i = 0; i < line->length; i++) {
        length = line->start[i] == ',' ? 0 : length + 1;
        fields += line->start[i] == ',';
        CU_ASSERT(length < sizeof(struct published_value));
    }
    return fields;
}

/* Rows below the heading, each with as many fields. */
static unsigned check_source(const struct embedded_file *file)
{
    struct text text = {.bytes = (char *)file->bytes, .length = file->length};
    struct text_line line = {0};
    unsigned lines = 0, fields = 0;
    while (text_next_line(&text, &line)) {
        if (!line.length || *line.start == '#')
            continue;
        if (!lines++)
            fields = count_fields(&line);
        CU_ASSERT_EQUAL(count_fields(&line), fields);
    }
    return lines - 1;
}

static void every_source_parses(void)
{
    CU_ASSERT_EQUAL(published_files_count, 10);
    for (unsigned i = 0; i < published_files_count; i++)
        CU_ASSERT(check_source(&published_files[i]) > 1);
}

static void rows_are_found_by_their_keys(void)
{
    uint64_t bytes;
    const char *const denoise[] = {"Table 2", "Denoise: large_first"};
    CU_ASSERT_FATAL(published_find_bytes("wang2025", denoise, 2, "printed", &bytes));
    CU_ASSERT_EQUAL(bytes, 98340);
    struct published_value value;
    const char *const saving[] = {"6.3", "saving"}, *const pool[] = {"6.1", "Pool out"};
    CU_ASSERT_FATAL(published_find("ge", saving, 2, "printed", &value));
    CU_ASSERT_STRING_EQUAL(value.text, "54");
    CU_ASSERT_FALSE(published_find_bytes("ge", pool, 2, "printed", &bytes));
}

static void what_is_not_there_is_not_found(void)
{
    struct published_value value;
    const char *const pool[] = {"6.1", "Pool out"};
    const char *const unknown[] = {"unknown"};
    CU_ASSERT_FALSE(published_find("ge", pool, 2, "verdict", &value));
    CU_ASSERT_FALSE(published_find("ge", pool, 2, "nothing", &value));
    CU_ASSERT_FALSE(published_find("ge", unknown, 1, "printed", &value));
    CU_ASSERT_FALSE(published_find("nothing", unknown, 1, "peak", &value));
    CU_ASSERT_FALSE(published_cell("nothing", 0, "printed", &value));
    CU_ASSERT_FALSE(published_cell("ge", 0, "nothing", &value));
}

static void cells_are_counted_from_the_first_row(void)
{
    struct published_value value;
    CU_ASSERT_FATAL(published_cell("minimalloc", 0, "figure", &value));
    CU_ASSERT_STRING_EQUAL(value.text, "A");
    CU_ASSERT_FATAL(published_cell("minimalloc", 10, "printed", &value));
    CU_ASSERT_STRING_EQUAL(value.text, "628");
    CU_ASSERT_FALSE(published_cell("minimalloc", 600, "figure", &value));
}

static void the_patent_adds_up(void)
{
    struct published_value value, total;
    const char *const reuse[] = {"97", "without reuse"};
    unsigned long sum = 0;
    for (unsigned i = 0; published_cell("patent", i, "place", &value); i++)
        if (strcmp(value.text, "Table 2") == 0 && published_cell("patent", i, "printed", &value))
            sum += strtoul(value.text, NULL, 10);
    CU_ASSERT_FATAL(published_find("patent", reuse, 2, "printed", &total));
    CU_ASSERT_EQUAL(sum, strtoul(total.text, NULL, 10));
}

static const struct test_case cases[] = {
    {"every source parses", every_source_parses},
    {"rows are found by their keys", rows_are_found_by_their_keys},
    {"what is not there is not found", what_is_not_there_is_not_found},
    {"cells are counted from the first row", cells_are_counted_from_the_first_row},
    {"the patent adds up", the_patent_adds_up},
};
TESTING_MAIN("results/published", cases)
