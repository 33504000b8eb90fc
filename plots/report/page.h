#ifndef MEMPLAN_PLOTS_REPORT_PAGE_H
#define MEMPLAN_PLOTS_REPORT_PAGE_H

#include "core/text.h"
#include "results/table/table.h"

/* Writes the page's scripts and style into the folder page/ of a report's folder. */
enum status report_page_write_assets(const char *folder, struct error *error);

/* The frame of the report's HTML page. Texts are escaped here, except for `scripts`, which is HTML:
   the elements that load the page's data. */
void report_page_begin(struct text *page, const char *title, const char *scripts);
void report_page_end(struct text *page);

/* <TAG>raw, escaped</TAG> and a line end; nothing for "". */
void report_page_element(struct text *page, const char *tag, const char *raw);

/* A table that the page's scripts make sortable. */
enum status report_page_table(struct text *page, const struct table *table, struct error *error);

/* A list of links to NAME.EXTENSION, extensions separated by blanks. */
void report_page_links(struct text *page, const char *name, const char *extensions);

#endif
