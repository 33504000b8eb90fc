#ifndef MEMPLAN_DATASETS_ONNX_READ_H
#define MEMPLAN_DATASETS_ONNX_READ_H

#include <string.h>

#include "core/text.h"
#include "datasets/assembly/options.h"
#include "planning/graph/graph.h"

/* ONNX models, see docs/formats.md. */

/* Whether these are the first bytes of a model in ONNX Runtime's own format. */
static inline bool onnx_is_ort(const struct text *text)
{
    return text->length >= 8 && memcmp(text->bytes + 4, "ORTM", 4) == 0;
}

/* Reads a model, in ONNX's format or ONNX Runtime's, as a graph. The caller frees it with
   graph_free. Fails with STATUS_BAD_INPUT and the file, with STATUS_USAGE for a bind that is not
   written as model_options says. name is the graph's if it has none. */
enum status onnx_read(const struct text *text, const char *file,
                      const struct model_options *options, struct graph **graph,
                      struct error *error);

#endif
