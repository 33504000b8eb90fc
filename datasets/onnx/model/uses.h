#ifndef MEMPLAN_DATASETS_ONNX_MODEL_USES_H
#define MEMPLAN_DATASETS_ONNX_MODEL_USES_H

#include "datasets/onnx/model/model.h"

/* Marks the values that are made of constants only, and those that an output of the model needs. */
void onnx_uses_mark(struct onnx_model *model);

/* Whether the node becomes a part of the graph: what it makes is needed and is no constant. */
bool onnx_uses_keeps(const struct onnx_model *model, const Onnx__NodeProto *node);

#endif
