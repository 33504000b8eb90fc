#include "datasets/side_by_side/copy_engine.h"

#include <assert.h>

#include "core/scratch.h"
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

/* Adds the operator that loads the weights of operator o, and the tensor that it writes. It waits
   for *after, an operator of the copy, unless that is NULL. */
static enum status add_load(struct graph_copier *copier, uint32_t o, const uint32_t *after)
{
    const struct engine *engine = copier->context;
    struct graph *copy = copier->copy;
    struct error *error = copier->error;
    const char *name = graph_label(copier->graph, copier->graph->op[o].name);
    SCOPED(text_free) struct text tensor = {0};
    SCOPED(text_free) struct text load = {0};
    text_append(&tensor, "%s/weights", name);
    text_append(&load, "%s/load", name);
    TRY(text_check(&tensor, error));
    TRY(text_check(&load, error));
    const struct graph_tensor_spec spec = {.name = tensor.bytes,
                                           .bytes = count_bytes(copier->graph, o)};
    TRY(graph_add_tensor(copy, &spec, &engine->weights[o], error));
    TRY(graph_open_operator(copy, load.bytes, "Load", &(uint32_t){0}, error));
    graph_operator_stream(copy, engine->stream);
    TRY(graph_operator_outputs(copy, &engine->weights[o], 1, error));
    TRY(graph_operator_after(copy, after, after != NULL, error));
    graph_close_operator(copy);
    return STATUS_OK;
}

static enum status copy_operators(struct graph_copier *copier, uint32_t region)
{
    const struct graph *graph = copier->graph;
    const struct engine *engine = copier->context;
    uint32_t begin = graph->region[region].begin, stream = engine->stream, weighted = 0;
    uint32_t *done = engine->done + begin;
    if (region == 0)
        TRY(graph_add_stream(copier->copy, "copy", "copy", &stream, copier->error));
    assert(stream == engine->stream);
    copier->copy->waits_implied = true;
    for (uint32_t o = begin; o < graph->region[region].end; o = graph->op[o].end) {
        bool loads = count_bytes(graph, o) > 0;
        assert(begin + weighted <= o);
        if (loads)
            TRY(add_load(copier, o,
                         weighted < engine->ahead ? NULL : &done[weighted - engine->ahead]));
        TRY(graph_copy_operator(copier, o));
        if (loads)
            done[weighted++] = copier->number[o];
    }
    return STATUS_OK;
}

enum status graph_add_copy_engine(const struct graph *graph, uint32_t ahead, struct graph **made,
                                  struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct engine engine = {.ahead = ahead, .stream = graph->streams.count};
    struct graph_copier copier = {
        .graph = graph, .copy_operators = copy_operators, .context = &engine, .error = error};
    assert(ahead > 0 && graph->streams.count == 1);
    TRY(scratch_take_all(&scratch, graph->operators, error, &engine.weights, &engine.done));
    for (uint32_t o = 0; o < graph->operators; o++)
        engine.weights[o] = GRAPH_NONE;
    copier.loaded = engine.weights;
    return graph_copy(&copier, made);
}
