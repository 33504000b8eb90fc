#include "results/table/escape.h"
#include "support/testing.h"

/* HTML is content only, Markdown cannot end a cell, TeX has no commands, CSV is quoted where that
   is needed; JSON keeps what it can, and what is no UTF-8 is replaced. */
static void texts_are_escaped(void)
{
    static const struct {
        void (*escape)(struct text *text, const char *raw);
        const char *raw, *wanted;
    } rows[] = {
        {escape_html, "<b a='1' c=\"2\">&amp;", "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;"},
        {escape_markdown, "a|b\\|c\nd", "a\\|b\\\\\\|c d"},
        {escape_markdown, "large_first", "large_first"},
        {escape_markdown, "_x_ *y* `z` <i> [k](l) ~m~",
         "\\_x\\_ \\*y\\* \\`z\\` \\<i\\> \\[k\\](l) \\~m\\~"},
        {escape_tex, "\\input{x} 5% a_b $ # & ~ ^",
         "\\textbackslash{}input\\{x\\} 5\\% a\\_b \\$ \\# \\& \\textasciitilde{} "
         "\\textasciicircum{}"},
        {escape_csv, "plain", "plain"},
        {escape_csv, "a,b", "\"a,b\""},
        {escape_csv, "say \"x\"", "\"say \"\"x\"\"\""},
        {escape_csv, "two\nlines", "\"two lines\""},
        {escape_json, "plain", "\"plain\""},
        {escape_json, "say \"x\" \\ y", "\"say \\\"x\\\" \\\\ y\""},
        {escape_json, "two\nlines\t\x01", "\"two\\u000alines\\u0009\\u0001\""},
        {escape_json, "caf\xc3\xa9 \xff", "\"caf\xc3\xa9 \xef\xbf\xbd\""},
        {escape_html, "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
         "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {escape_html, "a\xff", "a\xef\xbf\xbd"},
        {escape_html, "\xc3", "\xef\xbf\xbd"},
        {escape_html, "\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
        {escape_html, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {escape_html, "\x01\x7f\xc2\x85z", "   z"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        text_append_bytes(&text, "", 0);
        rows[i].escape(&text, rows[i].raw);
        CU_ASSERT_FALSE_FATAL(text.failed);
        CU_ASSERT_STRING_EQUAL(text.bytes, rows[i].wanted);
    }
}

static void width_counts_characters(void)
{
    CU_ASSERT_EQUAL(escape_width(""), 0);
    CU_ASSERT_EQUAL(escape_width("caf\xc3\xa9"), 4);
}

static const struct test_case cases[] = {
    {"texts are escaped", texts_are_escaped},
    {"width counts characters", width_counts_characters},
};
TESTING_MAIN("results/escape", cases)
