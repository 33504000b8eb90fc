#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_LOOP_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_LOOP_H

#include "datasets/onnx/model/model.h"

/* Where a Loop or a Scan has its carried values; positions i count from the first of them. Behind
   them come, for a Scan, the scanned inputs, and for both the outputs that are gathered. */
struct onnx_loop {
    const Onnx__NodeProto *node;
    Onnx__GraphProto *body;
    size_t carried;
    size_t first_input, first_argument, first_yield;
};

/* Fails with STATUS_BAD_INPUT when node and body do not fit each other. */
enum status onnx_loop_find(const struct onnx_model *model, const Onnx__NodeProto *node,
                           struct onnx_loop *loop);

/* Names. */
const char *onnx_loop_init(const struct onnx_loop *loop, size_t i);
const char *onnx_loop_argument(const struct onnx_loop *loop, size_t i);
const char *onnx_loop_yield(const struct onnx_loop *loop, size_t i);

/* Whether the condition that ends the loop is computed in each turn. */
bool onnx_loop_carries_condition(const struct onnx_model *model, const struct onnx_loop *loop);

/* How often the body runs, -1 if that is not known. */
int64_t onnx_loop_turns(const struct onnx_model *model, const struct onnx_loop *loop);

/* Tells inference what it does not see in the loops of a graph: arguments have the shapes of what
   is carried in, results those of the arguments, and what is gathered one dimension more. That a
   carried value keeps its size is checked in the finished graph. */
enum status onnx_loop_hint(struct onnx_model *model, Onnx__GraphProto *graph);

#endif
