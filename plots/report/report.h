#ifndef MEMPLAN_PLOTS_REPORT_REPORT_H
#define MEMPLAN_PLOTS_REPORT_REPORT_H

#include "results/compare/comparison.h"
#include "results/store/query.h"
#include "results/table/table.h"

/* A folder with index.html and, beside it, every table as .md, .csv and .tex and every figure as
   .svg and .gp; in its folders page/ and data/ the scripts, styles and data of the page. All links
   are relative and nothing is loaded from elsewhere. */

struct report;

/* Creates the folder (not its parents) if missing. The caller frees the report, also after an
   error. */
enum status report_create(const char *folder, const char *title, struct report **report,
                          struct error *error);
void report_free(struct report *report); /* NULL is fine */

/* Adds a part of the page, to which the head has a link: a heading and HTML below it. */
enum status report_add_part(struct report *report, const char *id, const char *heading,
                            const char *html, struct error *error);

/* The page loads data/NAME.js, which data_script_write has written. */
enum status report_add_data(struct report *report, const char *name, struct error *error);

/* Adds a heading with a paragraph; either may be "". */
enum status report_add_section(struct report *report, const char *heading, const char *paragraph,
                               struct error *error);

/* Adds HTML with headings of its own: tables and figures that come after it, up to the next section
   or part, have no heading but their title, and no table is folded. */
enum status report_add_html(struct report *report, const char *html, size_t length,
                            struct error *error);

/* Writes NAME.md, NAME.csv, NAME.tex and puts the table on the page. */
enum status report_add_table(struct report *report, const char *name, const struct table *table,
                             struct error *error);

/* Writes NAME.gp and NAME.svg and puts the figure on the page. Where it cannot be drawn the page
   says why, report_figures_failed counts it, and the call succeeds. */
enum status report_add_figure(struct report *report, const char *name, const char *title,
                              const char *script, struct error *error);
unsigned report_figures_failed(const struct report *report);

/* Adds the parts with the rows of the set and their memory layouts; with only_best a layout of each
   instance alone, the first of those with the least peak. */
enum status report_add_results(struct report *report, struct store *store, const char *folder,
                               const struct result_set *set, bool only_best, struct error *error);

/* A named set of instances, which the page can filter by. */
struct report_suite {
    const char *name;
    const char *const *instance; /* [instances] */
    uint32_t instances;
};
enum status report_add_suites(struct report *report, const char *folder,
                              const struct report_suite *suite, uint32_t suites,
                              struct error *error);

/* Says at the end of the page that something is missing, and why. */
enum status report_add_absent(struct report *report, const char *name, const char *reason,
                              struct error *error);

/* Says where the numbers come from: runs, hosts, builds, dates. */
enum status report_add_facts(struct report *report, struct store *store, struct error *error);

/* Writes index.html. */
enum status report_finish(struct report *report, struct error *error);

struct report_request {
    const char *title;
    const struct report_suite *suite; /* [suites] */
    uint32_t suites;
    /* The run that the newest one is compared with; NULL for the run before it that has jobs in
       common with it. */
    const char *base;
    struct comparison_sides rules; /* what counts as worse; the sides are not filled in */
    const char *verdict;           /* text that stands first on the page; NULL for none */
    /* Of tables and figures, for its `mine`, which leaves nothing out; NULL for none. */
    const struct result_choice *choice;
};

/* Makes a page of everything that the store has: an overview, results, layouts, and every table and
   plot that has results. *failed_figures may be NULL. */
enum status plots_write_index(struct store *store, const char *folder,
                              const struct report_request *request, unsigned *failed_figures,
                              struct error *error);

#endif
