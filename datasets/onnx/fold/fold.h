#ifndef MEMPLAN_DATASETS_ONNX_FOLD_FOLD_H
#define MEMPLAN_DATASETS_ONNX_FOLD_FOLD_H

#include "datasets/onnx/model/model.h"

/* Works out small whole-number tensors, which is what shapes are computed with: a node whose output
   is known becomes a Constant, and an If whose condition is known gives way to the branch taken. */
enum status onnx_fold_model(struct onnx_model *model);

#endif
