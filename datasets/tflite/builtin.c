#include "datasets/tflite/builtin.h"

#include <stddef.h>

#define BUILTIN(name, inplace, flops) {#name, TFLITE_INPLACE_##inplace, TFLITE_FLOPS_##flops},
static const struct tflite_builtin builtins[] = {
#include "datasets/tflite/builtins.def"
};
#undef BUILTIN

const struct tflite_builtin *tflite_builtin_at(uint32_t code)
{
    return code < sizeof builtins / sizeof *builtins ? &builtins[code] : NULL;
}
