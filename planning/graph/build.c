#include "planning/graph/build.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/dtype.h"

static enum status add_label(struct graph *graph, const char *text, uint32_t *label,
                             struct error *error)
{
    *label = names_find(&graph->labels, text);
    if (*label != NAMES_NONE)
        return STATUS_OK;
    TRY(names_add(&graph->labels, text, error));
    *label = graph->labels.count - 1;
    return STATUS_OK;
}

static enum status add_list(struct graph *graph, const uint32_t *items, uint32_t count,
                            struct span *span, struct error *error)
{
    assert(items || count == 0);
    if (count > UINT32_MAX - graph->listed)
        return error_set(error, STATUS_BAD_INPUT, "graph has more than %u uses", UINT32_MAX);
    TRY(memory_reserve(&graph->list, &graph->building->list, (size_t)graph->listed + count,
                       sizeof *graph->list, error));
    if (count)
        memcpy(graph->list + graph->listed, items, count * sizeof *items);
    *span = (struct span){graph->listed, count};
    graph->listed += count;
    return STATUS_OK;
}

static enum status add_region(struct graph *graph, const char *name, double probability,
                              struct error *error)
{
    assert(graph->building->open_operator == GRAPH_NONE ||
           graph->building->open_operator < graph->operators);
    struct graph_region region = {.owner = graph->building->open_operator,
                                  .next = GRAPH_NONE,
                                  .begin = graph->operators,
                                  .end = graph->operators,
                                  .probability = probability};
    TRY(add_label(graph, name, &region.name, error));
    TRY(memory_reserve(&graph->region, &graph->building->regions, (size_t)graph->regions + 1,
                       sizeof *graph->region, error));
    graph->region[graph->regions] = region;
    graph->building->open_region = graph->regions++;
    return STATUS_OK;
}

enum status graph_create(struct graph **created, const char *name, struct error *error)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    TRY(memory_create(&graph, 1, sizeof *graph, error));
    TRY(memory_create(&graph->building, 1, sizeof *graph->building, error));
    graph->building->open_operator = GRAPH_NONE;
    TRY(names_add(&graph->name, name, error));
    TRY(add_region(graph, "", -1, error));
    assert(graph->regions == 1 && graph->building->open_region == 0);
    HAND_OVER(graph, created);
}

enum status graph_add_stream(struct graph *graph, const char *name, const char *engine,
                             uint32_t *stream, struct error *error)
{
    assert(graph->streams.count == graph->engines.count);
    if (names_find(&graph->streams, name) != NAMES_NONE)
        return error_set(error, STATUS_BAD_INPUT, "stream '%s' again, expected each name once",
                         name);
    TRY(names_add(&graph->engines, engine, error));
    TRY(names_add(&graph->streams, name, error));
    *stream = graph->streams.count - 1;
    return STATUS_OK;
}

enum status graph_add_tensor(struct graph *graph, const struct graph_tensor_spec *spec,
                             uint32_t *tensor, struct error *error)
{
    struct graph_tensor added = {.bytes = spec->bytes,
                                 .external = spec->external,
                                 .device = spec->device,
                                 .producer = GRAPH_NONE};
    if (spec->has_shape) {
        if (spec->rank > GRAPH_MOST_DIMENSIONS)
            return error_set(error, STATUS_BAD_INPUT,
                             "tensor '%s' has %u dimensions, expected at most %d", spec->name,
                             spec->rank, GRAPH_MOST_DIMENSIONS);
        if (!graph_shape_bytes(spec->dtype, spec->dimensions, spec->rank, &added.bytes))
            return error_set(error, STATUS_BAD_INPUT, "tensor '%s' is larger than 2^64 bytes",
                             spec->name);
        added.has_shape = true;
        added.dtype = spec->dtype;
        added.rank = (uint8_t)spec->rank;
        for (uint32_t i = 0; i < spec->rank; i++)
            added.dimension[i] = spec->dimensions[i];
    }
    if (names_find(&graph->tensor_names, spec->name) != NAMES_NONE)
        return error_set(error, STATUS_BAD_INPUT, "tensor '%s' again, expected each name once",
                         spec->name);
    if (!added.bytes)
        return error_set(error, STATUS_BAD_INPUT, "tensor '%s' has 0 bytes, expected at least 1",
                         spec->name);
    TRY(memory_reserve(&graph->tensor, &graph->building->tensors, (size_t)graph->tensors + 1,
                       sizeof *graph->tensor, error));
    TRY(names_add(&graph->tensor_names, spec->name, error));
    assert(graph->tensor_names.count == graph->tensors + 1);
    graph->tensor[graph->tensors] = added;
    *tensor = graph->tensors++;
    return STATUS_OK;
}

enum status graph_set_inputs(struct graph *graph, const uint32_t *tensors, uint32_t count,
                             struct error *error)
{
    assert(graph->building->open_region == 0);
    return add_list(graph, tensors, count, &graph->inputs, error);
}

