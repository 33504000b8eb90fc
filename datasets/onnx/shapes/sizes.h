#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_SIZES_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_SIZES_H

#include "datasets/onnx/model/model.h"

/* Finds the most bytes that any branch of an If yields for an output, where the type of the output
   is incomplete or gives fewer bytes. */
void onnx_sizes_find(struct onnx_model *model);

/* Bytes of a value; 0 for one without elements. Fails with STATUS_BAD_INPUT where they are not
   known, naming the value, the dimension and the way out. */
enum status onnx_sizes_get(const struct onnx_model *model, const char *name, uint64_t *bytes);

/* The row of the dtype table for an element type; false for one that it does not have. */
bool onnx_sizes_dtype(int32_t element, uint8_t *dtype);

/* Width of an element, 0 for a type that has none. */
uint32_t onnx_sizes_bits(int32_t element);

/* Dimension i of a value that has a rank: the known or the assumed one, -1 without. */
int64_t onnx_sizes_dimension(const struct onnx_model *model, const struct onnx_value *value,
                             uint32_t i);

#endif
