#ifndef MEMPLAN_RESULTS_STORE_CONTRADICTIONS_H
#define MEMPLAN_RESULTS_STORE_CONTRADICTIONS_H

#include <stdint.h>

#include "core/text.h"

struct store;

/* Finds rows that contradict each other: a row claims an optimum that another valid row for the
   same content and policy beats; a valid peak lies below a lower bound; a plan fits where another
   row says that none does; or a load or a valid peak lies below the least load of all orders that
   an order of the same graph in the same run claims. Only plans that split no buffer give claims
   and bounds; plans that split buffers are compared with the load alone. *count is the number of
   contradictions; a line for each of the first CONTRADICTIONS_DESCRIBED is appended to lines, which
   the caller frees, also after an error. */
enum { CONTRADICTIONS_DESCRIBED = 20 };
enum status contradictions_find(struct store *store, uint64_t *count, struct text *lines,
                                struct error *error);

#endif