enum status graph_open_operator(struct graph *graph, const char *name, const char *type,
                                uint32_t *op, struct error *error)
{
    struct graph_building *building = graph->building;
    uint32_t around = building->open_operator;
    struct graph_operator opened = {.region = building->open_region,
                                    .stream = around == GRAPH_NONE ? 0 : graph->op[around].stream,
                                    .first_region = GRAPH_NONE,
                                    .last_region = GRAPH_NONE,
                                    .trip_count = -1,
                                    .compute_ns = -1,
                                    .flops = -1};
    assert(around == graph->region[building->open_region].owner);
    if (graph->operators >= UINT32_MAX / 4)
        return error_set(error, STATUS_BAD_INPUT, "graph has more than %u operators",
                         UINT32_MAX / 4);
    TRY(add_label(graph, name, &opened.name, error));
    TRY(add_label(graph, type, &opened.type, error));
    TRY(memory_reserve(&graph->op, &graph->building->operators, (size_t)graph->operators + 1,
                       sizeof *graph->op, error));
    graph->op[graph->operators] = opened;
    *op = building->open_operator = graph->operators++;
    return STATUS_OK;
}

static struct graph_operator *get_open_operator(struct graph *graph)
{
    assert(graph->building->open_operator < graph->operators);
    return &graph->op[graph->building->open_operator];
}

enum status graph_operator_inputs(struct graph *graph, const uint32_t *tensors, uint32_t count,
                                  struct error *error)
{
    return add_list(graph, tensors, count, &get_open_operator(graph)->inputs, error);
}

enum status graph_operator_outputs(struct graph *graph, const uint32_t *tensors, uint32_t count,
                                   struct error *error)
{
    return add_list(graph, tensors, count, &get_open_operator(graph)->outputs, error);
}

enum status graph_operator_ignored(struct graph *graph, const uint32_t *tensors, uint32_t count,
                                   struct error *error)
{
    return add_list(graph, tensors, count, &get_open_operator(graph)->ignored, error);
}

void graph_operator_stream(struct graph *graph, uint32_t stream)
{
    get_open_operator(graph)->stream = stream;
}

enum status graph_operator_after(struct graph *graph, const uint32_t *operators, uint32_t count,
                                 struct error *error)
{
    return add_list(graph, operators, count, &get_open_operator(graph)->after, error);
}

enum status graph_operator_inplace(struct graph *graph, const uint32_t *positions, uint32_t pairs,
                                   struct error *error)
{
    return add_list(graph, positions, 2 * pairs, &get_open_operator(graph)->inplace, error);
}

enum status graph_operator_weight(struct graph *graph, const char *name, uint8_t dtype,
                                  uint64_t bytes, struct error *error)
{
    struct span *span = &get_open_operator(graph)->weights;
    struct graph_weight weight = {.dtype = dtype, .bytes = bytes};
    TRY(add_label(graph, name, &weight.name, error));
    TRY(memory_reserve(&graph->weight, &graph->building->weights, (size_t)graph->weights + 1,
                       sizeof *graph->weight, error));
    if (!span->count++)
        span->first = graph->weights;
    assert(span->first + span->count == graph->weights + 1);
    graph->weight[graph->weights++] = weight;
    return STATUS_OK;
}

enum status graph_operator_carried(struct graph *graph, const struct graph_carried *carried,
                                   struct error *error)
{
    struct span *span = &get_open_operator(graph)->carried;
    TRY(memory_reserve(&graph->carried, &graph->building->carried, (size_t)graph->carried_count + 1,
                       sizeof *graph->carried, error));
    if (!span->count++)
        span->first = graph->carried_count;
    assert(span->first + span->count == graph->carried_count + 1);
    graph->carried[graph->carried_count++] = *carried;
    return STATUS_OK;
}

enum status graph_open_region(struct graph *graph, const char *name, double probability,
                              struct error *error)
{
    struct graph_operator *owner = get_open_operator(graph);
    assert(owner->region == graph->building->open_region);
    if (owner->first_region == GRAPH_NONE)
        owner->first_region = graph->regions;
    else
        graph->region[owner->last_region].next = graph->regions;
    owner->last_region = graph->regions;
    return add_region(graph, name, probability, error);
}

enum status graph_close_region(struct graph *graph, const uint32_t *yields, uint32_t count,
                               struct error *error)
{
    struct graph_region *region = &graph->region[graph->building->open_region];
    assert(graph->building->open_operator == region->owner);
    region->end = graph->operators;
    assert(region->begin <= region->end);
    TRY(add_list(graph, yields, count, &region->yields, error));
    graph->building->open_operator = region->owner;
    if (region->owner != GRAPH_NONE)
        graph->building->open_region = graph->op[region->owner].region;
    return STATUS_OK;
}

void graph_close_operator(struct graph *graph)
{
    struct graph_operator *closed = get_open_operator(graph);
    assert(closed->region == graph->building->open_region);
    closed->end = graph->operators;
    graph->building->open_operator = graph->region[graph->building->open_region].owner;
}

enum status graph_finish(struct graph *graph, const uint32_t *outputs, uint32_t count, uint32_t *op,
                         struct error *error)
{
    uint32_t ignored;
    op = op ? op : &ignored;
    *op = GRAPH_NONE;
    assert(graph->building->open_region == 0);
    TRY(graph_close_region(graph, outputs, count, error));
    if (!graph->streams.count)
        TRY(graph_add_stream(graph, GRAPH_MAIN_STREAM, "", &(uint32_t){0}, error));
    memory_free(graph->building);
    graph->building = NULL;
    return graph_check(graph, op, error);
}
