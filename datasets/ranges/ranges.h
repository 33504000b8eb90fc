#ifndef MEMPLAN_DATASETS_RANGES_RANGES_H
#define MEMPLAN_DATASETS_RANGES_RANGES_H

#include "datasets/ranges/options.h"
#include "planning/graph/graph.h"

/* Graphs whose tensors have bytes that depend on parameters, found by building the graph at every
   point of the box: networks of the zoo, and files of models. */

struct ranges_source {
    const char *name;           /* for messages */
    const char *options;        /* that have ranges */
    const char *const *allowed; /* as for ranges_read */
    /* Builds the graph with these options, which have none. The caller frees it. */
    enum status (*build)(const void *context, const char *options, struct graph **graph,
                         struct error *error);
    const void *context;
};

/* Builds the graph at the greatest point, and finds an expression for the bytes of each tensor,
   which is right at all points. STATUS_USAGE or STATUS_BAD_INPUT where an option is wrong;
   STATUS_BAD_INPUT where the operators depend on a parameter, where the bytes of a tensor are no
   expression of the parameters, and where they are above 2^63 - 1. */
enum status ranges_build(const struct ranges_source *source, struct graph **graph,
                         struct symbolic_sizes **sizes, struct error *error);

#endif
