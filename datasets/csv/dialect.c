#include "datasets/csv/dialect.h"

#include <stddef.h>
#include <string.h>

/* idealloc's own files have open intervals; the buffers of IREE, which it also reads, have
   inclusive ones. */
static const struct csv_dialect dialects[] = {
    {"minimalloc", CSV_NAMED, CSV_LIFETIMES_BY_HEADER},
    {"idealloc", CSV_POSITIONAL, CSV_LIFETIMES_OPEN},
    {"iree", CSV_POSITIONAL, CSV_LIFETIMES_INCLUSIVE},
    {"xla", CSV_XLA, CSV_LIFETIMES_INCLUSIVE},
};

static const struct {
    const char *name;
    enum csv_lifetimes lifetimes;
} conventions[] = {
    {"half-open", CSV_LIFETIMES_HALF_OPEN},
    {"inclusive", CSV_LIFETIMES_INCLUSIVE},
    {"open", CSV_LIFETIMES_OPEN},
};

const struct csv_dialect *csv_dialect_find(const char *name)
{
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (strcmp(dialects[i].name, name) == 0)
            return &dialects[i];
    return NULL;
}

enum csv_lifetimes csv_dialect_lifetimes(const struct csv_dialect *dialect,
                                         enum csv_lifetimes asked)
{
    return dialect && asked == CSV_LIFETIMES_BY_HEADER ? dialect->lifetimes : asked;
}

bool csv_lifetimes_find(const char *name, enum csv_lifetimes *lifetimes)
{
    for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++)
        if (strcmp(conventions[i].name, name) == 0) {
            *lifetimes = conventions[i].lifetimes;
            return true;
        }
    return false;
}

bool csv_lifetimes_upper(enum csv_lifetimes lifetimes, uint64_t lower, uint64_t last,
                         uint64_t *upper)
{
    *upper = last + (lifetimes == CSV_LIFETIMES_INCLUSIVE);
    return lower + (lifetimes == CSV_LIFETIMES_OPEN) < *upper;
}
