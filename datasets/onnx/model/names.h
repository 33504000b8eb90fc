#ifndef MEMPLAN_DATASETS_ONNX_MODEL_NAMES_H
#define MEMPLAN_DATASETS_ONNX_MODEL_NAMES_H

#include "datasets/onnx/model/model.h"

/* Gives every value of the model a name of its own, also where inner graphs use a name of the graph
   around them again, puts the nodes of local functions in the place of the calls, and adds all
   values to the model. Fails with STATUS_BAD_INPUT where a value is read that nothing before
   writes, or written twice. */
enum status onnx_names_resolve(struct onnx_model *model);

#endif
