#ifndef MEMPLAN_RESULTS_STORE_RECONSTRUCTIONS_H
#define MEMPLAN_RESULTS_STORE_RECONSTRUCTIONS_H

#include "core/error.h"
#include "core/names.h"

struct result_set;
struct store;

/* The text behind the name of such an instance wherever it is shown. */
#define RECONSTRUCTIONS_LABEL " (a reconstruction)"

/* The name of the measure that marks an instance without rows as a reconstruction, whatever its
   value. */
#define RECONSTRUCTIONS_MEASURE "reconstruction"

/* Adds the names of the stored instances that stand for something which its source did not publish
   whole: a network without its layers, a graph without its sizes. None in files of a schema before
   the column "reconstruction". O(their rows) by an index. */
enum status reconstructions_read(struct store *store, struct names *names, struct error *error);

/* Adds the names of the reconstructions in a set, as the set shows them. O(rows). */
enum status reconstructions_list(const struct result_set *set, struct names *names,
                                 struct error *error);

/* RECONSTRUCTIONS_LABEL if the instance is among the names, else "". */
const char *reconstructions_label(const struct names *names, const char *instance);

#endif
