#ifndef MEMPLAN_RESULTS_TABLE_FORMATS_H
#define MEMPLAN_RESULTS_TABLE_FORMATS_H

#include "results/table/table.h"

#define TABLE_FORMAT(name) extern const struct table_format table_format_##name;
#include "results/table/formats.def"
#undef TABLE_FORMAT

/* How a format shows a cell. */
struct cell_style {
    const char *between; /* groups of three digits, up to the decimals */
    const char *minus, *missing;
    const char *begin_mark, *end_mark; /* of a marked cell */
    void (*escape)(struct text *text, const char *raw);
};
void table_append_cell(struct text *text, const struct table *table, uint32_t row, uint32_t column,
                       const struct cell_style *style);

/* Appends "heading (unit)" made safe by `escape`. */
void table_append_heading(struct text *text, const struct table *table, uint32_t column,
                          void (*escape)(struct text *text, const char *raw));

/* Appends the name of a column for programs, such as "lower_bound_bytes". */
void table_append_key(struct text *text, const struct table *table, uint32_t column);

/* Whether a cell is a text with blanks so wide, more than 40 characters, that it may be broken into
   lines. */
bool table_is_sentence(const char *raw);

/* Appends `count` blanks. */
void table_append_blanks(struct text *text, size_t count);

/* Appends the rows without the foot, each as a JSON object on one line, with texts before the first
   and between them; missing values are null. */
void table_append_objects(struct text *text, const struct table *table, const char *before,
                          const char *between);

#endif
