#ifndef MEMPLAN_RESULTS_TABLE_FORMATS_H
#define MEMPLAN_RESULTS_TABLE_FORMATS_H

#include "results/table/table.h"

/* One file each. They expect a table that table_check accepts. */
void table_write_markdown(const struct table *table, struct text *text);
void table_write_csv(const struct table *table, struct text *text);
void table_write_tex(const struct table *table, struct text *text);
void table_write_html(const struct table *table, struct text *text);

/* Appends raw digits in groups of three, before any decimals. */
void table_group_digits(struct text *text, const char *raw, const char *separator);

/* Appends "heading (unit)" unescaped. */
void table_append_heading(struct text *text, const struct table *table, uint32_t column);

#endif
