#include "datasets/onnx/read.h"

#include "core/memory.h"
#include "datasets/onnx/build/graph.h"
#include "datasets/onnx/fold/fold.h"
#include "datasets/onnx/model/names.h"
#include "datasets/onnx/model/uses.h"
#include "datasets/onnx/model/wire.h"
#include "datasets/onnx/ort/ort.h"
#include "datasets/onnx/shapes/bind.h"
#include "datasets/onnx/shapes/loop.h"
#include "datasets/onnx/shapes/sizes.h"
#include "datasets/onnx/shapes/types.h"

/* Each round that changes something folds a node or gives inference a shape that it did not know,
   so few rounds are needed. */
enum { MOST_ROUNDS = 16 };

static void free_model(struct onnx_model *model)
{
    onnx_memory_free(&model->memory);
    names_free(&model->names);
    memory_free(model->value);
}

static enum status read_model(const struct text *text, const char *file,
                              const struct model_options *options, struct graph **graph,
                              struct error *error)
{
    SCOPED(free_model) struct onnx_model model = {.options = options, .error = error};
    SCOPED(text_free) struct text before = {0};
    bool changed = true;
    onnx_memory_start(&model.memory);
    if (onnx_is_ort(text))
        TRY(ort_read_model(text, file, &model));
    else
        TRY(onnx_wire_read(&model.memory, text, &model.proto, error));
    TRY(onnx_names_resolve(&model));
    TRY(onnx_bind_inputs(&model));
    TRY(onnx_types_clear(&model));
    /* Folding needs shapes, and inference needs the numbers that folding finds. */
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        TRY(onnx_types_infer(&model, &before, &changed));
        if (!changed)
            break;
        TRY(onnx_model_walk(&model, model.proto->graph, onnx_loop_hint));
        TRY(onnx_fold_model(&model));
    }
    text_free(&before);
    onnx_uses_mark(&model);
    onnx_sizes_find(&model);
    const char *name = model.proto->graph->name;
    return onnx_graph_build(&model, name && *name ? name : "onnx", graph, error);
}

enum status onnx_read(const struct text *text, const char *file,
                      const struct model_options *options, struct graph **graph,
                      struct error *error)
{
    const struct model_options none = {0};
    enum status status = read_model(text, file, options ? options : &none, graph, error);
    if (status == STATUS_BAD_INPUT) {
        const struct error found = *error;
        error_set_at(error, status, file, 0, "%s", found.text);
    }
    return status;
}
