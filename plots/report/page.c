#include "plots/report/page.h"

#include <string.h>

#include "plots/report/assets.h"
#include "results/table/escape.h"

void report_page_begin(struct text *page, const char *title, const char *scripts)
{
    text_append(page,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n");
    report_page_element(page, "title", title);
    assets_append_style(page);
    assets_append_scripts(page);
    text_append(page, "%s</head>\n<body>\n<header>\n", scripts);
    report_page_element(page, "h1", title);
    text_append(page, "</header>\n");
}

void report_page_end(struct text *page)
{
    text_append(page, "</body>\n</html>\n");
}

void report_page_element(struct text *page, const char *tag, const char *raw)
{
    if (!*raw)
        return;
    text_append(page, "<%s>", tag);
    escape_html(page, raw);
    text_append(page, "</%s>\n", tag);
}

enum status report_page_table(struct text *page, const struct table *table, struct error *error)
{
    TRY(table_write(table, "html", page, error));
    return text_check(page, error);
}

void report_page_links(struct text *page, const char *name, const char *extensions)
{
    text_append(page, "<p class=\"links\">Files:");
    while (*extensions) {
        int length = (int)strcspn(extensions, " ");
        text_append(page, " <a href=\"%s.%.*s\">%s.%.*s</a>", name, length, extensions, name,
                    length, extensions);
        extensions += length;
        extensions += strspn(extensions, " ");
    }
    text_append(page, "</p>\n");
}
