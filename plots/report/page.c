#include "plots/report/page.h"

#include <string.h>

#include "results/table/escape.h"

static const char style[] =
    "body { margin: 0 auto; max-width: 84rem; padding: 1rem 1.5rem 4rem; line-height: 1.5;\n"
    "  font-family: system-ui, sans-serif; color: #1a1a1a; background: #ffffff; }\n"
    "h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin-top: 3rem; } h3 { font-size: "
    "1.05rem; margin-top: 2rem; }\n"
    "nav ul { columns: 2; padding-left: 1.2rem; }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: 0.9rem; margin: 0.5rem 0; }\n"
    "caption { display: none; }\n"
    "th, td { padding: 0.2rem 0.6rem; text-align: left; white-space: nowrap; }\n"
    "thead th { border-bottom: 2px solid #444444; vertical-align: bottom; }\n"
    "tfoot tr:first-child { border-top: 1px solid #444444; }\n"
    "tbody tr { border-bottom: 1px solid #dddddd; }\n"
    "tbody tr:hover { background: #f2f6fa; }\n"
    ".number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    ".unit { font-weight: 400; color: #555555; }\n"
    ".notes, .links, footer { font-size: 0.9rem; color: #444444; }\n"
    ".problem { border-left: 4px solid #d55e00; padding-left: 0.8rem; }\n"
    "figure { margin: 0.5rem 0; } figure img { max-width: 100%; height: auto; }\n"
    "footer { margin-top: 3rem; border-top: 1px solid #aaaaaa; }\n"
    "dt { font-weight: 600; }\n";

void report_page_begin(struct text *page, const char *title)
{
    text_append(page,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n");
    report_page_element(page, "title", title);
    text_append(page, "<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    escape_html(page, title);
    text_append(page, "</h1>\n");
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
