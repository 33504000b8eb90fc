#include "datasets/onnx/shapes/module.h"

#include <dlfcn.h>

static const char *describe_failure(void)
{
    const char *text = dlerror();
    return text ? text : "for an unknown reason";
}

enum status onnx_module_load(const struct onnx_shapes **shapes, struct error *error)
{
    void *handle = dlopen(MEMPLAN_ONNX_MODULE, RTLD_NOW | RTLD_LOCAL);
    *shapes = handle ? dlsym(handle, "onnx_shapes") : NULL;
    if (*shapes)
        return STATUS_OK;
    return error_set(error, STATUS_INTERNAL,
                     "cannot load the reader of ONNX models, expected where memplan was built or "
                     "installed: %s",
                     describe_failure());
}
