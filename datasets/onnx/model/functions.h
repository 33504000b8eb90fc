#ifndef MEMPLAN_DATASETS_ONNX_MODEL_FUNCTIONS_H
#define MEMPLAN_DATASETS_ONNX_MODEL_FUNCTIONS_H

#include "datasets/onnx/model/model.h"

/* The model's own function that a node calls, NULL for an ordinary operator. */
const Onnx__FunctionProto *onnx_functions_find(const Onnx__ModelProto *proto,
                                               const Onnx__NodeProto *node);

/* Puts the call's attributes in the place of those that a node of the function's body, and of the
   graphs inside it, only names; those that the call does not give are left out. */
void onnx_functions_fill(Onnx__NodeProto *node, const Onnx__NodeProto *call);

#endif
