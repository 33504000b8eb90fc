#ifndef MEMPLAN_DATASETS_ASSEMBLY_TYPES_H
#define MEMPLAN_DATASETS_ASSEMBLY_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* The types of elements of all formats of models (types.def). */
enum element_format { ELEMENT_ONNX, ELEMENT_TFLITE, ELEMENT_PYTORCH, ELEMENT_XLA, ELEMENT_FORMATS };

struct element_type {
    const char *dtype; /* "" where the graph has none */
    uint32_t bits;
    int number[ELEMENT_FORMATS]; /* -1 for none */
    const char *openvino;
};

/* The type with a number of a format, or with a name of OpenVINO's; NULL for none. */
const struct element_type *element_type_find(enum element_format format, uint64_t number);
const struct element_type *element_type_called(const char *openvino);

/* The dtype of a graph; false where that has none. */
bool element_type_dtype(const struct element_type *type, uint8_t *dtype);

#endif
