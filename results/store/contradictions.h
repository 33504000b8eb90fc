#ifndef MEMPLAN_RESULTS_STORE_CONTRADICTIONS_H
#define MEMPLAN_RESULTS_STORE_CONTRADICTIONS_H

#include <stdint.h>

#include "core/text.h"

struct store;

/* Rows that contradict each other: one claims an optimum that another valid row for the same
   content and policy beats, a valid peak lies below a lower bound, or a plan fits where nothing is
   said to. Claims and bounds are of plans that split no buffer; those that do are held against the
   load alone. *count of them; a line for each of the first CONTRADICTIONS_DESCRIBED is appended to
   lines, which the caller frees, also after an error. */
enum { CONTRADICTIONS_DESCRIBED = 20 };
enum status contradictions_find(struct store *store, uint64_t *count, struct text *lines,
                                struct error *error);

#endif
