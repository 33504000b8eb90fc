#ifndef MEMPLAN_DATASETS_ONNX_READ_H
#define MEMPLAN_DATASETS_ONNX_READ_H

#include "core/text.h"
#include "planning/graph.h"

/* ONNX models, see docs/formats.md. */

struct onnx_options {
    /* "input=1,3,224,224": the shape of an input of the graph; nothing after the = for a scalar. */
    const char *const *bind; /* [binds] */
    uint32_t binds;
    uint64_t assume_dimension; /* for every dimension that stays unknown; 0: those are errors */
};

/* Reads a model as a graph. The caller frees it with graph_free. Fails with STATUS_BAD_INPUT and
   the file, with STATUS_USAGE for a bind that is none. name is the graph's if it has none. */
enum status onnx_read(const struct text *text, const char *file, const struct onnx_options *options,
                      struct graph **graph, struct error *error);

#endif
