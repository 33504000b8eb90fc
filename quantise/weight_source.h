#ifndef MEMPLAN_QUANTISE_WEIGHT_SOURCE_H
#define MEMPLAN_QUANTISE_WEIGHT_SOURCE_H

#include <stdio.h>

#include "core/random.h"
#include "planning/graph/graph.h"

/* The values of a graph's weights, which the graph itself does not have. They come from a raw file,
   in which all weights lie one after another as the graph lists them, each in its own dtype,
   little-endian; or they are drawn from a normal distribution with mean 0 and deviation 1, each
   weight from a random sequence of its own. Values are not stored: asking for them again reads or
   draws them again and gives the same ones. */
struct weight_source {
    const struct graph *graph;
    FILE *file;       /* NULL where values are drawn */
    const char *path; /* borrowed */
    uint64_t seed;
    uint32_t weight; /* index in graph->weight of the weight whose values come next */
    struct random_state random;
};

/* Whether values of a dtype can be read: it is floating point. */
bool weight_source_has(uint8_t dtype);

/* Makes a source that draws values. The graph has to outlive any source. */
struct weight_source weight_source_draw(const struct graph *graph, uint64_t seed);
/* Opens a source that reads a file. STATUS_BAD_INPUT where the file cannot be read or is not as
   long as the graph's weights. */
enum status weight_source_open(const struct graph *graph, const char *path,
                               struct weight_source *source, struct error *error);
/* Closes the file; does nothing to a source that draws. */
void weight_source_close(struct weight_source *source);

/* Goes to the first value of a weight of graph->weight. O(weights) for a file, else O(1). */
enum status weight_source_begin(struct weight_source *source, uint32_t weight, struct error *error);
/* Gives the next `count` values of it, value[count]. Only for weights whose dtype can be read.
   O(count). */
enum status weight_source_next(struct weight_source *source, double *value, uint32_t count,
                               struct error *error);

/* For a source that draws: finds the largest absolute value among the next `count` values and skips
   them, faster than by drawing each. False for a file, of which nothing is read. */
bool weight_source_greatest(struct weight_source *source, uint64_t count, double *greatest);

#endif
