#ifndef MEMPLAN_HARNESS_CACHE_WEIGHT_TABLE_H
#define MEMPLAN_HARNESS_CACHE_WEIGHT_TABLE_H

#include "core/text.h"
#include "planning/graph/graph.h"

/* Appends the weights of a graph as JSON ("memplan-weights/1", docs/formats.md): operator, name,
   type and bytes of each and, where `values` is a raw file of all of them as the graph lists them,
   the digest of its values (Xu 2019, section 4.2.4). graph may be NULL, and has no weights then.
   STATUS_BAD_INPUT where the file cannot be read or is not as long as the weights are. O(weights +
   values). */
enum status weight_table_write(const struct graph *graph, const char *values, struct text *text,
                               struct error *error);

#endif
