#ifndef MEMPLAN_DATASETS_CSV_GAPS_H
#define MEMPLAN_DATASETS_CSV_GAPS_H

#include "datasets/csv/fields.h"

/* Parses a gaps field into row->gap; csv_rows_next does it for each row. */
enum status csv_gaps_read(struct csv_rows *rows, struct csv_field field, struct error *error);

#endif
