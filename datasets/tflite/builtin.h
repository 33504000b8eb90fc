#ifndef MEMPLAN_DATASETS_TFLITE_BUILTIN_H
#define MEMPLAN_DATASETS_TFLITE_BUILTIN_H

#include <stdint.h>

/* What is known of a builtin operator: its name, which input an output of as many bytes may
   overwrite, and how its flops follow from shapes. */

enum tflite_inplace {
    TFLITE_INPLACE_NONE,
    TFLITE_INPLACE_FIRST, /* the first input */
    TFLITE_INPLACE_ANY,   /* any one of the inputs */
};

enum tflite_flops {
    TFLITE_FLOPS_UNKNOWN,
    TFLITE_FLOPS_NOTHING, /* only moves bytes */
    TFLITE_FLOPS_OUTPUT,  /* one for each element of the output */
    TFLITE_FLOPS_INPUT,   /* one for each element of the first input */
    TFLITE_FLOPS_POOL,    /* one for each element of each window */
    TFLITE_FLOPS_CONV,    /* 2 for each multiply-add, also below */
    TFLITE_FLOPS_DEPTHWISE,
    TFLITE_FLOPS_TRANSPOSE_CONV,
    TFLITE_FLOPS_DENSE,
    TFLITE_FLOPS_MATMUL,
};

struct tflite_builtin {
    const char *name;
    enum tflite_inplace inplace;
    enum tflite_flops flops;
};

/* NULL for a code newer than the table. */
const struct tflite_builtin *tflite_builtin_at(uint32_t code);

#endif
