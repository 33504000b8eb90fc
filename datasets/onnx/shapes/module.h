#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_MODULE_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_MODULE_H

#include "core/error.h"
#include "datasets/onnx/shapes/shapes.h"

/* Loads the module of datasets/onnx/shapes/shapes.h, once for the process; it is looked for beside
   the program and where it is installed in relation to it (cmake/MemplanOnnx.cmake). *shapes stays
   valid. STATUS_INTERNAL with the loader's own words where it cannot be loaded. */
enum status onnx_module_load(const struct onnx_shapes **shapes, struct error *error);

#endif
