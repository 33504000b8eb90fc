#ifndef MEMPLAN_PLOTS_REPORT_ASSETS_H
#define MEMPLAN_PLOTS_REPORT_ASSETS_H

#include "core/text.h"

/* The page's style and scripts, which are compiled in from plots/report/page. */

/* Writes them into FOLDER/page, which is made if missing. */
enum status assets_write(const char *folder, struct error *error);

/* Append the elements that load the style and the scripts, in the order in which they depend on
   each other. */
void assets_append_style(struct text *page);
void assets_append_scripts(struct text *page);

#endif
