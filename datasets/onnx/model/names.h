#ifndef MEMPLAN_DATASETS_ONNX_MODEL_NAMES_H
#define MEMPLAN_DATASETS_ONNX_MODEL_NAMES_H

#include "datasets/onnx/model/model.h"

/* Gives every value of the model a name of its own, also where an inner graph uses a name of the
   graph around it for another value; replaces calls of local functions by the nodes of the
   functions; and adds all values to the model. Fails with STATUS_BAD_INPUT where a value is read
   before anything has written it, or is written twice. */
enum status onnx_names_resolve(struct onnx_model *model);

#endif
