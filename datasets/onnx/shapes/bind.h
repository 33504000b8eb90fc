#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_BIND_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_BIND_H

#include "datasets/onnx/model/model.h"

/* Gives the inputs of the model the shapes that the options bind them to, and their other open
   dimensions the assumed one. Fails with STATUS_USAGE for a bind that is not written as
   model_options says, that names no input or that contradicts the file. */
enum status onnx_bind_inputs(struct onnx_model *model);

#endif
