#include "results/table/escape.h"
#include "support/testing.h"

static void check(void (*escape)(struct text *, const char *), const char *raw, const char *wanted)
{
    struct text text = {0};
    text_append_bytes(&text, "", 0);
    escape(&text, raw);
    CU_ASSERT_FALSE_FATAL(text.failed);
    CU_ASSERT_STRING_EQUAL(text.bytes, wanted);
    text_free(&text);
}

static void html_is_content_only(void)
{
    check(escape_html, "<b a='1' c=\"2\">&amp;",
          "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;");
}

static void markdown_cannot_end_a_cell(void)
{
    check(escape_markdown, "a|b\\|c\nd", "a\\|b\\\\\\|c d");
    check(escape_markdown, "large_first", "large_first");
    check(escape_markdown, "_x_ *y* `z` <i> [k](l) ~m~",
          "\\_x\\_ \\*y\\* \\`z\\` \\<i\\> \\[k\\](l) \\~m\\~");
}

static void tex_has_no_commands(void)
{
    check(escape_tex, "\\input{x} 5% a_b $ # & ~ ^",
          "\\textbackslash{}input\\{x\\} 5\\% a\\_b \\$ \\# \\& \\textasciitilde{} "
          "\\textasciicircum{}");
}

static void csv_is_quoted_where_needed(void)
{
    check(escape_csv, "plain", "plain");
    check(escape_csv, "a,b", "\"a,b\"");
    check(escape_csv, "say \"x\"", "\"say \"\"x\"\"\"");
    check(escape_csv, "two\nlines", "\"two lines\"");
}

static void json_keeps_what_it_can(void)
{
    check(escape_json, "plain", "\"plain\"");
    check(escape_json, "say \"x\" \\ y", "\"say \\\"x\\\" \\\\ y\"");
    check(escape_json, "two\nlines\t\x01", "\"two\\u000alines\\u0009\\u0001\"");
    check(escape_json, "caf\xc3\xa9 \xff", "\"caf\xc3\xa9 \xef\xbf\xbd\"");
}

static void what_is_no_utf8_is_replaced(void)
{
    check(escape_html, "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
          "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    check(escape_html, "a\xff", "a\xef\xbf\xbd");
    check(escape_html, "\xc3", "\xef\xbf\xbd");
    check(escape_html, "\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd");
    check(escape_html, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check(escape_html, "\x01\x7f\xc2\x85z", "   z");
}

static void width_counts_characters(void)
{
    CU_ASSERT_EQUAL(escape_width(""), 0);
    CU_ASSERT_EQUAL(escape_width("caf\xc3\xa9"), 4);
}

static const struct test_case cases[] = {
    {"HTML is content only", html_is_content_only},
    {"Markdown cannot end a cell", markdown_cannot_end_a_cell},
    {"TeX has no commands", tex_has_no_commands},
    {"CSV is quoted where needed", csv_is_quoted_where_needed},
    {"json keeps what it can", json_keeps_what_it_can},
    {"what is no UTF-8 is replaced", what_is_no_utf8_is_replaced},
    {"width counts characters", width_counts_characters},
};
TESTING_MAIN("results/escape", cases)
