#include "solvers/order_exact/small.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/random.h"
#include "ordering/region.h"
#include "planning/graph/build.h"
#include "support/testing.h"

enum { MOST_TENSORS = 40, MOST_USES = 6 };

struct sketch {
    struct graph *graph;
    struct random_state random;
    uint32_t tensor[MOST_TENSORS], tensors;
    uint32_t operators;
    struct error error;
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
    CU_ASSERT_EQUAL_FATAL(graph_add_tensor(sketch->graph, &spec, tensor, &sketch->error),
                          STATUS_OK);
    return *tensor;
}

static uint32_t draw_inputs(struct sketch *sketch, uint32_t *input)
{
    uint32_t count = 0, drawn = draw(sketch, 4);
    uint32_t recent = 1 + draw(sketch, 3) * 8;
    for (uint32_t i = 0; i < drawn && sketch->tensors; i++) {
        uint32_t among = sketch->tensors < recent ? sketch->tensors : recent;
        input[count++] = sketch->tensor[sketch->tensors - 1 - draw(sketch, among)];
    }
    return count;
}

static void add_operator(struct sketch *sketch)
{
    char name[16];
    uint32_t op, input[MOST_USES], output[MOST_USES], outputs = draw(sketch, 8) ? 1 : 2;
    uint32_t inputs = draw_inputs(sketch, input);
    uint32_t positions[] = {inputs ? draw(sketch, inputs) : 0, 0};
    for (uint32_t i = 0; i < outputs; i++)
        output[i] = add_tensor(sketch);
    snprintf(name, sizeof name, "o%u", sketch->operators);
    struct graph *graph = sketch->graph;
    struct error *error = &sketch->error;
    CU_ASSERT_EQUAL_FATAL(graph_open_operator(graph, name, "X", &op, error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(graph_operator_inputs(graph, input, inputs, error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(graph_operator_outputs(graph, output, outputs, error), STATUS_OK);
    uint32_t before = sketch->operators ? draw(sketch, sketch->operators) : 0;
    if (sketch->operators && draw(sketch, 5) == 0)
        CU_ASSERT_EQUAL_FATAL(graph_operator_after(graph, &before, 1, error), STATUS_OK);
    if (inputs && draw(sketch, 2) &&
        graph->tensor[input[positions[0]]].bytes >= graph->tensor[output[0]].bytes) {
        graph->tensor[output[0]].bytes = graph->tensor[input[positions[0]]].bytes;
        CU_ASSERT_EQUAL_FATAL(graph_operator_inplace(graph, positions, 1, error), STATUS_OK);
    }
    graph_close_operator(graph);
    sketch->operators++;
}

static void finish(struct sketch *sketch, uint32_t inputs)
{
    uint32_t output[MOST_TENSORS], outputs = 0;
    for (uint32_t i = 0; i < sketch->tensors; i++)
        if (draw(sketch, 8) == 0)
            output[outputs++] = sketch->tensor[i];
    struct error *error = &sketch->error;
    CU_ASSERT_EQUAL_FATAL(graph_set_inputs(sketch->graph, sketch->tensor, inputs, error),
                          STATUS_OK);
    enum status status = graph_finish(sketch->graph, output, outputs, NULL, error);
    if (status)
        printf("\n    %s\n", error->text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
}

/* What a block of regions would add. */
static void add_scratch(struct sketch *sketch, struct order_view *view)
{
    for (uint32_t v = 0; v < view->operators; v++)
        if (draw(sketch, 6) == 0)
            view->alloc_bytes[v] += draw(sketch, 6);
    if (draw(sketch, 10) == 0)
        view->first_bytes += draw(sketch, 6);
}

struct order_view *small_view(uint64_t seed, bool overwrite)
{
    struct sketch sketch = {.random = random_seed(seed)};
    uint32_t operators = 1 + draw(&sketch, SMALL_MOST_OPERATORS), inputs = draw(&sketch, 4);
    CU_ASSERT_EQUAL_FATAL(graph_create(&sketch.graph, "small", &sketch.error), STATUS_OK);
    for (uint32_t i = 0; i < inputs; i++)
        add_tensor(&sketch);
    for (uint32_t i = 0; i < operators; i++)
        add_operator(&sketch);
    finish(&sketch, inputs);
    struct order_view *view = region_view(sketch.graph, overwrite);
    add_scratch(&sketch, view);
    view->graph = NULL;
    graph_free(sketch.graph);
    return view;
}

static bool is_live(const struct order_view *view, uint32_t t, uint32_t ran)
{
    if (view->producer[t] != ORDER_NONE && !(ran >> view->producer[t] & 1))
        return false;
    bool live = view->kept[t];
    for (uint32_t i = view->readers.start[t]; i < view->readers.start[t + 1]; i++)
        live |= !(ran >> view->readers.item[i] & 1);
    return live;
}

static uint64_t sum_live(const struct order_view *view, uint32_t ran)
{
    uint64_t bytes = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        bytes += is_live(view, t, ran) ? view->bytes[t] : 0;
    return bytes;
}

/* Once for each group that has an input which dies. */
static uint64_t sum_saved(const struct order_view *view, uint32_t op, uint32_t ran)
{
    uint64_t bytes = 0;
    bool counted = false;
    for (uint32_t i = view->first_spared[op]; i < view->first_spared[op + 1]; i++) {
        const struct order_spared *spared = &view->spared[i];
        counted = counted && spared->group == spared[-1].group;
        if (!counted && !is_live(view, spared->input, ran | 1u << op)) {
            bytes += spared->bytes;
            counted = true;
        }
    }
    return bytes;
}

static bool may_run(const struct order_view *view, uint32_t op, uint32_t ran)
{
    if (ran >> op & 1)
        return false;
    for (uint32_t i = view->predecessors.start[op]; i < view->predecessors.start[op + 1]; i++)
        if (!(ran >> view->predecessors.item[i] & 1))
            return false;
    return true;
}

uint64_t small_best_load(const struct order_view *view)
{
    uint32_t sets = 1u << view->operators;
    uint64_t *best = malloc(sets * sizeof *best), load;
    CU_ASSERT_PTR_NOT_NULL_FATAL(best);
    for (uint32_t ran = 0; ran < sets; ran++)
        best[ran] = UINT64_MAX;
    best[0] = sum_live(view, 0) + view->first_bytes;
    for (uint32_t ran = 0; ran < sets - 1; ran++)
        for (uint32_t op = 0; op < view->operators && best[ran] != UINT64_MAX; op++) {
            if (!may_run(view, op, ran))
                continue;
            load = sum_live(view, ran) + view->alloc_bytes[op] - sum_saved(view, op, ran) +
                   (ran ? 0 : view->first_bytes);
            load = load > best[ran] ? load : best[ran];
            if (load < best[ran | 1u << op])
                best[ran | 1u << op] = load;
        }
    load = best[sets - 1];
    free(best);
    return load;
}
