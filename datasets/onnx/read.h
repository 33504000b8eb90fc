#ifndef MEMPLAN_DATASETS_ONNX_READ_H
#define MEMPLAN_DATASETS_ONNX_READ_H

#include "core/text.h"
#include "datasets/onnx/model/options.h"
#include "planning/graph/graph.h"

/* ONNX models, see docs/formats.md. */

/* Reads a model as a graph. The caller frees it with graph_free. Fails with STATUS_BAD_INPUT and
   the file, with STATUS_USAGE for a bind that is not written as onnx_options says. name is the
   graph's if it has none. */
enum status onnx_read(const struct text *text, const char *file, const struct onnx_options *options,
                      struct graph **graph, struct error *error);

#endif
