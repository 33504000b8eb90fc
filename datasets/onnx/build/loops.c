#include "core/memory.h"
#include "datasets/onnx/build/graph.h"
#include "datasets/onnx/shapes/loop.h"
#include "datasets/onnx/shapes/sizes.h"
#include "planning/graph/build.h"

/* A loop that is being made into an operator of the graph. */
struct loop {
    struct onnx_loop parts;
    const char *name; /* of the operator */
    struct onnx_tensors inputs, outputs, yields;
    struct graph_carried *carried; /* [carried_count] */
    size_t carried_count, capacity;
};

/* Finds the tensor that holds a carried value after the loop. There has to be one even if nobody
   reads it. */
static enum status get_result(struct onnx_builder *builder, const struct loop *loop, size_t i,
                              uint32_t argument, uint32_t *result)
{
    const Onnx__NodeProto *node = loop->parts.node;
    if (onnx_graph_has_output(builder, node, i))
        return onnx_graph_tensor(builder, node->output[i], result);
    struct graph_tensor_spec spec = {.bytes = builder->graph->tensor[argument].bytes};
    return onnx_graph_make_tensor(builder, onnx_loop_argument(&loop->parts, i), "result", spec,
                                  result);
}

static enum status add_carried(struct onnx_builder *builder, struct loop *loop,
                               const struct graph_carried *carried)
{
    TRY(memory_reserve(&loop->carried, &loop->capacity, loop->carried_count + 1,
                       sizeof *loop->carried, builder->error));
    loop->carried[loop->carried_count++] = *carried;
    return onnx_graph_add(builder, &loop->outputs, carried->result);
}

static enum status find_carried(struct onnx_builder *builder, struct loop *loop)
{
    const struct onnx_loop *parts = &loop->parts;
    for (size_t i = 0; i < parts->carried; i++) {
        struct graph_carried carried;
        TRY(onnx_graph_tensor(builder, onnx_loop_init(parts, i), &carried.init));
        TRY(onnx_graph_tensor(builder, onnx_loop_argument(parts, i), &carried.argument));
        TRY(onnx_graph_tensor(builder, onnx_loop_yield(parts, i), &carried.yield));
        TRY(get_result(builder, loop, i, carried.argument, &carried.result));
        TRY(add_carried(builder, loop, &carried));
    }
    return STATUS_OK;
}

/* Carries the condition for going on like any other value, unless it is a constant. */
static enum status carry_condition(struct onnx_builder *builder, struct loop *loop)
{
    struct graph_carried carried;
    const char *init = onnx_node_input(loop->parts.node, 1);
    if (!onnx_loop_carries_condition(builder->model, &loop->parts))
        return STATUS_OK;
    if (*init)
        TRY(onnx_graph_tensor(builder, init, &carried.init));
    else
        TRY(onnx_graph_make_tensor(builder, loop->name, "condition_init",
                                   (struct graph_tensor_spec){.bytes = 1, .external = true},
                                   &carried.init));
    TRY(onnx_graph_tensor(builder, loop->parts.body->input[1]->name, &carried.argument));
    TRY(onnx_graph_tensor(builder, loop->parts.body->output[0]->name, &carried.yield));
    TRY(onnx_graph_make_tensor(builder, loop->name, "condition",
                               (struct graph_tensor_spec){.bytes = 1}, &carried.result));
    return add_carried(builder, loop, &carried);
}

/* Finds the outputs that gather what each turn gives beside the carried values. */
static enum status find_gathered(struct onnx_builder *builder, struct loop *loop)
{
    const struct onnx_loop *parts = &loop->parts;
    for (size_t i = parts->carried; i < parts->node->n_output; i++) {
        if (!onnx_graph_has_output(builder, parts->node, i))
            continue;
        TRY(onnx_graph_add_tensor(builder, &loop->outputs, parts->node->output[i]));
        TRY(onnx_graph_add_tensor(builder, &loop->yields, onnx_loop_yield(parts, i)));
    }
    return STATUS_OK;
}

