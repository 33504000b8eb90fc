#ifndef MEMPLAN_DATASETS_CSV_CLOCK_H
#define MEMPLAN_DATASETS_CSV_CLOCK_H

#include "datasets/csv/fields.h"

/* Whether a time is a clock, which has a colon between its components. */
bool csv_clock_is(struct csv_field field);

/* Parses the two times of a row, "3:0:7", into row->clock; csv_rows_next does it for each row. */
enum status csv_clock_read(struct csv_rows *rows, struct csv_field lower, struct csv_field upper,
                           struct error *error);

#endif
