#ifndef MEMPLAN_DATASETS_ONNX_MODEL_WIRE_H
#define MEMPLAN_DATASETS_ONNX_MODEL_WIRE_H

#include "core/text.h"
#include "datasets/onnx/model/memory.h"
#include "datasets/onnx/model/model.h"

/* Messages as bytes. */

/* The model of a file, in memory. Messages may be nested at most 100 deep, the limit of protobuf
   itself. Contents of large tensors, remarks (doc_string) and unknown fields are dropped, since
   nothing here needs them. Fails with STATUS_BAD_INPUT. */
enum status onnx_wire_read(struct onnx_memory *memory, const struct text *text,
                           Onnx__ModelProto **proto, struct error *error);

/* A copy of a node in memory; *bytes_left is what copies may still take, to stop functions that
   call functions from filling all memory. */
enum status onnx_wire_copy(struct onnx_memory *memory, const Onnx__NodeProto *node,
                           size_t *bytes_left, Onnx__NodeProto **copy, struct error *error);

#endif
