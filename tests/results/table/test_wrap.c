/* Text that is broken into lines. */
#include "results/table/wrap.h"
#include <string.h>

#include "support/testing.h"

static void rows_go_on_below_their_last_column(void)
{
    static const struct {
        const char *line, *wanted;
    } rows[] = {
        {"", "\n"},
        {"short", "short\n"},
        {"name    one two three four five", "name    one two three\n        four five\n"},
        {"one two three four five six", "one two three four\n  five six\n"},
        {"digest  0123456789abcdef0123", "digest\n  0123456789abcdef0123\n"},
        {"  a   caf\xc3\xa9 caf\xc3\xa9 caf\xc3\xa9 x",
         "  a   caf\xc3\xa9 caf\xc3\xa9 caf\xc3\xa9 x\n"},
        {"n       large_first,best_fit", "n       large_first,\n        best_fit\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        wrap_append_row(&text, rows[i].line, strlen(rows[i].line), 22);
        CU_ASSERT_FALSE_FATAL(text.failed);
        CU_ASSERT_STRING_EQUAL(text.bytes, rows[i].wanted);
    }
}

static void words_stay_whole_behind_a_blank(void)
{
    CU_ASSERT_EQUAL(wrap_find_break("--apply quantise:block2_depthwise", 30), 8);
    CU_ASSERT_EQUAL(wrap_find_break("quantise:block2_depthwise", 20), 16);
    CU_ASSERT_EQUAL(wrap_find_break("--apply quantise:block2", 23), 23);
}

static void commands_stay_commands(void)
{
    SCOPED(text_free) struct text text = {0};
    wrap_append_command(&text, "run  ", "memplan plan a.csv -o b.csv", 24);
    CU_ASSERT_STRING_EQUAL(text.bytes, "run  memplan plan \\\n     a.csv -o b.csv\n");
}

static const struct test_case cases[] = {
    {"rows go on below their last column", rows_go_on_below_their_last_column},
    {"words stay whole behind a blank", words_stay_whole_behind_a_blank},
    {"commands stay commands", commands_stay_commands},
};
TESTING_MAIN("results/wrap", cases)
