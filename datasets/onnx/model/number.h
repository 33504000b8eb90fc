#ifndef MEMPLAN_DATASETS_ONNX_MODEL_NUMBER_H
#define MEMPLAN_DATASETS_ONNX_MODEL_NUMBER_H

#include "datasets/onnx/model/model.h"

enum { ONNX_MOST_NUMBERS = 4096 }; /* items that folding looks at */

/* A number with items to be filled, all unknown; NULL if it would be too large or there is no
   memory, which model->memory.failed tells. */
struct onnx_number *onnx_number_create(struct onnx_model *model, int32_t element, uint32_t rank,
                                       const int64_t *dimension);

/* What a tensor of the file holds; NULL for one that folding cannot use. */
struct onnx_number *onnx_number_read(struct onnx_model *model, const Onnx__TensorProto *tensor);

/* Turns a node into a Constant of a number that is known as a whole. */
enum status onnx_number_write(struct onnx_model *model, const struct onnx_number *number,
                              Onnx__NodeProto *node);

bool onnx_number_is_known(const struct onnx_number *number);

/* The only item; false if it is not known or there are several. */
bool onnx_number_scalar(const struct onnx_number *number, int64_t *item);

#endif
