#include "plots/report/page.h"

#include <string.h>

#include "core/embedded.h"
#include "core/file.h"
#include "results/table/escape.h"

extern const struct embedded_file report_assets[];
extern const unsigned report_assets_count;

enum status report_page_write_assets(const char *folder, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    text_append(&path, "%s/page", folder);
    TRY(text_check(&path, error));
    TRY(file_create_folder(path.bytes, error));
    for (unsigned i = 0; i < report_assets_count; i++) {
        const struct embedded_file *file = &report_assets[i];
        const struct text content = {.bytes = (char *)file->bytes, .length = file->length};
        path.length = 0;
        text_append(&path, "%s/%s", folder, file->name);
        TRY(text_check(&path, error));
        TRY(text_write_file(path.bytes, &content, error));
    }
    return STATUS_OK;
}

void report_page_begin(struct text *page, const char *title, const char *scripts)
{
    /* Each of the page's scripts uses only those before it. */
    static const char *const own[] = {
        "base",    "text",         "theme",       "grid",        "tables",  "choices",   "results",
        "ranking", "layout_model", "layout_draw", "layout_pane", "layouts", "timelines", "start"};
    text_append(page,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n");
    report_page_element(page, "title", title);
    text_append(page, "<link rel=\"stylesheet\" href=\"page/page.css\" />\n");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        text_append(page, "<script src=\"page/%s.js\" defer=\"defer\"></script>\n", own[i]);
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
