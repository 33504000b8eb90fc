#include "results/table/table.h"

#include <string.h>

#include "core/memory.h"
#include "support/must.h"
#include "support/testing.h"

static void fill(struct table *table)
{
    table_set_title(table, "A & <B>");
    table_add_column(table, "name", "", TABLE_LEFT);
    table_add_column(table, "lower bound", "bytes", TABLE_RIGHT);
    table_add_column(table, "gap", "%", TABLE_RIGHT);
    table_add(table, cell_text("a|b, \"c\"\n<i>_"), cell_number(26502400), cell_real(-0.001, 2),
              cell_text("large_first"), cell_missing(), cell_text("invalid"), cell_text("mean"),
              cell_real(-1536, 0), cell_real(1234.5, 1));
    table_mark(table, 0, 1);
    table_set_foot(table, 1);
    table_add_note(table, "100 %% of %s", "_x_");
}

/* A table of everything that a format has to escape, in each format. */
static void formats(void)
{
    static const struct {
        const char *format, *wanted;
    } rows[] = {
        {"md", "## A \\& \\<B\\>\n\n"
               "| name              | lower bound (bytes) | gap (%) |\n"
               "| ----------------- | ------------------: | ------: |\n"
               "| a\\|b, \"c\" \\<i\\>\\_ |      **26 502 400** |    0.00 |\n"
               "| large_first       |                   - | invalid |\n"
               "| mean              |              -1 536 | 1 234.5 |\n"
               "\n- 100 % of \\_x\\_\n"},
        {"csv", "name,lower_bound_bytes,gap_percent\n"
                "\"a|b, \"\"c\"\" <i>_\",26502400,0.00\n"
                "large_first,,invalid\n"},
        {"tex",
         "% In the preamble: \\usepackage{array,booktabs,graphicx,longtable}\n"
         "\\begin{table}[tbp]\n\\centering\n"
         "\\caption{A \\& \\textless{}B\\textgreater{}}\\label{tab:memplan}\n"
         "\\footnotesize\n\\setlength{\\tabcolsep}{3pt}%\n\\sbox0{%\n"
         "\\begin{tabular}{@{}lrr@{}}\n\\toprule\n"
         "\\shortstack[l]{name} & \\shortstack[r]{lower\\\\bound\\\\(bytes)} & "
         "\\shortstack[r]{gap\\\\(\\%)} \\\\\n\\midrule\n"
         "a\\textbar{}b, ''c'' "
         "\\textless{}i\\textgreater{}\\_ & \\textbf{26\\,502\\,400} & 0.00 \\\\\n"
         "large\\_first & -- & invalid \\\\\n"
         "\\midrule\nmean & $-$1\\,536 & 1\\,234.5 \\\\\n"
         "\\bottomrule\n\\end{tabular}}%\n"
         "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n"
         "\\par{\\footnotesize\\raggedright 100 \\% of \\_\\allowbreak{}x\\_"
         "\\par}\n\\end{table}\n"},
        {"json", "{\n  \"format\": \"memplan-table/1\",\n  \"title\": \"A & <B>\",\n"
                 "  \"columns\": [\n"
                 "    {\"name\": \"name\", \"heading\": \"name\", \"unit\": \"\"},\n"
                 "    {\"name\": \"lower_bound_bytes\", \"heading\": \"lower bound\", \"unit\": "
                 "\"bytes\"},\n"
                 "    {\"name\": \"gap_percent\", \"heading\": \"gap\", \"unit\": \"%\"}\n  ],\n"
                 "  \"rows\": [\n"
                 "    {\"name\": \"a|b, \\\"c\\\"\\u000a<i>_\", \"lower_bound_bytes\": 26502400, "
                 "\"gap_percent\": 0.00},\n"
                 "    {\"name\": \"large_first\", \"lower_bound_bytes\": null, \"gap_percent\": "
                 "\"invalid\"}\n  ],\n"
                 "  \"notes\": [\n    \"100 % of _x_\"\n  ]\n}\n"},
        {"jsonl", "{\"name\": \"a|b, \\\"c\\\"\\u000a<i>_\", \"lower_bound_bytes\": "
                  "26502400, \"gap_percent\": 0.00}\n"
                  "{\"name\": \"large_first\", \"lower_bound_bytes\": null, "
                  "\"gap_percent\": \"invalid\"}\n"},
        {"html",
         "<div class=\"scroll\" style=\"overflow-x: auto\">\n<table>\n"
         "<caption>A &amp; &lt;B&gt;</caption>\n<thead>\n<tr><th "
         "scope=\"col\">name</th>"
         "<th scope=\"col\" class=\"number\">lower bound <span class=\"unit\">(bytes)</span></th>"
         "<th scope=\"col\" class=\"number\">gap <span class=\"unit\">(%)</span></th></tr>\n"
         "</thead>\n<tbody>\n"
         "<tr><td>a|b, &quot;c&quot; &lt;i&gt;_</td><td class=\"number\"><strong>"
         "26\xe2\x80\xaf"
         "502\xe2\x80\xaf"
         "400</strong></td><td class=\"number\">0.00</td></tr>\n"
         "<tr><td>large_first</td><td class=\"number\">-</td><td class=\"number\">invalid</td>"
         "</tr>\n</tbody>\n<tfoot>\n"
         "<tr><td>mean</td><td class=\"number\">-1\xe2\x80\xaf"
         "536</td><td class=\"number\">1\xe2\x80\xaf"
         "234.5</td></tr>\n</tfoot>\n</table>\n</div>\n<ul class=\"notes\">\n"
         "<li>100 % of _x_</li>\n</ul>\n"},
    };
    SCOPED(table_free) struct table table = {0};
    fill(&table);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        must(table_write(&table, rows[i].format, &text, &error));
        CU_ASSERT_STRING_EQUAL(text.bytes, rows[i].wanted);
    }
}

