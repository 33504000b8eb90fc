#include "datasets/generate/wiring.h"

#include <stdio.h>

#include "core/memory.h"
#include "planning/graph/build.h"

enum { NAME_BYTES = 24 };

/* Wires by one of their ends: those of operator v are list[first[v]] up to list[first[v + 1]]. */
struct ends {
    uint32_t *first, *list;
};

struct building {
    const struct wiring *wiring;
    struct graph *graph;
    struct ends in, out;
    uint32_t *tensor; /* [operators + wires] of each operator, then of each wire */
    uint32_t *use;    /* [wires + 1] tensors of one operator */
    uint32_t *reader; /* [tensors of the graph] 1 more than the last operator that reads it */
    struct error *error;
};

static uint32_t find_end(const struct wire *wire, bool in)
{
    return in ? wire->to : wire->from;
}

/* Counting sort, so that wires stay in their order. */
static enum status sort_ends(const struct wiring *wiring, bool in, struct ends *ends,
                             struct error *error)
{
    TRY(memory_create(&ends->first, (size_t)wiring->operators + 2, sizeof(uint32_t), error));
    TRY(memory_create(&ends->list, wiring->wires, sizeof(uint32_t), error));
    for (uint32_t w = 0; w < wiring->wires; w++)
        ends->first[find_end(&wiring->wire[w], in) + 2]++;
    for (uint32_t v = 0; v < wiring->operators; v++)
        ends->first[v + 2] += ends->first[v + 1];
    for (uint32_t w = 0; w < wiring->wires; w++)
        ends->list[ends->first[find_end(&wiring->wire[w], in) + 1]++] = w;
    return STATUS_OK;
}

static enum status add_tensor(struct building *building, const char *name, uint64_t bytes,
                              uint32_t *tensor)
{
    return graph_add_tensor(building->graph,
                            &(struct graph_tensor_spec){.name = name, .bytes = bytes}, tensor,
                            building->error);
}

static bool has_own_tensor(const struct building *building, uint32_t v)
{
    const struct ends *out = &building->out;
    for (uint32_t i = out->first[v]; i < out->first[v + 1]; i++)
        if (!building->wiring->wire[out->list[i]].bytes)
            return true;
    return out->first[v] == out->first[v + 1];
}

/* The tensors that an operator writes. */
static enum status add_outputs(struct building *building, uint32_t v, uint32_t *count)
{
    const struct wiring *wiring = building->wiring;
    const struct ends *out = &building->out;
    bool is_read = out->first[v] < out->first[v + 1];
    char name[NAME_BYTES];
    *count = 0;
    if (has_own_tensor(building, v)) {
        snprintf(name, sizeof name, "t%u", v);
        TRY(add_tensor(building, name, is_read ? wiring->bytes[v] : 1, &building->tensor[v]));
        building->use[(*count)++] = building->tensor[v];
    }
    for (uint32_t i = out->first[v]; i < out->first[v + 1]; i++) {
        uint32_t w = out->list[i], *tensor = &building->tensor[wiring->operators + w];
        if (!wiring->wire[w].bytes)
            continue;
        snprintf(name, sizeof name, "w%u", w);
        TRY(add_tensor(building, name, wiring->wire[w].bytes, tensor));
        building->use[(*count)++] = *tensor;
    }
    return STATUS_OK;
}

static uint32_t list_inputs(struct building *building, uint32_t v)
{
    const struct wiring *wiring = building->wiring;
    uint32_t count = 0;
    for (uint32_t i = building->in.first[v]; i < building->in.first[v + 1]; i++) {
        uint32_t w = building->in.list[i];
        const struct wire *wire = &wiring->wire[w];
        uint32_t tensor = building->tensor[wire->bytes ? wiring->operators + w : wire->from];
        if (building->reader[tensor] == v + 1)
            continue;
        building->reader[tensor] = v + 1;
        building->use[count++] = tensor;
    }
    return count;
}

static enum status add_operator(struct building *building, uint32_t v)
{
    char name[NAME_BYTES];
    uint32_t opened, count;
    struct graph *graph = building->graph;
    snprintf(name, sizeof name, "o%u", v);
    TRY(graph_open_operator(graph, name, "Operator", &opened, building->error));
    count = list_inputs(building, v);
    TRY(graph_operator_inputs(graph, building->use, count, building->error));
    TRY(add_outputs(building, v, &count));
    TRY(graph_operator_outputs(graph, building->use, count, building->error));
    graph_close_operator(graph);
    return STATUS_OK;
}

static enum status fill_graph(struct building *building)
{
    const struct wiring *wiring = building->wiring;
    size_t tensors = (size_t)wiring->operators + wiring->wires;
    TRY(sort_ends(wiring, true, &building->in, building->error));
    TRY(sort_ends(wiring, false, &building->out, building->error));
    TRY(memory_create(&building->tensor, tensors, sizeof(uint32_t), building->error));
    TRY(memory_create(&building->use, (size_t)wiring->wires + 1, sizeof(uint32_t),
                      building->error));
    TRY(memory_create(&building->reader, tensors, sizeof(uint32_t), building->error));
    TRY(graph_set_inputs(building->graph, NULL, 0, building->error));
    for (uint32_t v = 0; v < wiring->operators; v++)
        TRY(add_operator(building, v));
    return graph_finish(building->graph, NULL, 0, NULL, building->error);
}

enum status wiring_build(const struct wiring *wiring, struct graph *graph, struct error *error)
{
    struct building building = {.wiring = wiring, .graph = graph, .error = error};
    enum status status = fill_graph(&building);
    memory_free(building.in.first);
    memory_free(building.in.list);
    memory_free(building.out.first);
    memory_free(building.out.list);
    memory_free(building.tensor);
    memory_free(building.use);
    memory_free(building.reader);
    return status;
}
