#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_ISOLATE_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_ISOLATE_H

#include "core/text.h"

/* Shape inference in a process of its own: libonnx 1.12 divides by zero, recurses without end and
   reads out of bounds on files that are wrong. Makes inferred the model with its types; it is empty
   before. Fails with STATUS_BAD_INPUT when the process died, did not end in time or could not read
   the model, with STATUS_INTERNAL when the module of shapes.h cannot be loaded. */
enum status onnx_isolate_infer(const void *bytes, size_t length, struct text *inferred,
                               struct error *error);

#endif
