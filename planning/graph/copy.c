#include "planning/graph/copy.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "planning/graph/build.h"

static const uint32_t *get_list(const struct graph_copier *copier, struct span span)
{
    return copier->graph->list + span.first;
}

static enum status copy_tensor(struct graph_copier *copier, uint32_t index)
{
    const struct graph_tensor *tensor = &copier->graph->tensor[index];
    const struct graph_tensor_spec spec = {.name = names_get(&copier->graph->tensor_names, index),
                                           .external = tensor->external,
                                           .device = tensor->device,
                                           .has_shape = tensor->has_shape,
                                           .dtype = tensor->dtype,
                                           .rank = tensor->rank,
                                           .dimensions = tensor->dimension,
                                           .bytes = tensor->bytes};
    uint32_t number;
    TRY(graph_add_tensor(copier->copy, &spec, &number, copier->error));
    assert(number == index);
    return STATUS_OK;
}

/* Finds the number that an operator which is waited for has in the copy, where operators may come
   in another order. STATUS_BAD_INPUT where it comes behind the one that waits. */
static enum status number_wait(struct graph_copier *copier, struct graph_wait wait,
                               uint32_t *number)
{
    const struct graph *graph = copier->graph;
    *number = copier->number[wait.earlier];
    if (*number != GRAPH_NONE)
        return STATUS_OK;
    return error_set(copier->error, STATUS_BAD_INPUT,
                     "an order runs '%s' before '%s', which it waits for",
                     graph_label(graph, graph->op[wait.op].name),
                     graph_label(graph, graph->op[wait.earlier].name));
}

/* Copies what the operator waits for in the graph, and the copier's waits of it. */
static enum status number_waits(struct graph_copier *copier, uint32_t o, size_t first,
                                uint32_t *number)
{
    const struct graph *graph = copier->graph;
    struct span after = graph->op[o].after;
    uint32_t count = 0;
    for (uint32_t i = 0; i < after.count; i++, count++)
        TRY(number_wait(copier, (struct graph_wait){o, graph->list[after.first + i]},
                        &number[count]));
    for (size_t w = first; w < copier->waits && copier->wait[w].op == o; w++, count++)
        TRY(number_wait(copier, copier->wait[w], &number[count]));
    return graph_operator_after(copier->copy, number, count, copier->error);
}

static enum status copy_waits(struct graph_copier *copier, uint32_t o)
{
    size_t first = BINARY_SEARCH(at, 0, copier->waits, copier->wait[at].op >= o), end = first;
    uint32_t *number;
    while (end < copier->waits && copier->wait[end].op == o)
        end++;
    TRY(memory_create(&number, copier->graph->op[o].after.count + (end - first), sizeof *number,
                      copier->error));
    enum status status = number_waits(copier, o, first, number);
    memory_free(number);
    return status;
}

static bool is_loaded(const struct graph_copier *copier, uint32_t o)
{
    return copier->loaded && copier->loaded[o] != GRAPH_NONE;
}

/* Copies the inputs of an operator; the tensor of loaded weights, if it has one, comes behind
   them. */
static enum status copy_inputs(struct graph_copier *copier, uint32_t o)
{
    struct span inputs = copier->graph->op[o].inputs;
    uint32_t *list, count = inputs.count;
    TRY(memory_create(&list, (size_t)count + 1, sizeof *list, copier->error));
    for (uint32_t i = 0; i < count; i++)
        list[i] = get_list(copier, inputs)[i];
    if (is_loaded(copier, o))
        list[count++] = copier->loaded[o];
    enum status status = graph_operator_inputs(copier->copy, list, count, copier->error);
    memory_free(list);
    return status;
}

static enum status copy_uses(struct graph_copier *copier, uint32_t o)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[o];
    struct graph *copy = copier->copy;
    struct error *error = copier->error;
    TRY(copy_inputs(copier, o));
    TRY(graph_operator_outputs(copy, get_list(copier, op->outputs), op->outputs.count, error));
    TRY(graph_operator_ignored(copy, get_list(copier, op->ignored), op->ignored.count, error));
    TRY(graph_operator_inplace(copy, get_list(copier, op->inplace), op->inplace.count / 2, error));
    TRY(copy_waits(copier, o));
    graph_operator_stream(copy, op->stream);
    for (uint32_t i = 0; i < op->weights.count && !is_loaded(copier, o); i++) {
        const struct graph_weight *weight = &graph->weight[op->weights.first + i];
        TRY(graph_operator_weight(copy, graph_label(graph, weight->name), weight->dtype,
                                  weight->bytes, error));
    }
    for (uint32_t i = 0; i < op->carried.count; i++)
        TRY(graph_operator_carried(copy, &graph->carried[op->carried.first + i], error));
    return STATUS_OK;
}

static enum status copy_region(struct graph_copier *copier, uint32_t r)
{
    const struct graph_region *region = &copier->graph->region[r];
    TRY(graph_open_region(copier->copy, graph_label(copier->graph, region->name),
                          region->probability, copier->error));
    TRY(copier->copy_operators(copier, r));
    return graph_close_region(copier->copy, get_list(copier, region->yields), region->yields.count,
                              copier->error);
}

enum status graph_copy_operator(struct graph_copier *copier, uint32_t o)
{
    const struct graph *graph = copier->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t number;
    TRY(graph_open_operator(copier->copy, graph_label(graph, op->name),
                            graph_label(graph, op->type), &number, copier->error));
    struct graph_operator *copied = &copier->copy->op[number];
    copier->number[o] = number;
    copied->loop = op->loop;
    copied->trip_count = op->trip_count;
    copied->compute_ns = op->compute_ns;
    copied->flops = op->flops;
    TRY(copy_uses(copier, o));
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(copy_region(copier, r));
    graph_close_operator(copier->copy);
    return STATUS_OK;
}

static enum status copy_graph(struct graph_copier *copier)
{
    const struct graph *graph = copier->graph;
    for (uint32_t o = 0; o < graph->operators; o++)
        copier->number[o] = GRAPH_NONE;
    copier->copy->waits_implied = graph->waits_implied;
    for (uint32_t s = 0; s < graph->streams.count; s++)
        TRY(graph_add_stream(copier->copy, names_get(&graph->streams, s),
                             names_get(&graph->engines, s), &(uint32_t){0}, copier->error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        TRY(copy_tensor(copier, t));
    TRY(graph_set_inputs(copier->copy, get_list(copier, graph->inputs), graph->inputs.count,
                         copier->error));
    TRY(copier->copy_operators(copier, 0));
    if (graph->note) {
        copier->copy->note = memory_copy_text(graph->note);
        if (!copier->copy->note)
            return error_no_memory(copier->error);
    }
    struct span outputs = graph->region[0].yields;
    return graph_finish(copier->copy, get_list(copier, outputs), outputs.count, NULL,
                        copier->error);
}

enum status graph_copy(struct graph_copier *copier, struct graph **copy)
{
    const struct graph *graph = copier->graph;
    TRY(graph_create(&copier->copy, graph_name(graph), copier->error));
    enum status status =
        memory_create(&copier->number, graph->operators, sizeof *copier->number, copier->error);
    if (!status)
        status = copy_graph(copier);
    memory_free(copier->number);
    if (status)
        graph_free(copier->copy);
    else
        *copy = copier->copy;
    return status;
}
