#include "plots/script/script.h"

#include <string.h>

#include "support/testing.h"

static void text_stays_inside_its_quotes(void)
{
    SCOPED(text_free) struct text script = {0};
    script_set_text(&script, "title", "it's `touch x` \\n $a\nEOD");
    script_add_field(&script, "a \"b\" \\n 'c'\nEOD");
    CU_ASSERT_STRING_EQUAL(script.bytes, "title = 'it\xe2\x80\x99s `touch x` \\n $a EOD'\n"
                                         "\"a 'b' /n 'c' EOD\"");
}

static void a_head_names_the_plot(void)
{
    SCOPED(text_free) struct text script = {0};
    struct script_head head = {"gaps", 800, 300, "Title", "Subtitle"};
    script_begin(&script, &head);
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "gnuplot gaps.gp > gaps.svg"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "width = 800\nheight = 300\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "set terminal svg"));
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
    SCOPED(text_free) struct text text = {0};
    script_add_grouped(&text, 7);
    text_append(&text, ",");
    script_add_grouped(&text, 1000);
    text_append(&text, ",");
    script_add_grouped(&text, UINT64_MAX);
    CU_ASSERT_STRING_EQUAL(text.bytes, "7,1 000,18 446 744 073 709 551 615");
}

static void data_is_copied_without_the_script(void)
{
    struct text script = {0}, data = {0};
    text_append(&script, "a = '$x << EOD'\n");
    script_begin_data(&script, "first");
    text_append(&script, "1 2\n$3 << EOD\n");
    script_end_data(&script);
    text_append(&script, "plot $first\n");
    script_begin_data(&script, "second");
    script_end_data(&script);
    script_copy_data(&script, &data);
    CU_ASSERT_STRING_EQUAL(data.bytes, "# first\n1 2\n$3 << EOD\n\n\n# second\n");
    text_free(&script);
    text_free(&data);
}

static void elements_stay_inside_their_quotes(void)
{
    SCOPED(text_free) struct text script = {0};
    script_begin_array(&script, "name", 2);
    script_set_element(&script, "name", 1, "it's");
    CU_ASSERT_STRING_EQUAL(script.bytes, "array name[2]\nname[2] = 'it\xe2\x80\x99s'\n");
}

static const struct test_case cases[] = {
    {"text stays inside its quotes", text_stays_inside_its_quotes},
    {"a head names the plot", a_head_names_the_plot},
    {"units keep numbers short", units_keep_numbers_short},
    {"numbers are grouped", numbers_are_grouped},
    {"data is copied without the script", data_is_copied_without_the_script},
    {"elements stay inside their quotes", elements_stay_inside_their_quotes},
};
TESTING_MAIN("plots/script", cases)