static enum status add_head(struct onnx_builder *builder, struct loop *loop)
{
    struct graph *graph = builder->graph;
    bool is_loop = onnx_node_is(loop->parts.node, "Loop");
    for (size_t i = 0; is_loop && i < 2; i++)
        TRY(onnx_graph_read_input(builder, loop->parts.node, i, &loop->inputs));
    TRY(find_carried(builder, loop));
    if (is_loop)
        TRY(carry_condition(builder, loop));
    TRY(find_gathered(builder, loop));
    TRY(graph_operator_inputs(graph, loop->inputs.item, loop->inputs.count, builder->error));
    TRY(graph_operator_outputs(graph, loop->outputs.item, loop->outputs.count, builder->error));
    for (size_t i = 0; i < loop->carried_count; i++)
        TRY(graph_operator_carried(graph, &loop->carried[i], builder->error));
    return STATUS_OK;
}

/* Adds what each turn writes: the number of the turn, and a condition that is not carried. */
static enum status add_turn(struct onnx_builder *builder, const struct loop *loop,
                            struct onnx_tensors *made)
{
    const Onnx__GraphProto *body = loop->parts.body;
    const struct onnx_value *number = onnx_model_find(builder->model, body->input[0]->name);
    const struct onnx_value *condition = onnx_model_find(builder->model, body->input[1]->name);
    bool carries = onnx_loop_carries_condition(builder->model, &loop->parts);
    if (number && number->used)
        TRY(onnx_graph_add_tensor(builder, made, body->input[0]->name));
    if (!carries && condition && condition->used)
        TRY(onnx_graph_add_tensor(builder, made, body->input[1]->name));
    if (!made->count)
        return STATUS_OK;
    TRY(onnx_graph_open_made(builder, loop->name, "turn", "LoopTurn"));
    TRY(graph_operator_outputs(builder->graph, made->item, made->count, builder->error));
    graph_close_operator(builder->graph);
    return STATUS_OK;
}

/* Adds the slice of a scanned input that a turn of a Scan reads. */
static enum status add_slice(struct onnx_builder *builder, const struct loop *loop, size_t i,
                             struct onnx_tensors *list)
{
    const Onnx__NodeProto *node = loop->parts.node;
    uint32_t slice;
    TRY(onnx_graph_tensor(builder, onnx_loop_argument(&loop->parts, i), &slice));
    TRY(onnx_graph_open_made(builder, onnx_loop_argument(&loop->parts, i), "slice", "ScanSlice"));
    TRY(onnx_graph_read_input(builder, node, i, list));
    TRY(graph_operator_inputs(builder->graph, list->item, list->count, builder->error));
    TRY(graph_operator_outputs(builder->graph, &slice, 1, builder->error));
    graph_close_operator(builder->graph);
    return STATUS_OK;
}

static enum status begin_body(struct onnx_builder *builder, const struct loop *loop)
{
    struct onnx_tensors list = {0};
    enum status status = STATUS_OK;
    if (onnx_node_is(loop->parts.node, "Loop"))
        status = add_turn(builder, loop, &list);
    else
        for (size_t i = loop->parts.carried; i < loop->parts.node->n_input && !status; i++) {
            list.count = 0;
            status = add_slice(builder, loop, i, &list);
        }
    memory_free(list.item);
    return status;
}

static enum status fill_loop(struct onnx_builder *builder, struct loop *loop)
{
    struct graph *graph = builder->graph;
    TRY(add_head(builder, loop));
    TRY(graph_open_region(graph, "body", -1, builder->error));
    TRY(begin_body(builder, loop));
    TRY(onnx_graph_add_nodes(builder, loop->parts.body));
    return graph_close_region(graph, loop->yields.item, loop->yields.count, builder->error);
}

enum status onnx_graph_add_loop(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    struct loop loop = {0};
    uint32_t op;
    TRY(onnx_loop_find(builder->model, node, &loop.parts));
    TRY(onnx_graph_open(builder, node, &op));
    loop.name = onnx_memory_name(&builder->model->memory,
                                 names_get(&builder->operators, builder->operators.count - 1), 0);
    if (!loop.name)
        return error_no_memory(builder->error);
    struct graph_operator *opened = &builder->graph->op[op];
    opened->loop = true;
    opened->trip_count = onnx_loop_turns(builder->model, &loop.parts);
    enum status status = fill_loop(builder, &loop);
    if (!status)
        graph_close_operator(builder->graph);
    memory_free(loop.inputs.item);
    memory_free(loop.outputs.item);
    memory_free(loop.yields.item);
    memory_free(loop.carried);
    return status;
}
