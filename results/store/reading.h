#ifndef MEMPLAN_RESULTS_STORE_READING_H
#define MEMPLAN_RESULTS_STORE_READING_H

#include "core/text.h"
#include "results/store/choice.h"

/* The rows of a store as they are read, before query.h chooses which of them count. */

struct candidate {
    struct result_row row; /* texts lie in the reading's */
    int64_t id;
    uint64_t bound_bytes; /* as in struct result_set */
};

struct reading {
    struct candidate *candidate; /* [count] in the order in which they were written */
    uint32_t count;
    size_t capacity;
    struct text text;
};

/* Fills a zeroed reading with the rows that pass the filter. Each row of the store is read once,
   for those that do not pass may know the highest bound. O(rows). */
enum status reading_fill(struct store *store, const struct result_filter *filter,
                         struct reading *reading, struct error *error);
void reading_free(struct reading *reading);

#endif
