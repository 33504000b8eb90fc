#include "plots/figures/script.h"

#include <string.h>

#include "support/testing.h"

static void text_stays_inside_its_quotes(void)
{
    struct text script = {0};
    script_set_text(&script, "title", "it's `touch x` \\n $a\nEOD");
    script_add_field(&script, "a \"b\" \\n 'c'\nEOD");
    CU_ASSERT_STRING_EQUAL(script.bytes, "title = 'it\xe2\x80\x99s `touch x` \\n $a EOD'\n"
                                         "\"a 'b' /n 'c' EOD\"");
    text_free(&script);
}

static void a_head_names_the_plot(void)
{
    struct text script = {0};
    struct script_head head = {"gaps", 800, 300, "Title", "Subtitle"};
    script_begin(&script, &head);
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "gnuplot gaps.gp > gaps.svg"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "width = 800\nheight = 300\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "set terminal svg"));
    text_free(&script);
}

static void units_keep_numbers_short(void)
{
    uint64_t factor;
    CU_ASSERT_STRING_EQUAL(script_unit(0, &factor), "bytes");
    CU_ASSERT_STRING_EQUAL(script_unit(8191, &factor), "bytes");
    CU_ASSERT_EQUAL(factor, 1);
    CU_ASSERT_STRING_EQUAL(script_unit(489600, &factor), "KiB");
    CU_ASSERT_EQUAL(factor, 1024);
    CU_ASSERT_STRING_EQUAL(script_unit(UINT64_MAX, &factor), "GiB");
}

static void numbers_are_grouped(void)
{
    struct text text = {0};
    script_add_grouped(&text, 7);
    text_append(&text, ",");
    script_add_grouped(&text, 1000);
    text_append(&text, ",");
    script_add_grouped(&text, UINT64_MAX);
    CU_ASSERT_STRING_EQUAL(text.bytes, "7,1 000,18 446 744 073 709 551 615");
    text_free(&text);
}

static const struct test_case cases[] = {
    {"text stays inside its quotes", text_stays_inside_its_quotes},
    {"a head names the plot", a_head_names_the_plot},
    {"units keep numbers short", units_keep_numbers_short},
    {"numbers are grouped", numbers_are_grouped},
};
TESTING_MAIN("plots/script", cases)
