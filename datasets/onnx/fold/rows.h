#ifndef MEMPLAN_DATASETS_ONNX_FOLD_ROWS_H
#define MEMPLAN_DATASETS_ONNX_FOLD_ROWS_H

#include "datasets/onnx/model/model.h"
#include "datasets/onnx/model/number.h"

/* A node that is looked at by folding. */
struct onnx_fold {
    struct onnx_model *model;
    const Onnx__NodeProto *node;
};

/* What is known of input i, NULL if nothing. */
const struct onnx_number *onnx_fold_input(const struct onnx_fold *fold, size_t i);

/* The axes of an operator that has them as an attribute or, in later versions, as input i; false if
   they are not known. NULL if there are none. */
bool onnx_fold_axes(const struct onnx_fold *fold, size_t i, const int64_t **axes, size_t *count);

/* The first output of a node, NULL if it is not known. One function per operator or family. */
typedef struct onnx_number *onnx_fold_row(const struct onnx_fold *fold);

onnx_fold_row onnx_fold_constant, onnx_fold_identity, onnx_fold_cast;
onnx_fold_row onnx_fold_shape, onnx_fold_size, onnx_fold_gather, onnx_fold_slice, onnx_fold_concat;
onnx_fold_row onnx_fold_reshape, onnx_fold_transpose, onnx_fold_squeeze, onnx_fold_unsqueeze;
onnx_fold_row onnx_fold_constant_of_shape, onnx_fold_range, onnx_fold_where, onnx_fold_reduce;
onnx_fold_row onnx_fold_binary, onnx_fold_unary;

/* Puts the branch that is taken in the place of every If whose condition is known. */
enum status onnx_pick_branches(struct onnx_model *model);

#endif
