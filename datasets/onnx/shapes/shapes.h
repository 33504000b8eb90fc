#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_SHAPES_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_SHAPES_H

/* libonnx's shape inference, a module that is loaded when the first ONNX model is read: linked, it
   would make every start of the program take 5 ms longer. Plain C, also for the C++ file;
   exceptions stay inside. */

#include <stdbool.h>
#include <stddef.h>

struct onnx_shapes {
    /* What libonnx knows of operators is set up once, 10 ms; later calls are quick. */
    bool (*prepare)(void);

    /* Infers the types of all values of a model given as bytes. False if it cannot be read at all;
       a node that cannot be understood only leaves its outputs without a type. *inferred is the
       model again, from malloc. */
    bool (*infer)(const void *bytes, size_t length, void **inferred, size_t *inferred_length);
};

#ifdef __cplusplus
extern "C" {
#endif

/* The one symbol of the module. */
extern const struct onnx_shapes onnx_shapes;

#ifdef __cplusplus
}
#endif

#endif