static void no_rows_are_no_lines(void)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(text_free) struct text text = {0};
    table_add_columns(&table, "instance");
    must(table_write(&table, "jsonl", &text, &error));
    CU_ASSERT_EQUAL(text.length, 0);
}

/* The page may break sentences, but no names and no short texts. */
static void html_of_sentences(void)
{
    static const char *const cells[] = {"differs: forty-one characters in one line",
                                        "agrees: forty characters in a single one",
                                        "one_word_without_blanks_that_is_longer_than_forty"};
    SCOPED(table_free) struct table table = {0};
    SCOPED(text_free) struct text text = {0};
    table_add_column(&table, "verdict", "", TABLE_LEFT);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        table_add(&table, cell_text(cells[i]));
    must(table_write(&table, "html", &text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "<td class=\"verdict sentence\">differs"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "<td class=\"verdict\">agrees"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "<td class=\"verdict\">one_word"));
}

/* A long table breaks names behind separators and in long words, so that no line is too wide. */
static void latex_of_long_names(void)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(text_free) struct text text = {0};
    table_add_columns(&table, "instance | command");
    for (int row = 0; row < 40; row++)
        table_add(
            &table,
            cell_text("perturbed:join:a?seed=7, once more, and longer than half of a line is"),
            cell_text("abcdefghijklmnopqrstuvw a command that is longer than half of a line"));
    must(table_write(&table, "tex", &text, &error));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text.bytes, "perturbed:\\allowbreak{}join:\\allowbreak{}a?\\allowbreak{}seed="
                           "\\allowbreak{}7,\\allowbreak{} once more,\\allowbreak{} and longer "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text.bytes, " & abcdefghijklmnop\\allowbreak{}qrstuvw a command that is "));
}

/* A cell leads where it was told to, else by what its column is called. */
static void html_of_links(void)
{
    SCOPED(table_free) struct table table = {.links = "i.html#results?suite=s"};
    SCOPED(text_free) struct text text = {0};
    table_add_columns(&table, "planner | order | plans:");
    for (int row = 0; row < 2; row++)
        table_add(&table, cell_text("a b"), cell_text("beam"), cell_number(7));
    table_link(&table, 0, 2, "x.html?a=1&b=2");
    table_link(&table, 1, 0, "x.html?a=1&b=2");
    must(table_write(&table, "html", &text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text.bytes, "<tr><td><a href=\"i.html#results?suite=s&amp;planner=a%20b\">a b</a></td>"
                    "<td><a href=\"i.html#results?suite=s&amp;order=beam\">beam</a></td>"
                    "<td class=\"number\"><a href=\"x.html?a=1&amp;b=2\">7</a></td></tr>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "<td><a href=\"x.html?a=1&amp;b=2\">a b</a></td>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "<td class=\"number\">7</td></tr>"));
}

static void unknown_formats_are_refused(void)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(text_free) struct text text = {0};
    fill(&table);
    CU_ASSERT_EQUAL(table_write(&table, "docx", &text, &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "md, csv, tex, html, json, jsonl"));
}

static void a_row_must_be_full(void)
{
    SCOPED(table_free) struct table table = {0};
    CU_ASSERT_EQUAL(table_check(&table, &error), STATUS_INTERNAL);
    fill(&table);
    must(table_check(&table, &error));
    CU_ASSERT_EQUAL(table_rows(&table), 3);
    table_add(&table, cell_text("one cell"));
    CU_ASSERT_EQUAL(table_check(&table, &error), STATUS_INTERNAL);
}

static enum status write_all(struct error *reported)
{
    SCOPED(table_free) struct table table = {0};
    enum status status = STATUS_OK;
    fill(&table);
    for (unsigned i = 0; !status && i < table_formats_count(); i++) {
        SCOPED(text_free) struct text text = {0};
        status = table_write(&table, table_formats_at(i)->name, &text, reported);
    }
    return status;
}

static void no_memory_leaks_nothing(void)
{
    uint64_t before = memory_live_blocks();
    enum status status = STATUS_INTERNAL;
    for (uint64_t allowed = 0; status && allowed < 1000; allowed++) {
        memory_fail_after(allowed);
        status = write_all(&error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL(memory_live_blocks(), before);
    }
    CU_ASSERT_EQUAL(status, STATUS_OK);
}

static const struct test_case cases[] = {
    {"no rows are no lines", no_rows_are_no_lines},
    {"formats", formats},
    {"sentences in HTML", html_of_sentences},
    {"long names in LaTeX", latex_of_long_names},
    {"links in HTML", html_of_links},
    {"unknown formats are refused", unknown_formats_are_refused},
    {"a row must be full", a_row_must_be_full},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
TESTING_MAIN("results/table", cases)
