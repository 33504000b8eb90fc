#include "datasets/assembly/types.h"

#include <stddef.h>
#include <string.h>

#include "planning/graph/dtype.h"

static const struct element_type types[] = {
#define TYPE(dtype, bits, onnx, tflite, pytorch, xla, openvino)                                    \
    {dtype, bits, {onnx, tflite, pytorch, xla}, openvino},
#include "datasets/assembly/types.def"
#undef TYPE
};
enum { TYPES = sizeof types / sizeof *types };

const struct element_type *element_type_find(enum element_format format, uint64_t number)
{
    for (int i = 0; i < TYPES && number <= INT32_MAX; i++)
        if (types[i].number[format] == (int)number)
            return &types[i];
    return NULL;
}

const struct element_type *element_type_called(const char *openvino)
{
    for (int i = 0; i < TYPES && *openvino; i++)
        if (strcmp(types[i].openvino, openvino) == 0)
            return &types[i];
    return NULL;
}

bool element_type_dtype(const struct element_type *type, uint8_t *dtype)
{
    return graph_dtype_find(type->dtype, dtype);
}
