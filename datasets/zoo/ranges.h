#ifndef MEMPLAN_DATASETS_ZOO_RANGES_H
#define MEMPLAN_DATASETS_ZOO_RANGES_H

#include "datasets/zoo/zoo.h"
#include "planning/sizes/sizes.h"

/* Networks of which an option is a range: zoo/bert_base?sequence=16..1024&batch=1..8. The options
   batch, sequence and image can be; image is then the side of a square. */

/* The most points of the box: the network is built at each, to see that its operators are the same
   and that each tensor has the bytes that its expression says. */
enum { ZOO_MOST_POINTS = 16384 };

/* Whether the options, the text behind the ? of the name, have a range. */
bool zoo_has_range(const char *options);

/* Builds the network at the greatest point, and finds an expression for the bytes of each tensor.
   STATUS_USAGE where an option is wrong, where the box has too many points, where the operators
   depend on a parameter, or where the bytes of a tensor are no expression of the parameters. */
enum status zoo_build_ranges(const struct zoo_network *zoo, const char *name, const char *options,
                             struct graph **graph, struct symbolic_sizes **sizes,
                             struct error *error);

/* Appends the options with the values of one point in place of the ranges. */
void zoo_write_point(const char *options, const struct symbolic_sizes *sizes, const uint64_t *point,
                     struct text *text);

#endif
