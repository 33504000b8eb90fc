#ifndef MEMPLAN_CLI_RESULTS_BEST_FILTER_H
#define MEMPLAN_CLI_RESULTS_BEST_FILTER_H

#include "cli/arguments/arguments.h"
#include "core/names.h"

/* Which lines of a list of best known values the user asked for: those of the operands and suites,
   or all where there are none. Zero-initialise it. */
struct best_filter {
    struct names names;   /* of instances in the list, and in suites */
    struct names digests; /* of other operands, which are loaded */
    const char *policy;   /* or NULL for any */
    bool all;
};

/* STATUS_USAGE for unknown suites and instances. Free it also
   after a failure. */
enum status best_filter_create(const struct arguments *arguments, struct best_filter *filter,
                               struct error *error);
void best_filter_free(struct best_filter *filter);

bool best_filter_wants(const struct best_filter *filter, const char *instance, const char *digest,
                       const char *policy);

#endif
