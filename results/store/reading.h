#ifndef MEMPLAN_RESULTS_STORE_READING_H
#define MEMPLAN_RESULTS_STORE_READING_H

#include "core/text.h"
#include "results/store/choice.h"

/* The rows of a store as they are read, from which query.h chooses those that count. */

struct candidate {
    struct result_row row; /* its texts are owned by the reading */
    int64_t id;
    uint64_t bound_bytes; /* as in struct result_set */
};

struct reading {
    struct candidate *candidate; /* [count] in the order in which they were written */
    uint32_t count;
    size_t capacity;
    struct text text;
};

/* Fills a zeroed reading with the rows that pass the filter. All rows of the store are read once,
   since a row that does not pass may have the highest bound of a problem. O(rows). */
enum status reading_fill(struct store *store, const struct result_filter *filter,
                         struct reading *reading, struct error *error);
void reading_free(struct reading *reading);

#endif
