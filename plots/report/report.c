#include "plots/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "plots/render.h"
#include "plots/report/page.h"
#include "results/store/runs.h"
#include "results/table/escape.h"

/* Tables with more rows are folded; those with more cells are only in their files. */
enum { MOST_OPEN_ROWS = 60, MOST_CELLS_ON_PAGE = 12000 };

struct report {
    char *folder, *title;
    struct text parts, contents, body, absent, facts;
    struct text scripts; /* elements that load data */
    unsigned figures_failed;
    bool has_headings; /* the HTML added last has its own */
};

enum status report_create(const char *folder, const char *title, struct report **report,
                          struct error *error)
{
    struct report *created;
    struct stat found;
    *report = NULL;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set_at(error, STATUS_BAD_INPUT, folder, 0, "cannot create: %s",
                            strerror(errno));
    if (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode))
        return error_set_at(error, STATUS_BAD_INPUT, folder, 0, "no folder, expected one");
    TRY(memory_create(&created, 1, sizeof *created, error));
    created->folder = memory_copy_text(folder);
    created->title = memory_copy_text(title);
    if (!created->folder || !created->title) {
        report_free(created);
        return error_no_memory(error);
    }
    *report = created;
    return report_page_write_assets(folder, error);
}

void report_free(struct report *report)
{
    if (!report)
        return;
    memory_free_all(report->folder, report->title);
    text_free(&report->parts);
    text_free(&report->scripts);
    text_free(&report->contents);
    text_free(&report->body);
    text_free(&report->absent);
    text_free(&report->facts);
    memory_free(report);
}

/* Checks a name, which is used unchanged as file name, link and anchor. */
static enum status check_name(const char *name, struct error *error)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-_";
    if (*name && strspn(name, allowed) == strlen(name))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "'%s' is no name for a file, expected letters, digits, '-' and '_'", name);
}

static enum status write_file(const struct report *report, const char *name, const char *extension,
                              const struct text *content, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    text_append(&path, "%s/%s.%s", report->folder, name, extension);
    TRY(text_check(&path, error));
    return text_write_file(path.bytes, content, error);
}

static void begin_entry(struct report *report, const char *kind, const char *name,
                        const char *title)
{
    text_append(&report->contents, "<li><a href=\"#%s-%s\">", kind, name);
    escape_html(&report->contents, title);
    text_append(&report->contents, "</a></li>\n");
    text_append(&report->body, "<section id=\"%s-%s\">\n", kind, name);
    if (!report->has_headings)
        report_page_element(&report->body, "h3", title);
}

enum status report_add_part(struct report *report, const char *id, const char *heading,
                            const char *html, struct error *error)
{
    TRY(check_name(id, error));
    report->has_headings = false;
    text_append(&report->parts, "<a href=\"#%s\">", id);
    escape_html(&report->parts, heading);
    text_append(&report->parts, "</a>\n");
    text_append(&report->body, "<section id=\"%s\">\n", id);
    report_page_element(&report->body, "h2", heading);
    text_append(&report->body, "%s</section>\n", html);
    return text_check(&report->body, error);
}

enum status report_add_data(struct report *report, const char *name, struct error *error)
{
    TRY(check_name(name, error));
    text_append(&report->scripts, "<script src=\"data/%s.js\" defer=\"defer\"></script>\n", name);
    return text_check(&report->scripts, error);
}

enum status report_add_section(struct report *report, const char *heading, const char *paragraph,
                               struct error *error)
{
    report->has_headings = false;
    report_page_element(&report->body, "h2", heading);
    report_page_element(&report->body, "p", paragraph);
    return text_check(&report->body, error);
}

enum status report_add_html(struct report *report, const char *html, size_t length,
                            struct error *error)
{
    report->has_headings = true;
    text_append(&report->body, "%.*s", (int)length, html);
    return text_check(&report->body, error);
}

enum status report_add_table(struct report *report, const char *name, const struct table *table,
                             struct error *error)
{
    struct text *body = &report->body;
    SCOPED(text_free) struct text extensions = {0};
    uint32_t rows = table_rows(table);
    bool folded = rows > MOST_OPEN_ROWS && !report->has_headings;
    TRY(check_name(name, error));
    for (unsigned i = 0; i < table_formats_count(); i++) {
        const char *format = table_formats_at(i)->name;
        SCOPED(text_free) struct text content = {0};
        if (!table_formats_at(i)->in_reports)
            continue;
        text_append(&extensions, "%s%s", extensions.length ? " " : "", format);
        TRY(table_write(table, format, &content, error));
        TRY(write_file(report, name, format, &content, error));
    }
    TRY(text_check(&extensions, error));
    begin_entry(report, "table", name, table_title(table));
    if (table->cells > MOST_CELLS_ON_PAGE) {
        text_append(body, "<p>%" PRIu32 " rows: see the files.</p>\n", rows);
    } else {
        if (folded)
            text_append(body, "<details>\n<summary>%" PRIu32 " rows</summary>\n", rows);
        TRY(report_page_table(body, table, error));
        text_append(body, folded ? "</details>\n" : "");
    }
    report_page_links(body, name, extensions.bytes);
    text_append(body, "</section>\n");
    return text_check(body, error);
}

