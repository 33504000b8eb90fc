#include "solvers/order_exact/small.h"

#include <stdio.h>

#include "core/random.h"
#include "ordering/region.h"
#include "planning/graph/build.h"
#include "support/must.h"
#include "support/testing.h"

enum { MOST_TENSORS = 40, MOST_USES = 6 };

struct sketch {
    struct graph *graph;
    struct random_state random;
    uint32_t tensor[MOST_TENSORS], tensors;
    uint32_t operators;
};

static uint32_t draw(struct sketch *sketch, uint32_t bound)
{
    return (uint32_t)random_below(&sketch->random, bound);
}

/* Sizes are small, so that many are equal. */
static uint32_t add_tensor(struct sketch *sketch)
{
    char name[16];
    snprintf(name, sizeof name, "t%u", sketch->tensors);
    const struct graph_tensor_spec spec = {
        .name = name, .bytes = 1 + draw(sketch, 9), .external = draw(sketch, 8) == 0};
    uint32_t *tensor = &sketch->tensor[sketch->tensors++];
    must(graph_add_tensor(sketch->graph, &spec, tensor, &error));
    return *tensor;
}

static void add_operator(struct sketch *sketch)
{
    struct graph *graph = sketch->graph;
    char name[16];
    uint32_t op, input[MOST_USES], output[MOST_USES], outputs = draw(sketch, 8) ? 1 : 2;
    uint32_t inputs = 0, drawn = draw(sketch, 4), recent = 1 + draw(sketch, 3) * 8;
    for (uint32_t i = 0; i < drawn && sketch->tensors; i++) {
        uint32_t among = sketch->tensors < recent ? sketch->tensors : recent;
        input[inputs++] = sketch->tensor[sketch->tensors - 1 - draw(sketch, among)];
    }
    uint32_t positions[] = {inputs ? draw(sketch, inputs) : 0, 0};
    for (uint32_t i = 0; i < outputs; i++)
        output[i] = add_tensor(sketch);
    snprintf(name, sizeof name, "o%u", sketch->operators);
    must(graph_open_operator(graph, name, "X", &op, &error));
    must(graph_operator_inputs(graph, input, inputs, &error));
    must(graph_operator_outputs(graph, output, outputs, &error));
    uint32_t before = sketch->operators ? draw(sketch, sketch->operators) : 0;
    if (sketch->operators && draw(sketch, 5) == 0)
        must(graph_operator_after(graph, &before, 1, &error));
    if (inputs && draw(sketch, 2) &&
        graph->tensor[input[positions[0]]].bytes >= graph->tensor[output[0]].bytes) {
        graph->tensor[output[0]].bytes = graph->tensor[input[positions[0]]].bytes;
        must(graph_operator_inplace(graph, positions, 1, &error));
    }
    graph_close_operator(graph);
    sketch->operators++;
}

struct order_view *small_view(uint64_t seed, bool overwrite)
{
    struct sketch sketch = {.random = random_seed(seed)};
    uint32_t operators = 1 + draw(&sketch, SMALL_MOST_OPERATORS), inputs = draw(&sketch, 4);
    uint32_t output[MOST_TENSORS], outputs = 0;
    must(graph_create(&sketch.graph, "small", &error));
    for (uint32_t i = 0; i < inputs; i++)
        add_tensor(&sketch);
    for (uint32_t i = 0; i < operators; i++)
        add_operator(&sketch);
    for (uint32_t i = 0; i < sketch.tensors; i++)
        if (draw(&sketch, 8) == 0)
            output[outputs++] = sketch.tensor[i];
    must(graph_set_inputs(sketch.graph, sketch.tensor, inputs, &error));
    must(graph_finish(sketch.graph, output, outputs, NULL, &error));
    struct order_view *view = region_view(sketch.graph, overwrite);
    /* What a block of regions would add. */
    for (uint32_t v = 0; v < view->operators; v++)
        if (draw(&sketch, 6) == 0)
            view->alloc_bytes[v] += draw(&sketch, 6);
    if (draw(&sketch, 10) == 0)
        view->first_bytes += draw(&sketch, 6);
    view->graph = NULL;
    graph_free(sketch.graph);
    return view;
}
