#include "planning/random_graph.h"
#include "planning/graph/build.h"

#include <stdio.h>

#include "support/must.h"

enum { MOST_VISIBLE = 512, MOST_LISTED = 4 };

struct grower {
    struct graph *graph;
    struct random_state *random;
    const struct random_graph_shape *shape;
    uint32_t visible[MOST_VISIBLE]; /* tensors that may be used here */
    uint32_t visibles;
    uint32_t left; /* operators still to be made */
    uint32_t names;
};

static bool happens(struct grower *grower, uint32_t percent)
{
    return random_below(grower->random, 100) < percent;
}

static uint32_t draw(struct grower *grower, uint32_t bound)
{
    return (uint32_t)random_below(grower->random, bound);
}

static uint32_t add_tensor(struct grower *grower, uint64_t bytes, bool external)
{
    uint32_t tensor;
    char name[16];
    snprintf(name, sizeof name, "t%u", grower->names++);
    must(graph_add_tensor(
        grower->graph,
        &(struct graph_tensor_spec){.name = name, .bytes = bytes, .external = external}, &tensor,
        &error));
    return tensor;
}

static uint32_t add_any_tensor(struct grower *grower)
{
    if (grower->shape->in_place)
        return add_tensor(grower, 4 + draw(grower, 4) * draw(grower, 4), happens(grower, 4));
    return add_tensor(grower, 1 + draw(grower, 3), happens(grower, 8));
}

static void show(struct grower *grower, const uint32_t *tensors, uint32_t count)
{
    CU_ASSERT_FATAL(grower->visibles + count <= MOST_VISIBLE);
    for (uint32_t i = 0; i < count; i++)
        grower->visible[grower->visibles++] = tensors[i];
}

/* Rather one of the last. */
static uint32_t pick(struct grower *grower)
{
    uint32_t count = grower->visibles;
    uint32_t recent = count > 4 && happens(grower, 60) ? 4 : count;
    return grower->visible[count - 1 - draw(grower, recent)];
}

static uint32_t pick_of_size(struct grower *grower, uint64_t bytes, uint32_t otherwise)
{
    for (int tries = 0; tries < 8; tries++) {
        uint32_t tensor = pick(grower);
        if (grower->graph->tensor[tensor].bytes == bytes)
            return tensor;
    }
    return otherwise;
}

static uint32_t open_operator(struct grower *grower, uint32_t inputs, const uint32_t *outputs,
                              uint32_t count)
{
    uint32_t listed[MOST_LISTED], opened;
    char name[16];
    snprintf(name, sizeof name, "o%u", grower->names++);
    must(graph_open_operator(grower->graph, name, "Any", &opened, &error));
    for (uint32_t i = 0; i < inputs; i++)
        listed[i] = pick(grower);
    must(graph_operator_inputs(grower->graph, listed, inputs, &error));
    must(graph_operator_outputs(grower->graph, outputs, count, &error));
    return opened;
}

/* Half of the inputs have as many bytes as the first output. */
static void add_in_place(struct grower *grower, const uint32_t *outputs, uint32_t count)
{
    static const char *const types[] = {"Any", "Relu", "Add", "Reshape", "Squeeze", "assign"};
    const char *type = types[draw(grower, 6)];
    uint64_t bytes = grower->graph->tensor[outputs[0]].bytes;
    uint32_t listed[MOST_LISTED], opened, inputs = draw(grower, 4), pairs = draw(grower, 3);
    char name[16];
    snprintf(name, sizeof name, "o%u", grower->names++);
    must(graph_open_operator(grower->graph, name, type, &opened, &error));
    for (uint32_t i = 0; i < inputs; i++)
        listed[i] = happens(grower, 50) ? pick_of_size(grower, bytes, pick(grower)) : pick(grower);
    must(graph_operator_inputs(grower->graph, listed, inputs, &error));
    if (inputs == 1 && happens(grower, 50)) {
        listed[0] = pick_of_size(grower, bytes, pick(grower));
        must(graph_operator_ignored(grower->graph, listed, 1, &error));
    }
    must(graph_operator_outputs(grower->graph, outputs, count, &error));
    pairs = inputs ? pairs : 0;
    for (uint32_t i = 0; i < pairs; i++) {
        listed[2 * i] = draw(grower, inputs);
        listed[2 * i + 1] = draw(grower, count);
    }
    must(graph_operator_inplace(grower->graph, listed, pairs, &error));
    graph_close_operator(grower->graph);
    show(grower, outputs, count);
}

static void add_plain(struct grower *grower, const uint32_t *outputs, uint32_t count)
{
    if (grower->shape->in_place) {
        add_in_place(grower, outputs, count);
        return;
    }
    open_operator(grower, draw(grower, 3), outputs, count);
    graph_close_operator(grower->graph);
    show(grower, outputs, count);
}

static void fill_region(struct grower *grower, uint32_t depth, uint32_t operators, bool plain);

static void open_region(struct grower *grower)
{
    char name[16];
    snprintf(name, sizeof name, "r%u", grower->names++);
    must(graph_open_region(grower->graph, name, -1, &error));
}

static void close_region(struct grower *grower, uint32_t yields)
{
    uint32_t listed[MOST_LISTED];
    for (uint32_t i = 0; i < yields; i++)
        listed[i] = grower->shape->hands_on && happens(grower, 50)
                        ? grower->visible[draw(grower, grower->visibles)]
                        : pick(grower);
    must(graph_close_region(grower->graph, listed, yields, &error));
}

