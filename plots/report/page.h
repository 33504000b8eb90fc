#ifndef MEMPLAN_PLOTS_REPORT_PAGE_H
#define MEMPLAN_PLOTS_REPORT_PAGE_H

#include "core/text.h"

/* The frame of the report's HTML page. Texts are escaped here. */
void report_page_begin(struct text *page, const char *title);
void report_page_end(struct text *page);

/* <TAG>raw, escaped</TAG> and a line end; nothing for "". */
void report_page_element(struct text *page, const char *tag, const char *raw);

/* A list of links to NAME.EXTENSION, extensions separated by blanks. */
void report_page_links(struct text *page, const char *name, const char *extensions);

#endif
