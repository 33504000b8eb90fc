#ifndef MEMPLAN_PLANNING_INPLACE_TYPES_H
#define MEMPLAN_PLANNING_INPLACE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of types.def. */
struct inplace_type {
    const char *name; /* as in inplace_type_is */
    unsigned inputs;  /* bit i: input i may be overwritten */
    bool view;        /* the output's bytes are those of the first input */
};

uint32_t inplace_types_count(void);
const struct inplace_type *inplace_types_at(uint32_t index);

/* An assign has no row, since its inputs are the variable and the value and its output may be
   written over either. */
#define INPLACE_TYPE_ASSIGN "assign"

/* NULL for a type that is not known to be safe. */
const struct inplace_type *inplace_type_find(const char *type);

/* Names of types are compared without case and underlines, so that Relu6 of ONNX and RELU6 of
   TFLite, BatchNormalization and batch_normalization are one. `name` need not end in a zero. */
bool inplace_type_is(const char *type, const char *name, size_t length);

#endif
