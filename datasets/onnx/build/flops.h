#ifndef MEMPLAN_DATASETS_ONNX_BUILD_FLOPS_H
#define MEMPLAN_DATASETS_ONNX_BUILD_FLOPS_H

#include "datasets/onnx/model/model.h"

/* Counts of operations, 2 per multiply-add; -1 where a shape is not known or the count is larger
   than 2^63. */
typedef int64_t onnx_flops(const struct onnx_model *model, const Onnx__NodeProto *node);

onnx_flops onnx_flops_output; /* one per element of the first output */
onnx_flops onnx_flops_input;  /* one per element of the first input: reductions */
onnx_flops onnx_flops_conv;
onnx_flops onnx_flops_conv_transpose;
onnx_flops onnx_flops_gemm;
onnx_flops onnx_flops_matmul;
onnx_flops onnx_flops_pool;      /* one per element of each window */
onnx_flops onnx_flops_recurrent; /* LSTM, GRU and RNN: the products only */

#endif
