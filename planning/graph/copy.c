#include "planning/graph/copy.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/graph/build.h"

static const uint32_t *get_list(const struct graph_copier *copier, struct span span)
{
    assert(span.first + span.count <= copier->graph->listed);
    return copier->graph->list + span.first;
}

/* Finds the number that an operator which is waited for has in the copy, where operators may come
   in another order. STATUS_BAD_INPUT where it comes behind the one that waits. */
static enum status number_wait(struct graph_copier *copier, struct graph_wait wait,
                               uint32_t *number)
{
    const struct graph *graph = copier->graph;
    assert(wait.op < graph->operators && wait.earlier < graph->operators);
    *number = copier->number[wait.earlier];
    if (*number != GRAPH_NONE)
        return STATUS_OK;
    return error_set(copier->error, STATUS_BAD_INPUT,
                     "an order runs '%s' before '%s', which it waits for",
                     graph_label(graph, graph->op[wait.op].name),
                     graph_label(graph, graph->op[wait.earlier].name));
}

/* Copies what the operator waits for in the graph, and the copier's waits of it. */
static enum status copy_waits(struct graph_copier *copier, uint32_t o)
{
    SCOPED(memory_release) uint32_t *number = NULL;
    const struct graph *graph = copier->graph;
    struct span after = graph->op[o].after;
    size_t first = BINARY_SEARCH(at, 0, copier->waits, copier->wait[at].op >= o), end = first;
    uint32_t count = 0;
    while (end < copier->waits && copier->wait[end].op == o)
        end++;
    TRY(memory_create(&number, after.count + (end - first), sizeof *number, copier->error));
    for (uint32_t i = 0; i < after.count; i++)
        TRY(number_wait(copier, (struct graph_wait){o, graph->list[after.first + i]},
                        &number[count++]));
    for (size_t w = first; w < end; w++)
        TRY(number_wait(copier, copier->wait[w], &number[count++]));
    assert(count == after.count + (end - first));
    return graph_operator_after(copier->copy, number, count, copier->error);
}

/* Copies what an operator says of itself. The tensor of loaded weights, if it has one, comes behind
   its inputs. */
static enum status copy_uses(struct graph_copier *copier, uint32_t o)
{
    SCOPED(memory_release) uint32_t *input = NULL;
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[o];
    struct graph *copy = copier->copy;
    struct error *error = copier->error;
    assert(copy->building && copier->number[o] != GRAPH_NONE);
    bool loaded = copier->loaded && copier->loaded[o] != GRAPH_NONE;
    TRY(memory_create(&input, (size_t)op->inputs.count + 1, sizeof *input, error));
    for (uint32_t i = 0; i < op->inputs.count; i++)
        input[i] = graph->list[op->inputs.first + i];
    if (loaded)
        input[op->inputs.count] = copier->loaded[o];
    TRY(graph_operator_inputs(copy, input, op->inputs.count + loaded, error));
    TRY(graph_operator_outputs(copy, get_list(copier, op->outputs), op->outputs.count, error));
    TRY(graph_operator_ignored(copy, get_list(copier, op->ignored), op->ignored.count, error));
    TRY(graph_operator_inplace(copy, get_list(copier, op->inplace), op->inplace.count / 2, error));
    TRY(copy_waits(copier, o));
    graph_operator_stream(copy, op->stream);
    for (uint32_t i = 0; i < op->weights.count && !loaded; i++) {
        const struct graph_weight *weight = &graph->weight[op->weights.first + i];
        TRY(graph_operator_weight(copy, graph_label(graph, weight->name), weight->dtype,
                                  weight->bytes, error));
    }
    for (uint32_t i = 0; i < op->carried.count; i++)
        TRY(graph_operator_carried(copy, &graph->carried[op->carried.first + i], error));
    return STATUS_OK;
}

enum status graph_copy_operator(struct graph_copier *copier, uint32_t o)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t number;
    assert(copier->number[o] == GRAPH_NONE);
    TRY(graph_open_operator(copier->copy, graph_label(graph, op->name),
                            graph_label(graph, op->type), &number, copier->error));
    struct graph_operator *copied = &copier->copy->op[number];
    copier->number[o] = number;
    copied->loop = op->loop;
    copied->trip_count = op->trip_count;
    copied->compute_ns = op->compute_ns;
    copied->flops = op->flops;
    TRY(copy_uses(copier, o));
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        const struct graph_region *region = &graph->region[r];
        TRY(graph_open_region(copier->copy, graph_label(graph, region->name), region->probability,
                              copier->error));
        TRY(copier->copy_operators(copier, r));
        TRY(graph_close_region(copier->copy, get_list(copier, region->yields), region->yields.count,
                               copier->error));
    }
    graph_close_operator(copier->copy);
    return STATUS_OK;
}

static enum status copy_graph(struct graph_copier *copier)
{
    const struct graph *graph = copier->graph;
    struct graph *copy = copier->copy;
    struct error *error = copier->error;
    struct span outputs = graph->region[0].yields;
    for (uint32_t o = 0; o < graph->operators; o++)
        copier->number[o] = GRAPH_NONE;
    copy->waits_implied = graph->waits_implied;
    for (uint32_t s = 0; s < graph->streams.count; s++)
        TRY(graph_add_stream(copy, names_get(&graph->streams, s), names_get(&graph->engines, s),
                             &(uint32_t){0}, error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        const struct graph_tensor *tensor = &graph->tensor[t];
        const struct graph_tensor_spec spec = {.name = names_get(&graph->tensor_names, t),
                                               .external = tensor->external,
                                               .device = tensor->device,
                                               .has_shape = tensor->has_shape,
                                               .dtype = tensor->dtype,
                                               .rank = tensor->rank,
                                               .dimensions = tensor->dimension,
                                               .bytes = tensor->bytes};
        uint32_t number;
        TRY(graph_add_tensor(copy, &spec, &number, error));
        assert(number == t);
    }
    TRY(graph_set_inputs(copy, get_list(copier, graph->inputs), graph->inputs.count, error));
    TRY(copier->copy_operators(copier, 0));
    if (graph->note)
        copy->note = memory_copy_text(graph->note);
    if (graph->note && !copy->note)
        return error_no_memory(error);
    return graph_finish(copy, get_list(copier, outputs), outputs.count, NULL, error);
}

enum status graph_copy(struct graph_copier *copier, struct graph **copy)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct graph *graph = copier->graph;
    TRY(scratch_take(&scratch, &copier->number, graph->operators, sizeof(uint32_t), copier->error));
    TRY(graph_create(&copier->copy, graph_name(graph), copier->error));
    enum status status = copy_graph(copier);
    if (status)
        graph_free(copier->copy);
    else
        *copy = copier->copy;
    return status;
}