static void add_if(struct grower *grower, uint32_t depth)
{
    uint32_t results[2];
    uint32_t count = draw(grower, 3);
    uint32_t visibles = grower->visibles;
    for (uint32_t i = 0; i < count; i++)
        results[i] = add_any_tensor(grower);
    open_operator(grower, draw(grower, 2), results, count);
    for (uint32_t branches = 1 + draw(grower, 3); branches > 0; branches--) {
        open_region(grower);
        fill_region(grower, depth - 1, draw(grower, 4), false);
        close_region(grower, count);
        grower->visibles = visibles;
    }
    graph_close_operator(grower->graph);
    show(grower, results, count);
}

struct carried {
    struct graph_carried value;
    bool made; /* the yield is made by an operator at the end of the body */
};

static struct carried add_carried(struct grower *grower)
{
    struct graph_carried value = {.init = pick(grower)};
    uint64_t bytes = grower->graph->tensor[value.init].bytes;
    bool external = happens(grower, 6);
    bool made = happens(grower, 70);
    value.argument = add_tensor(grower, bytes, external);
    value.result = add_tensor(grower, bytes, external || happens(grower, 10));
    value.yield =
        made ? add_tensor(grower, bytes, false) : pick_of_size(grower, bytes, value.argument);
    return (struct carried){value, made};
}

/* Both start with one value, or go on with one. */
static void hand_on(struct grower *grower, struct carried carried[2])
{
    const struct graph_tensor *tensor = grower->graph->tensor;
    struct graph_carried *first = &carried[0].value, *second = &carried[1].value;
    if (tensor[first->argument].bytes != tensor[second->argument].bytes)
        return;
    if (happens(grower, 50))
        second->init = first->init;
    if (!carried[1].made && happens(grower, 60))
        second->yield = first->yield;
}

/* One argument becomes the other, or both change places. */
static void exchange(struct grower *grower, struct carried carried[2])
{
    const struct graph_tensor *tensor = grower->graph->tensor;
    if (tensor[carried[0].value.argument].bytes != tensor[carried[1].value.argument].bytes)
        return;
    for (int c = 0; c < 2; c++)
        if (!carried[c].made)
            carried[c].value.yield = carried[1 - c].value.argument;
}

static void fill_body(struct grower *grower, uint32_t depth, const struct carried *carried,
                      uint32_t count)
{
    if (happens(grower, 20)) {
        uint32_t visibles = grower->visibles;
        open_region(grower);
        fill_region(grower, depth - 1, draw(grower, 3), grower->shape->plain_bodies);
        close_region(grower, draw(grower, 2));
        grower->visibles = visibles;
    }
    open_region(grower);
    fill_region(grower, depth - 1, draw(grower, 4), grower->shape->plain_bodies);
    for (uint32_t c = 0; c < count; c++)
        if (carried[c].made)
            add_plain(grower, &carried[c].value.yield, 1);
    close_region(grower, draw(grower, 2));
}

static void add_loop(struct grower *grower, uint32_t depth)
{
    struct carried carried[2];
    uint32_t results[3];
    uint32_t visibles = grower->visibles;
    uint32_t count = draw(grower, 3);
    uint32_t outputs = count + draw(grower, 2);
    for (uint32_t c = 0; c < count; c++) {
        carried[c] = add_carried(grower);
        results[c] = carried[c].value.result;
    }
    if (count == 2 && grower->shape->hands_on && happens(grower, 70))
        hand_on(grower, carried);
    else if (count == 2)
        exchange(grower, carried);
    for (uint32_t i = count; i < outputs; i++)
        results[i] = add_any_tensor(grower);
    uint32_t opened = open_operator(grower, draw(grower, 2), results, outputs);
    grower->graph->op[opened].loop = true;
    if (grower->shape->hands_on)
        grower->graph->op[opened].trip_count = (int64_t[]){-1, -1, 0, 3}[draw(grower, 4)];
    for (uint32_t c = 0; c < count; c++) {
        must(graph_operator_carried(grower->graph, &carried[c].value, &error));
        show(grower, &carried[c].value.argument, 1);
    }
    fill_body(grower, depth, carried, count);
    graph_close_operator(grower->graph);
    grower->visibles = visibles;
    show(grower, results, outputs);
}

static void fill_region(struct grower *grower, uint32_t depth, uint32_t operators, bool plain)
{
    for (; operators > 0 && grower->left > 0; operators--) {
        grower->left--;
        if (depth > 0 && !plain && happens(grower, grower->shape->hands_on ? 60 : 35)) {
            if (grower->shape->loops && happens(grower, 50))
                add_loop(grower, depth);
            else
                add_if(grower, depth);
            continue;
        }
        uint32_t outputs[2];
        uint32_t count = 1 + draw(grower, 4) / 3;
        for (uint32_t i = 0; i < count; i++)
            outputs[i] = add_any_tensor(grower);
        add_plain(grower, outputs, count);
    }
}

struct graph *random_graph_create(struct random_state *random,
                                  const struct random_graph_shape *shape)
{
    struct grower grower = {.random = random, .shape = shape, .left = shape->operators};
    uint32_t listed[MOST_LISTED];
    uint32_t count = 1 + draw(&grower, 2);
    must(graph_create(&grower.graph, "random", &error));
    for (uint32_t i = 0; i < count; i++)
        listed[i] = add_any_tensor(&grower);
    must(graph_set_inputs(grower.graph, listed, count, &error));
    show(&grower, listed, count);
    fill_region(&grower, shape->depth, shape->operators, false);
    count = draw(&grower, 3);
    for (uint32_t i = 0; i < count; i++)
        listed[i] = pick(&grower);
    must(graph_finish(grower.graph, listed, count, NULL, &error));
    return grower.graph;
}
