#ifndef MEMPLAN_RESULTS_STORE_CONTRADICTIONS_H
#define MEMPLAN_RESULTS_STORE_CONTRADICTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct store;

/* Rows that contradict each other: one claims an optimum that another valid row for the same
   content and policy beats, a valid peak lies below a lower bound, or a plan fits where nothing is
   said to. Claims and bounds are of plans that split no buffer; those that do are held against the
   load alone. *count of them; text describes the first. */
enum status contradictions_find(struct store *store, uint64_t *count, char *text, size_t text_bytes,
                                struct error *error);

#endif
