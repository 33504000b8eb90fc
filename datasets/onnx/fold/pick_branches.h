#ifndef MEMPLAN_DATASETS_ONNX_FOLD_PICK_BRANCHES_H
#define MEMPLAN_DATASETS_ONNX_FOLD_PICK_BRANCHES_H

#include "datasets/onnx/model/model.h"

/* Puts the branch that is taken in the place of every If whose condition is known. */
enum status onnx_pick_branches(struct onnx_model *model);

#endif
