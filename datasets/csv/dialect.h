#ifndef MEMPLAN_DATASETS_CSV_DIALECT_H
#define MEMPLAN_DATASETS_CSV_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

/* Tools agree on the columns of a CSV file but not on what they mean. Which tool wrote a file is
   never guessed. */

/* What the two times of a row mean. Between open times there is at least one step; buffers that
   only share an end of their lifetimes do not conflict, as with half-open times. */
enum csv_lifetimes {
    CSV_LIFETIMES_BY_HEADER, /* a column upper is half-open, a column end inclusive */
    CSV_LIFETIMES_HALF_OPEN,
    CSV_LIFETIMES_INCLUSIVE,
    CSV_LIFETIMES_OPEN,
};

enum csv_layout { CSV_NAMED, CSV_POSITIONAL, CSV_XLA };

struct csv_dialect {
    const char *name;
    enum csv_layout layout;
    enum csv_lifetimes lifetimes; /* unless the user says otherwise */
};

const struct csv_dialect *csv_dialect_find(const char *name); /* NULL if there is none */
/* What times mean: `asked`; or what the dialect says, where `asked` is CSV_LIFETIMES_BY_HEADER and
   the dialect is not NULL. */
enum csv_lifetimes csv_dialect_lifetimes(const struct csv_dialect *dialect,
                                         enum csv_lifetimes asked);
/* False where no meaning of times has the name. */
bool csv_lifetimes_find(const char *name, enum csv_lifetimes *lifetimes);

/* Finds the step after the last one of a lifetime; false where the lifetime is empty. */
bool csv_lifetimes_upper(enum csv_lifetimes lifetimes, uint64_t lower, uint64_t last,
                         uint64_t *upper);

#endif
