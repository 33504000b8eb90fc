/* For popen. */
#define _XOPEN_SOURCE 700

#include "cli/reproduce/page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/print.h"
#include "cli/reproduce/reproduction.h"
#include "core/embedded.h"
#include "harness/catalogue/planners.h"
#include "harness/rows/machine.h"
#include "plots/figures/plots.h"
#include "plots/report/report.h"
#include "results/table/escape.h"
#include "results/tables/reproduced/own_form.h"
#include "results/tables/tables.h"
#include "results/views/figures.h"

extern const struct embedded_file source_pages[];
extern const unsigned source_pages_count;

struct page {
    const struct page_request *request;
    struct report *report;
    struct error *error;
};

/* Adds a table of a reproduction's run to the report, and prints it as page_write says. */
static enum status add_table(struct page *page, const struct reproduction *of, const char *name)
{
    enum { MOST_ROWS = 60 };
    SCOPED(table_free) struct table table = {0};
    SCOPED(text_free) struct text text = {0};
    const struct result_choice choice = {.run = of->name};
    TRY(tables_build(name, page->request->store, &choice, &table, page->error));
    TRY(report_add_table(page->report, name, &table, page->error));
    if (of->source || !reproduction_names(page->request->named, of->name))
        return STATUS_OK;
    if (table_rows(&table) > MOST_ROWS) {
        printf("%s: %u rows, see %s.md\n\n", name, table_rows(&table), name);
        return STATUS_OK;
    }
    TRY(print_append_table(&table, "text", &text, page->error));
    printf("%s\n", text.bytes);
    return STATUS_OK;
}

static enum status add_plot(struct page *page, const struct reproduction *of, const char *name)
{
    const struct result_choice choice = {.run = of->name};
    const struct plot_request request = {.store = page->request->store, .choice = &choice};
    SCOPED(text_free) struct text script = {0};
    TRY(plot_script(name, &request, &script, page->error));
    return report_add_figure(page->report, name, plots_find(name)->title, script.bytes,
                             page->error);
}

static void copy_heading(const struct reproduction *of, const char *html, char heading[120])
{
    const char *at = strstr(html, "<h1>"), *end = strstr(html, "</h1>");
    snprintf(heading, 120, "%s", of->title);
    if (at && of->source)
        snprintf(heading, 120, "%.*s", (int)(end - at - 4), at + 4);
}

static const char *find_page(const struct reproduction *of)
{
    return embedded_find(source_pages, source_pages_count, "", of->page, ".html")->bytes;
}

/* Reads the measures that a source's figures are held against. */
static enum status read_measures(const struct page *page, const struct reproduction *of,
                                 struct measure_set *set)
{
    return measures_read(page->request->store, &(struct result_choice){.run = of->name}, of->source,
                         set, page->error);
}

/* Adds a place of a source in its own form: "PLACE | HEADING of the rows". */
static enum status add_own_form(struct page *page, const struct reproduction *of,
                                const char *wanted)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(measures_free) struct measure_set set = {0};
    char place[40], heading[40], title[120], caption[200], name[100];
    if (sscanf(wanted, "%39[^|]| %39[^|]", place, heading) != 2)
        return error_set(page->error, STATUS_INTERNAL, "'%s' is no place of a source", wanted);
    place[strlen(place) - 1] = '\0';
    copy_heading(of, find_page(of), title);
    snprintf(caption, sizeof caption, "%s, %s", title, place);
    snprintf(name, sizeof name, "%s-%s", of->source, place);
    for (char *letter = name; *letter; letter++)
        *letter = isalnum((unsigned char)*letter) ? (char)tolower((unsigned char)*letter) : '-';
    TRY(read_measures(page, of, &set));
    TRY(own_form_make(&(struct own_form){of->source, place, heading, caption}, &set, &table,
                      page->error));
    return report_add_table(page->report, name, &table, page->error);
}

/* Adds a table or a figure, whichever reproduction it is of, or a place of the source in its own
   form. The first table of a source, of its verdicts, is not asked for. */
static enum status show(struct page *page, const struct reproduction *source, const char *name)
{
    if (strchr(name, '|'))
        return add_own_form(page, source, name);
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        const struct reproduction *of = reproduction_at(i);
        const char *const *tables = of->tables ? of->tables + (of->source != NULL) : NULL;
        if (reproduction_names(tables, name))
            return add_table(page, of, name);
        if (reproduction_names(of->plots, name))
            return add_plot(page, of, name);
        if (reproduction_names(of->figures, name))
            return of->illustrate(name, page->report, page->error);
    }
    return error_set(page->error, STATUS_INTERNAL, "no reproduction has a table or figure '%s'",
                     name);
}

