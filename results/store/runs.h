#ifndef MEMPLAN_RESULTS_STORE_RUNS_H
#define MEMPLAN_RESULTS_STORE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "results/store/store.h"

/* The runs of a store: rows that were written under one label. */

struct run_summary {
    char *label, *first_started, *last_started, *builds, *hosts; /* several separated by ", " */
    uint64_t rows, instances, planners;
    uint64_t failed; /* rows with a status or a verdict that is a fault: error, crash, invalid */
};

struct run_list {
    struct run_summary *run; /* [count] the one that was started last comes first */
    uint32_t count;
    size_t capacity;
};

/* Fills a zeroed list; free it with runs_free. O(rows log rows). */
enum status runs_list(struct store *store, struct run_list *list, struct error *error);
void runs_free(struct run_list *list);

/* Deletes all rows of a run with their layouts and measures, of one planner only where planner is
   not NULL. *rows: how many. Only of a store that is open for writing; all or nothing. */
enum status runs_delete(struct store *store, const char *label, const char *planner, uint64_t *rows,
                        struct error *error);

#endif
