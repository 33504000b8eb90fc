#include <string.h>

#include "results/table/escape.h"
#include "results/table/table.h"
#include "support/must.h"
#include "support/testing.h"

static void check(const struct table *table, const char *wanted)
{
    SCOPED(text_free) struct text text = {0};
    must(table_write(table, "text", &text, &error));
    CU_ASSERT_STRING_EQUAL(text.bytes, wanted);
}

/* Whether the table as text has these words, and no line wider than a page or that ends in
   blanks. */
static bool fits_with(const struct table *table, const char *words)
{
    SCOPED(text_free) struct text text = {0};
    struct text_line line = {0};
    size_t width = table->width ? table->width : TABLE_USUAL_WIDTH;
    bool fits = table_write(table, "text", &text, &error) == STATUS_OK;
    while (fits && text_next_line(&text, &line)) {
        char copy[1024];
        snprintf(copy, sizeof copy, "%.*s", (int)line.length, line.start);
        fits = escape_width(copy) <= width && (!*copy || copy[strlen(copy) - 1] != ' ');
    }
    fits = fits && strstr(text.bytes, words);
    return fits;
}

static void a_small_table(void)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "A & <B>");
    table_add_column(&table, "name", "", TABLE_LEFT);
    table_add_column(&table, "lower bound", "bytes", TABLE_RIGHT);
    table_add_column(&table, "gap", "%", TABLE_RIGHT);
    table_add(&table, cell_text("a|b \xc3\xa9\n_"), cell_number(264), cell_real(0.5, 2),
              cell_text("mean"), cell_missing(), cell_text("invalid"));
    table_mark(&table, 0, 1);
    table_set_foot(&table, 1);
    table_add_note(&table, "a note");
    check(&table, "A & <B>\n\n"
                  "name       lower  gap (%)\n"
                  "           bound\n"
                  "         (bytes)\n"
                  "-------  -------  -------\n"
                  "a|b \xc3\xa9 _     264*     0.50\n"
                  "-------  -------  -------\n"
                  "mean          -   invalid\n"
                  "\n- a note\n");
}

static void sentences_are_broken(void)
{
    SCOPED(table_free) struct table table = {.width = 120};
    table_set_title(&table, "words and words and words and words and words and words and words and "
                            "words and words and words and words and words and words");
    table_add_column(&table, "planner", "", TABLE_LEFT);
    table_add_column(&table, "reason", "", TABLE_LEFT);
    table_add_column(&table, "number", "", TABLE_RIGHT);
    table_add(&table, cell_text("a"),
              cell_text("some words and more words and more words and more words and more words "
                        "and more words and more words and more words and the last word"),
              cell_number(1));
    CU_ASSERT_TRUE(fits_with(&table, "\n         and more words and the last word\n"));
    CU_ASSERT_FALSE(fits_with(&table, "left out"));
}

static void columns_are_left_out_by_rank(void)
{
    SCOPED(table_free) struct table table = {.width = 120};
    char heading[32];
    for (uint32_t i = 0; i < 30; i++) {
        snprintf(heading, sizeof heading, "column%02u", i);
        table_add_column(&table, heading, "", TABLE_RIGHT);
        table_rank_column(&table, i, i == 29 ? 0 : i);
    }
    for (uint32_t i = 0; i < 30; i++)
        table_add(&table, cell_number(i));
    CU_ASSERT_TRUE(fits_with(&table, "column00  column01  column02"));
    CU_ASSERT_TRUE(fits_with(&table, "column09  column10  column29"));
    CU_ASSERT_TRUE(fits_with(&table, "18 of 30 columns are left out"));
    CU_ASSERT_TRUE(fits_with(&table, "(column11, column12, column13, column14, ...)"));
}

/* Long names are broken behind what separates their parts, before a column is left out. */
static void names_are_broken(void)
{
    SCOPED(table_free) struct table table = {.width = 70};
    table_add_column(&table, "instance", "", TABLE_LEFT);
    table_add_column(&table, "peak", "bytes", TABLE_RIGHT);
    table_add_column(&table, "by", "", TABLE_LEFT);
    table_add(&table, cell_text("generate:layered?buffers=10000&live=200&seed=1"),
              cell_number(1234567), cell_text("tflite_greedy_by_size"));
    CU_ASSERT_TRUE(fits_with(&table, "\ngenerate:layered?buffers=10000&  "));
    CU_ASSERT_TRUE(fits_with(&table, "\nlive=200&seed=1\n"));
    CU_ASSERT_FALSE(fits_with(&table, "left out"));
}

static void one_wide_word(void)
{
    SCOPED(table_free) struct table table = {0};
    char word[300];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    table_add_column(&table, word, "", TABLE_LEFT);
    table_add(&table, cell_text(word));
    table_add_note(&table, "%s", word);
    CU_ASSERT_TRUE(fits_with(&table, "xxx\nxxx"));
}

static void no_rows(void)
{
    SCOPED(table_free) struct table table = {0};
    table_add_column(&table, "name", "", TABLE_LEFT);
    check(&table, "\n\nname\n----\n");
}

static const struct test_case cases[] = {
    {"a small table", a_small_table},
    {"sentences are broken", sentences_are_broken},
    {"columns are left out by rank", columns_are_left_out_by_rank},
    {"names are broken", names_are_broken},
    {"one wide word", one_wide_word},
    {"no rows", no_rows},
};
TESTING_MAIN("results/table/plain", cases)