/* Adds HTML of a source's page, and what it says is to be shown. */
static enum status add_prose(struct page *page, const struct reproduction *of, const char *html,
                             const char *end)
{
    static const char mark[] = "<!-- show ", after[] = " -->";
    while (html < end) {
        const char *at = strstr(html, mark), *stop = at ? strstr(at, after) : NULL;
        char name[80];
        if (!stop || at >= end)
            return report_add_html(page->report, html, (size_t)(end - html), page->error);
        TRY(report_add_html(page->report, html, (size_t)(at - html), page->error));
        at += strlen(mark);
        snprintf(name, sizeof name, "%.*s", (int)(stop - at), at);
        enum status shown = show(page, of, name);
        if (shown == STATUS_NO) /* for example because a plan was refused; the rest of the page is
                                   made all the same */
            shown = report_add_absent(page->report, name, page->error->text, page->error);
        TRY(shown);
        html = stop + strlen(after);
    }
    return STATUS_OK;
}

/* The text behind `mark`, or all of it where it has no mark. */
static const char *find_behind(const char *html, const char *mark)
{
    const char *at = strstr(html, mark);
    return at ? at + strlen(mark) : html;
}

/* Adds a source: its page, and its figures with their verdicts. */
static enum status add_source(struct page *page, const struct reproduction *of)
{
    static const char fold[] = "<details class=\"verdicts\">\n<summary>Every figure, with its "
                               "verdict</summary>\n",
                      end_of_fold[] = "</details>\n";
    const char *html = find_page(of);
    const char *start = find_behind(html, "<!-- page: from here -->"),
               *end = strstr(html, "<!-- page: to here -->");
    char heading[120];
    copy_heading(of, html, heading);
    TRY(report_add_part(page->report, of->name, heading, "", page->error));
    TRY(add_prose(page, of, find_behind(start, "</h1>"), end ? end : html + strlen(html)));
    if (!of->source)
        return STATUS_OK;
    TRY(report_add_html(page->report, fold, strlen(fold), page->error));
    TRY(add_table(page, of, of->tables[0]));
    return report_add_html(page->report, end_of_fold, strlen(end_of_fold), page->error);
}

/* Adds a reproduction that belongs to no wanted source. */
static enum status add_alone(struct page *page, const struct reproduction *of)
{
    TRY(report_add_section(page->report, of->title, of->paragraph, page->error));
    for (const char *const *name = of->tables; name && *name; name++)
        TRY(add_table(page, of, *name));
    for (const char *const *name = of->plots; name && *name; name++)
        TRY(add_plot(page, of, *name));
    for (const char *const *name = of->figures; name && *name; name++)
        TRY(of->illustrate(*name, page->report, page->error));
    return STATUS_OK;
}

static bool is_shown_by_a_source(const struct page *page, const char *name)
{
    for (uint32_t i = 0; i < reproduction_count(); i++)
        if (page->request->wanted[i] && reproduction_at(i)->page &&
            reproduction_names(reproduction_at(i)->builds_on, name))
            return true;
    return false;
}

static void add_cell(struct text *html, const char *tag, const char *raw)
{
    text_append(html, "<%s>", tag);
    escape_html(html, raw);
    text_append(html, "</%s>", tag);
}

/* Adds a row of verdicts: the source, how many figures got each, and what came out. The counts are
   added to all[FIGURE_VERDICTS]. */
