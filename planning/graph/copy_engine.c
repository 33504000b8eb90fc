#include "planning/graph/copy_engine.h"

#include <assert.h>

#include "core/memory.h"
#include "core/text.h"
#include "planning/graph/build.h"
#include "planning/graph/copy.h"

struct engine {
    uint32_t ahead, stream;
    uint32_t *weights; /* [operators] the tensor of its loaded weights, GRAPH_NONE */
    uint32_t *done; /* [operators] weighted operators of a region that were copied, by their numbers
                       in the copy; each region has the part that begins where its operators do */
};

static uint64_t count_bytes(const struct graph *graph, uint32_t o)
{
    struct span weights = graph->op[o].weights;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < weights.count; i++)
        bytes += graph->weight[weights.first + i].bytes;
    return bytes;
}

static enum status open_load(struct graph_copier *copier, const char *name, uint32_t tensor,
                             const uint32_t *after)
{
    const struct engine *engine = copier->context;
    TRY(graph_open_operator(copier->copy, name, "Load", &(uint32_t){0}, copier->error));
    graph_operator_stream(copier->copy, engine->stream);
    TRY(graph_operator_outputs(copier->copy, &tensor, 1, copier->error));
    TRY(graph_operator_after(copier->copy, after, after != NULL, copier->error));
    graph_close_operator(copier->copy);
    return STATUS_OK;
}

/* Adds the operator that loads the weights of operator o, and the tensor that it writes. It waits
   for *after, an operator of the copy, unless that is NULL. */
static enum status add_load(struct graph_copier *copier, uint32_t o, const uint32_t *after)
{
    const struct engine *engine = copier->context;
    const char *name = graph_label(copier->graph, copier->graph->op[o].name);
    struct text tensor = {0}, load = {0};
    enum status status;
    text_append(&tensor, "%s/weights", name);
    text_append(&load, "%s/load", name);
    TRY_OR_DONE(status, text_check(&tensor, copier->error));
    TRY_OR_DONE(status, text_check(&load, copier->error));
    const struct graph_tensor_spec spec = {.name = tensor.bytes,
                                           .bytes = count_bytes(copier->graph, o)};
    TRY_OR_DONE(status, graph_add_tensor(copier->copy, &spec, &engine->weights[o], copier->error));
    status = open_load(copier, load.bytes, engine->weights[o], after);
done:
    text_free(&tensor);
    text_free(&load);
    return status;
}

static enum status copy_region(struct graph_copier *copier, uint32_t region)
{
    const struct graph *graph = copier->graph;
    const struct engine *engine = copier->context;
    uint32_t weighted = 0;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        bool loads = count_bytes(graph, o) > 0;
        /* The part for this region begins where the region does, and is as long. */
        uint32_t *done = engine->done + graph->region[region].begin;
        if (loads)
            TRY(add_load(copier, o,
                         weighted < engine->ahead ? NULL : &done[weighted - engine->ahead]));
        TRY(graph_copy_operator(copier, o));
        if (loads)
            done[weighted++] = copier->number[o];
    }
    return STATUS_OK;
}

static enum status copy_operators(struct graph_copier *copier, uint32_t region)
{
    const struct engine *engine = copier->context;
    uint32_t stream = engine->stream;
    if (region == 0)
        TRY(graph_add_stream(copier->copy, "copy", "copy", &stream, copier->error));
    assert(stream == engine->stream);
    copier->copy->waits_implied = true;
    return copy_region(copier, region);
}

enum status graph_add_copy_engine(const struct graph *graph, uint32_t ahead, struct graph **made,
                                  struct error *error)
{
    struct engine engine = {.ahead = ahead, .stream = graph->streams.count};
    struct graph_copier copier = {
        .graph = graph, .copy_operators = copy_operators, .context = &engine, .error = error};
    enum status status;
    assert(ahead > 0 && graph->streams.count == 1);
    TRY_OR_DONE(status, memory_create(&engine.weights, graph->operators, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&engine.done, graph->operators, sizeof(uint32_t), error));
    for (uint32_t o = 0; o < graph->operators; o++)
        engine.weights[o] = GRAPH_NONE;
    copier.loaded = engine.weights;
    status = graph_copy(&copier, made);
done:
    memory_free(engine.weights);
    memory_free(engine.done);
    return status;
}
