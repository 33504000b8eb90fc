#ifndef MEMPLAN_DATASETS_ONNX_MODEL_OPTIONS_H
#define MEMPLAN_DATASETS_ONNX_MODEL_OPTIONS_H

#include "core/names.h"

/* What the file of an ONNX model leaves open and the user decides. */
struct onnx_options {
    /* "input=1,3,224,224": the shape of an input of the graph; nothing after the = for a scalar. */
    const char *const *bind; /* [binds] */
    uint32_t binds;
    uint64_t assume_dimension; /* for every dimension that stays unknown; 0: those are errors */
    /* Values of named dimensions of inputs (dim_param), each at least 1; NULL: none. */
    const struct names *dimension;
    const uint64_t *value; /* [dimension->count] */
};

#endif
