#ifndef MEMPLAN_DATASETS_ASSEMBLY_OPTIONS_H
#define MEMPLAN_DATASETS_ASSEMBLY_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "planning/graph/graph.h"

/* What the file of a model leaves open and the user decides. */
struct model_options {
    /* "input=1,3,224,224": the shape of an input of the graph; nothing after the = for a scalar. */
    const char *const *bind; /* [binds] */
    uint32_t binds;
    uint64_t assume_dimension; /* for every dimension that stays unknown; 0: those are errors */
};

struct bound_shape {
    const char *name; /* [name_bytes] in the text, no zero at its end */
    size_t name_bytes;
    uint32_t rank;
    int64_t dimension[GRAPH_MOST_DIMENSIONS]; /* [rank], each at least 1 */
};

/* Reads one bind; STATUS_USAGE where it is none. */
enum status bound_shape_parse(const char *bind, struct bound_shape *shape, struct error *error);

/* STATUS_USAGE with the names that there are, separated by ", ", since the bind fits none; and the
   same where a bind names none of the inputs. */
enum status bound_shape_refuse(const struct bound_shape *shape, const char *known,
                               struct error *error);
enum status bound_shapes_check(const struct model_options *options, const struct names *inputs,
                               struct error *error);

/* The shape that the user gives the input. *found is false where none is given. */
enum status bound_shape_find(const struct model_options *options, const char *input,
                             struct bound_shape *shape, bool *found, struct error *error);

#endif
