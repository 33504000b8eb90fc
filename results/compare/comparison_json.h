#ifndef MEMPLAN_RESULTS_COMPARE_COMPARISON_JSON_H
#define MEMPLAN_RESULTS_COMPARE_COMPARISON_JSON_H

#include "core/text.h"
#include "results/compare/comparison.h"

/* Appends all that a comparison found as one JSON object, memplan-compare/1 in docs/formats.md: its
   figures, and the rows of every table under the table's name. O(pairs log pairs). */
enum status comparison_json_write(const struct comparison *comparison, struct text *text,
                                  struct error *error);

#endif
