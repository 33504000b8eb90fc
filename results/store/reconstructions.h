#ifndef MEMPLAN_RESULTS_STORE_RECONSTRUCTIONS_H
#define MEMPLAN_RESULTS_STORE_RECONSTRUCTIONS_H

#include "core/error.h"
#include "core/names.h"

struct result_set;
struct store;

/* The text behind the name of a reconstruction wherever it is shown. */
#define RECONSTRUCTIONS_LABEL " (a reconstruction)"

/* The name of the measure that marks an instance without rows as a reconstruction, whatever its
   value. */
#define RECONSTRUCTIONS_MEASURE "reconstruction"

/* Adds the names of the stored instances that are reconstructions: their sources did not publish
   them as a whole, but a network without its layers, say, or a graph without its sizes. In files of
   a schema before the column "reconstruction" only those that a measure marks are found. O(rows of
   reconstructions). */
enum status reconstructions_read(struct store *store, struct names *names, struct error *error);

/* Adds the names of the reconstructions in a set, as the set shows them. O(rows). */
enum status reconstructions_list(const struct result_set *set, struct names *names,
                                 struct error *error);

/* RECONSTRUCTIONS_LABEL if the instance is among the names, else "". */
const char *reconstructions_label(const struct names *names, const char *instance);

#endif
