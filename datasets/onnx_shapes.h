#ifndef MEMPLAN_DATASETS_ONNX_SHAPES_H
#define MEMPLAN_DATASETS_ONNX_SHAPES_H

/* libonnx's shape inference; its exceptions stay inside. Plain C, also for the C++ file. */

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What libonnx knows of operators is set up once, 10 ms; later calls are quick. */
bool onnx_shapes_prepare(void);

/* Infers the types of all values of a model given as bytes. False if it cannot be read at all; a
   node that cannot be understood only leaves its outputs without a type. *inferred is the model
   again, for onnx_shapes_free, also when it fails. */
bool onnx_shapes_infer(const void *bytes, size_t length, void **inferred, size_t *inferred_length);
void onnx_shapes_free(void *inferred);

#ifdef __cplusplus
}
#endif

#endif