static enum status add_counts(struct page *page, const struct reproduction *of, unsigned *all,
                              struct text *html)
{
    SCOPED(measures_free) struct measure_set set = {0};
    unsigned count[FIGURE_OUTCOMES];
    char heading[120];
    TRY(read_measures(page, of, &set));
    figures_count(of->source, &set, count);
    copy_heading(of, find_page(of), heading);
    text_append(html, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a></th>", of->name, heading);
    add_cell(html, "td", of->paragraph);
    for (unsigned i = 0; i < FIGURE_VERDICTS; i++) {
        text_append(html, count[i] ? "<td class=\"number\">%u</td>" : "<td></td>", count[i]);
        all[i] += count[i];
    }
    text_append(html, "</tr>\n");
    return STATUS_OK;
}

static void add_machine(struct text *html)
{
    struct machine machine;
    char gnuplot[120] = "";
    const struct planner *glpk = planners_find("glpk");
    FILE *pipe = popen("gnuplot --version 2>/dev/null", "r");
    if (!pipe || !fgets(gnuplot, sizeof gnuplot, pipe))
        strcpy(gnuplot, "no gnuplot");
    if (pipe)
        pclose(pipe);
    machine_describe("", &machine);
    text_append(html, "<p>Made on ");
    escape_html(html, *machine.cpu ? machine.cpu : "an unknown processor");
    text_append(html, ", %llu cores; GLPK %s, %.*s, compiler %s.</p>\n",
                (unsigned long long)machine.cores,
                glpk && glpk->version ? glpk->version(glpk) : "not built in",
                (int)strcspn(gnuplot, "\n"), gnuplot, __VERSION__);
}

/* Adds what the page is about: the verdicts and what they mean, and a row for each source. */
static enum status add_abstract(struct page *page)
{
    SCOPED(text_free) struct text html = {0}, rows = {0};
    unsigned all[FIGURE_VERDICTS] = {0}, sources = 0, figures = 0;
    for (uint32_t i = 0; i < reproduction_count(); i++)
        if (page->request->wanted[i] && reproduction_at(i)->source) {
            TRY(add_counts(page, reproduction_at(i), all, &rows));
            sources++;
        }
    if (!sources)
        return STATUS_OK;
    for (unsigned i = 0; i < FIGURE_VERDICTS; i++)
        figures += all[i];
    unsigned judged = all[FIGURE_AGREES] + all[FIGURE_ARITHMETIC];
    unsigned unknown = all[FIGURE_NOT_COMPARABLE] + all[FIGURE_NOT_GIVEN];
    text_append(&html,
                "<p>A compiler gives each tensor of a network an address in one piece of memory, "
                "the arena. Tensors that are never needed at the same time may share bytes, and "
                "the arena should be small. memplan is a suite of programs that do so. %u source%s "
                "on this: their methods were run, and each of %u figures stands beside what came "
                "out here. A figure that a source repeats counts once; for the NNVM note, which "
                "prints none, what follows from its words for small graphs counts.</p>\n",
                sources, sources > 1 ? "s write" : " writes", figures);
    text_append(
        &html,
        "<p>Of these %u, <b>%u agree</b>: %u were measured, %u follow from other figures "
        "of the same source. <b>%u were fitted</b>: the source publishes no model, so one was "
        "made that gives its figures; this shows that the method can give them, not that "
        "it did. <b>%u do not agree</b>: %u differ, each with what is known of the reason, "
        "and %u are slips of the source. <b>%u cannot be compared</b>: %u are of another "
        "machine or quantity, and for %u the source does not say what would have to be "
        "measured.</p>\n",
        figures, judged, all[FIGURE_AGREES], all[FIGURE_ARITHMETIC], all[FIGURE_MET],
        all[FIGURE_DIFFERS] + all[FIGURE_SLIP], all[FIGURE_DIFFERS], all[FIGURE_SLIP], unknown,
        all[FIGURE_NOT_COMPARABLE], all[FIGURE_NOT_GIVEN]);
    text_append(&html,
                "<p>A section follows a source, or several on one subject. Each of its headings is "
                "a place in the source: below it stands what the source says and, after "
                "<em>Here</em>, what was done and what came out. Tables have the source's rows and "
                "columns; below a printed line stands what was measured here, and what follows by "
                "arithmetic from other printed figures. At the end of a section every figure is "
                "listed with its verdict and the reason.</p>\n");
    add_machine(&html);
    text_append(&html, "<div class=\"scroll\">\n<table id=\"sources\">\n<thead><tr><th "
                       "scope=\"col\">source</th><th>what came out</th>");
    for (unsigned i = 0; i < FIGURE_VERDICTS; i++)
        add_cell(&html, "th", figures_verdict_name(i));
    text_append(&html, "</tr></thead>\n<tbody>\n%s</tbody>\n<tfoot><tr><th>all</th><td></td>",
                rows.bytes);
    for (unsigned i = 0; i < FIGURE_VERDICTS; i++)
        text_append(&html, "<td class=\"number\">%u</td>", all[i]);
    text_append(&html, "</tr></tfoot>\n</table>\n</div>\n<dl class=\"verdicts\">\n");
    for (unsigned i = 0; i < FIGURE_VERDICTS; i++) {
        add_cell(&html, "dt", figures_verdict_name(i));
        add_cell(&html, "dd", figures_verdict_meaning(i));
    }
    text_append(&html, "</dl>\n");
    TRY(text_check(&rows, page->error));
    TRY(text_check(&html, page->error));
    return report_add_part(page->report, "abstract", "Abstract", html.bytes, page->error);
}

static enum status write_report(struct page *page)
{
    TRY(add_abstract(page));
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        const struct reproduction *of = reproduction_at(i);
        if (!page->request->wanted[i])
            continue;
        if (of->page)
            TRY(add_source(page, of));
        else if (!is_shown_by_a_source(page, of->name))
            TRY(add_alone(page, of));
    }
    TRY(report_add_facts(page->report, page->request->store, page->error));
    return report_finish(page->report, page->error);
}

enum status page_write(const struct page_request *request, unsigned *figures_failed,
                       struct error *error)
{
    struct page page = {.request = request, .error = error};
    enum status status =
        report_create(request->folder, "memplan: published and measured", &page.report, error);
    if (!status)
        status = write_report(&page);
    if (page.report)
        *figures_failed = report_figures_failed(page.report);
    report_free(page.report);
    return status;
}
