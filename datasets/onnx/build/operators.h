#ifndef MEMPLAN_DATASETS_ONNX_BUILD_OPERATORS_H
#define MEMPLAN_DATASETS_ONNX_BUILD_OPERATORS_H

#include "datasets/onnx/model/model.h"

/* Operations of a node, -1 if they are not known. */
int64_t onnx_operators_flops(const struct onnx_model *model, const Onnx__NodeProto *node);

/* Whether the first output may be written over this input: the operator allows it, and both have
   equally many elements of equal width. */
bool onnx_operators_inplace(const struct onnx_model *model, const Onnx__NodeProto *node,
                            size_t input);

#endif
