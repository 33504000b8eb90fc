#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_TYPES_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_TYPES_H

#include "core/text.h"
#include "datasets/onnx/model/model.h"

/* Removes from the model all shapes with dimensions that are not numbers: inference would merge
   into them, though they do not know the shapes that inputs were bound to. Inputs of the model
   itself keep theirs. */
enum status onnx_types_clear(struct onnx_model *model);

/* Sends the model through shape inference and keeps every value's type. *changed: the model is not
   the one of the call before, whose bytes are in *before. */
enum status onnx_types_infer(struct onnx_model *model, struct text *before, bool *changed);

/* Gives inference the element type and the shape of a value of this graph, which it cannot find out
   by itself. They count from the next inference on. */
enum status onnx_types_hint(struct onnx_model *model, Onnx__GraphProto *graph, const char *name,
                            const struct onnx_value *type);
/* Does the same for an input or output of the graph. */
enum status onnx_types_set(struct onnx_model *model, Onnx__ValueInfoProto *info,
                           const struct onnx_value *type);

/* NULL where a value is no tensor. */
Onnx__TypeProto__Tensor *onnx_types_tensor(const Onnx__ValueInfoProto *info);

/* All dimensions are known numbers. */
bool onnx_types_is_complete(const struct onnx_value *value);

#endif
