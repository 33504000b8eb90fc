#ifndef MEMPLAN_RESULTS_STORE_FACTS_H
#define MEMPLAN_RESULTS_STORE_FACTS_H

#include <stdint.h>

#include "core/error.h"

struct store;

/* Where the rows of a store come from, for the foot of a report: values separated by ", ", sorted,
   each once. Free the texts with facts_free. */
struct result_facts {
    uint64_t rows;
    char *runs, *hosts, *builds;
    char *first_started, *last_started; /* "" without rows */
};
/* O(rows). */
enum status facts_read(struct store *store, struct result_facts *facts, struct error *error);
void facts_free(struct result_facts *facts);

#endif
