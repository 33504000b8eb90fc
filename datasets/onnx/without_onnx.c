/* Stands in for read.c where the program is built without the ONNX library:
   reading always fails. */

#include "datasets/onnx/read.h"

enum status onnx_read(const struct text *text, const char *file,
                      const struct model_options *options, struct graph **graph,
                      struct error *error)
{
    (void)text, (void)options, (void)graph;
    return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                        "this memplan was built without ONNX (MEMPLAN_WITH_ONNX=OFF)");
}
