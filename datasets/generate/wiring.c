#include "datasets/generate/wiring.h"

#include <stdio.h>

#include "core/groups.h"
#include "core/memory.h"
#include "planning/graph/build.h"

enum { NAME_BYTES = 24 };

struct building {
    const struct wiring *wiring;
    struct graph *graph;
    struct groups in, out; /* the wires that end, and begin, at each operator */
    uint32_t *tensor;      /* [operators + wires] of each operator, then of each wire */
    uint32_t *use;         /* [wires + 1] tensors of one operator */
    uint32_t *reader;      /* [tensors of the graph] 1 more than the last operator that reads it */
    struct error *error;
};

static enum status add_tensor(struct building *building, const char *name, uint64_t bytes,
                              uint32_t *tensor)
{
    return graph_add_tensor(building->graph,
                            &(struct graph_tensor_spec){.name = name, .bytes = bytes}, tensor,
                            building->error);
}

/* Adds operator v, with what it reads once and the tensors that it writes. */
static enum status add_operator(struct building *building, uint32_t v)
{
    const struct wiring *wiring = building->wiring;
    const struct groups *in = &building->in, *out = &building->out;
    bool is_read = out->first[v] < out->first[v + 1], has_own_tensor = !is_read;
    char name[NAME_BYTES];
    uint32_t opened, count = 0;
    struct graph *graph = building->graph;
    snprintf(name, sizeof name, "o%u", v);
    TRY(graph_open_operator(graph, name, "Operator", &opened, building->error));
    for (uint64_t i = in->first[v]; i < in->first[v + 1]; i++) {
        const struct wire *wire = &wiring->wire[in->item[i]];
        uint32_t tensor =
            building->tensor[wire->bytes ? wiring->operators + in->item[i] : wire->from];
        if (building->reader[tensor] == v + 1)
            continue;
        building->reader[tensor] = v + 1;
        building->use[count++] = tensor;
    }
    TRY(graph_operator_inputs(graph, building->use, count, building->error));

    count = 0;
    for (uint64_t i = out->first[v]; i < out->first[v + 1]; i++)
        has_own_tensor = has_own_tensor || !wiring->wire[out->item[i]].bytes;
    if (has_own_tensor) {
        snprintf(name, sizeof name, "t%u", v);
        TRY(add_tensor(building, name, is_read ? wiring->bytes[v] : 1, &building->tensor[v]));
        building->use[count++] = building->tensor[v];
    }
    for (uint64_t i = out->first[v]; i < out->first[v + 1]; i++) {
        uint32_t w = out->item[i], *tensor = &building->tensor[wiring->operators + w];
        if (!wiring->wire[w].bytes)
            continue;
        snprintf(name, sizeof name, "w%u", w);
        TRY(add_tensor(building, name, wiring->wire[w].bytes, tensor));
        building->use[count++] = *tensor;
    }
    TRY(graph_operator_outputs(graph, building->use, count, building->error));
    graph_close_operator(graph);
    return STATUS_OK;
}

static void free_building(struct building *building)
{
    groups_free(&building->in);
    groups_free(&building->out);
    memory_free_all(building->tensor, building->use, building->reader);
}

enum status wiring_build(const struct wiring *wiring, struct graph *graph, struct error *error)
{
    SCOPED(free_building)
    struct building building = {.wiring = wiring, .graph = graph, .error = error};
    size_t tensors = (size_t)wiring->operators + wiring->wires;
    struct groups *in = &building.in, *out = &building.out;
    TRY(groups_begin(in, wiring->operators, error));
    TRY(groups_begin(out, wiring->operators, error));
    for (uint32_t w = 0; w < wiring->wires; w++) {
        groups_count(in, wiring->wire[w].to);
        groups_count(out, wiring->wire[w].from);
    }
    TRY(groups_end_counting(in, error));
    TRY(groups_end_counting(out, error));
    for (uint32_t w = 0; w < wiring->wires; w++) {
        groups_add(in, wiring->wire[w].to, w);
        groups_add(out, wiring->wire[w].from, w);
    }
    TRY(memory_create_all(tensors, error, &building.tensor, &building.reader));
    TRY(memory_create(&building.use, (size_t)wiring->wires + 1, sizeof(uint32_t), error));
    TRY(graph_set_inputs(graph, NULL, 0, error));
    for (uint32_t v = 0; v < wiring->operators; v++)
        TRY(add_operator(&building, v));
    return graph_finish(graph, NULL, 0, NULL, error);
}
