#include <string.h>

#include "datasets/onnx/read.h"

bool onnx_is_ort(const struct text *text)
{
    return text->length >= 8 && memcmp(text->bytes + 4, "ORTM", 4) == 0;
}
