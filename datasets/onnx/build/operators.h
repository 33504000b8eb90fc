#ifndef MEMPLAN_DATASETS_ONNX_BUILD_OPERATORS_H
#define MEMPLAN_DATASETS_ONNX_BUILD_OPERATORS_H

#include "datasets/onnx/model/model.h"

/* What is known of ONNX's operators, one row each. */
struct onnx_operator {
    const char *type;
    /* Operations of a node whose shapes are all known, -1 if they cannot be told; NULL: none, the
       operator only moves bytes. */
    int64_t (*flops)(const struct onnx_model *model, const Onnx__NodeProto *node);
    unsigned per_element; /* for rows that count per element of their output or input */
    unsigned inplace;     /* bit i: the first output may be written over input i */
};

const struct onnx_operator *onnx_operators_find(const Onnx__NodeProto *node); /* NULL: unknown */

/* Operations of a node, -1 if they are not known. */
int64_t onnx_operators_flops(const struct onnx_model *model, const Onnx__NodeProto *node);

/* The first output may be written over this input: the operator allows it, and their elements are
   as many and as wide. */
bool onnx_operators_inplace(const struct onnx_model *model, const Onnx__NodeProto *node,
                            size_t input);

#endif
