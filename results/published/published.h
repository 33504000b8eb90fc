#ifndef MEMPLAN_RESULTS_PUBLISHED_PUBLISHED_H
#define MEMPLAN_RESULTS_PUBLISHED_PUBLISHED_H

#include <stdbool.h>
#include <stdint.h>

/* Figures as their sources print them, compiled in from results/published/: CSV files with comment
   lines (#), a heading and rows. A source is named as its file is, without ".csv". A blank field is
   a figure the source does not give. */

struct published_value {
    char text[192];
};

/* Finds the field of row `row` (from 0) in the column with that heading. False beyond the last row,
   for an unknown source or heading, and where the field is blank. */
bool published_cell(const char *source, unsigned row, const char *column,
                    struct published_value *value);

/* Finds the field in the column with that heading, in the first row that begins with these keys. */
bool published_find(const char *source, const char *const *keys, unsigned key_count,
                    const char *column, struct published_value *value);

/* Finds the number that the source prints in a place (a table, say) as the figure "WHAT: HOW". */
bool published_of(const char *source, const char *place, const char *what, const char *how,
                  struct published_value *printed);

/* Does the same for a field that is a whole number. */
bool published_find_bytes(const char *source, const char *const *keys, unsigned key_count,
                          const char *column, uint64_t *bytes);

/* The size of a unit such as "MB" or "%" in the units of measures: bytes, nanoseconds, millionths;
   1 for any other. */
double published_unit(const char *unit);

#endif
