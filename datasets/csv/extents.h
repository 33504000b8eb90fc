#ifndef MEMPLAN_DATASETS_CSV_EXTENTS_H
#define MEMPLAN_DATASETS_CSV_EXTENTS_H

#include "datasets/csv/fields.h"

/* Parses "offset+length;offset+length" into row->extent; csv_rows_next does it for each row. */
enum status csv_extents_read(struct csv_rows *rows, struct csv_field field, struct error *error);

#endif