enum status report_add_figure(struct report *report, const char *name, const char *title,
                              const char *script, struct error *error)
{
    struct text content = {.bytes = (char *)script, .length = strlen(script)};
    struct error reason = ERROR_NONE;
    struct text path = {0};
    TRY(check_name(name, error));
    TRY(write_file(report, name, "gp", &content, error));
    text_append(&path, "%s/%s.svg", report->folder, name);
    TRY(text_check(&path, error));
    enum status drawn = plot_render(script, path.bytes, &reason);
    text_free(&path);
    begin_entry(report, "figure", name, title);
    if (drawn) {
        text_append(&report->body, "<p class=\"problem\">Not drawn: ");
        escape_html(&report->body, reason.text);
        text_append(&report->body, "</p>\n");
        report->figures_failed++;
    } else {
        if (report->has_headings) {
            text_append(&report->body, "<p class=\"caption\">");
            escape_html(&report->body, title);
            text_append(&report->body, "</p>\n");
        }
        text_append(&report->body, "<figure><img loading=\"lazy\" src=\"%s.svg\" alt=\"", name);
        escape_html(&report->body, title);
        text_append(&report->body, "\" /></figure>\n");
    }
    report_page_links(&report->body, name, drawn ? "gp" : "svg gp");
    text_append(&report->body, "</section>\n");
    return text_check(&report->body, error);
}

unsigned report_figures_failed(const struct report *report)
{
    return report->figures_failed;
}

enum status report_add_absent(struct report *report, const char *name, const char *reason,
                              struct error *error)
{
    text_append(&report->absent, "<li><code>");
    escape_html(&report->absent, name);
    text_append(&report->absent, "</code>: ");
    escape_html(&report->absent, reason);
    text_append(&report->absent, "</li>\n");
    return text_check(&report->absent, error);
}

static void add_fact(struct report *report, const char *name, const char *value)
{
    report_page_element(&report->facts, "dt", name);
    report_page_element(&report->facts, "dd", *value ? value : "-");
}

enum status report_add_facts(struct report *report, struct store *store, struct error *error)
{
    struct result_facts facts;
    char rows[32];
    TRY(facts_read(store, &facts, error));
    snprintf(rows, sizeof rows, "%" PRIu64, facts.rows);
    add_fact(report, "results", rows);
    add_fact(report, "runs", facts.runs);
    add_fact(report, "hosts", facts.hosts);
    add_fact(report, "builds", facts.builds);
    add_fact(report, "first started (UTC)", facts.first_started);
    add_fact(report, "last started (UTC)", facts.last_started);
    facts_free(&facts);
    return text_check(&report->facts, error);
}

static const char *get_bytes(const struct text *text)
{
    return text->length ? text->bytes : "";
}

enum status report_finish(struct report *report, struct error *error)
{
    SCOPED(text_free) struct text page = {0};
    TRY(text_check(&report->contents, error));
    TRY(text_check(&report->parts, error));
    report_page_begin(&page, report->title, get_bytes(&report->scripts));
    if (report->parts.length)
        text_append(&page, "<nav class=\"parts\" aria-label=\"Parts\">\n%s</nav>\n",
                    report->parts.bytes);
    if (report->contents.length)
        text_append(&page,
                    "<nav class=\"contents\" aria-label=\"Tables and figures\">\n<details>\n"
                    "<summary>Tables and figures</summary>\n<ul>\n%s</ul>\n</details>\n</nav>\n",
                    report->contents.bytes);
    text_append(&page, "<main>\n%s", get_bytes(&report->body));
    if (report->absent.length)
        text_append(&page,
                    "<section id=\"absent\">\n<h2>Left out</h2>\n<details>\n"
                    "<summary>Tables and figures that this database has no results for</summary>\n"
                    "<ul>\n%s</ul>\n</details>\n</section>\n",
                    report->absent.bytes);
    text_append(&page, "</main>\n");
    if (report->facts.length)
        text_append(&page,
                    "<footer>\n<p>Where the numbers come from:</p>\n<dl>\n%s</dl>\n</footer>\n",
                    report->facts.bytes);
    report_page_end(&page);
    TRY(text_check(&page, error));
    return write_file(report, "index", "html", &page, error);
}
