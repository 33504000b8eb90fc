/* The If, Loop and Scan of an ONNX model as operators of the graph whose regions are the branches
   or the body. */

#include "datasets/onnx/build/graph.h"
#include "datasets/onnx/shapes/loop.h"

static enum status add_branch(struct onnx_builder *builder, const Onnx__NodeProto *node,
                              const Onnx__GraphProto *branch, const char *name)
{
    SCOPED(assembly_list_free) struct assembly_list yields = {0};
    TRY(graph_open_region(builder->assembly.graph, name, -1, builder->assembly.error));
    TRY(onnx_graph_add_nodes(builder, branch));
    for (size_t i = 0; i < node->n_output; i++)
        if (onnx_graph_has_output(builder, node, i))
            TRY(onnx_graph_add_tensor(builder, &yields, branch->output[i]->name));
    return graph_close_region(builder->assembly.graph, yields.item, yields.count,
                              builder->assembly.error);
}

enum status onnx_graph_add_if(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    static const char *const names[][2] = {{"then_branch", "then"}, {"else_branch", "else"}};
    uint32_t op;
    TRY(onnx_graph_open(builder, node, &op));
    TRY(onnx_graph_read_input(builder, node, 0));
    TRY(onnx_graph_write_outputs(builder, node));
    TRY(assembly_head(&builder->assembly));
    for (int i = 0; i < 2; i++) {
        const Onnx__GraphProto *branch = onnx_node_graph(node, names[i][0]);
        if (!branch || branch->n_output < node->n_output)
            return error_set(builder->assembly.error, STATUS_BAD_INPUT,
                             "found %zu values of %s of an If, expected %zu",
                             branch ? branch->n_output : 0, names[i][0], node->n_output);
        TRY(add_branch(builder, node, branch, names[i][1]));
    }
    graph_close_operator(builder->assembly.graph);
    return STATUS_OK;
}

/* A loop that is being made into an operator of the graph. */
struct loop {
    struct onnx_loop parts;
    const char *name; /* of the operator */
    struct assembly_list yields;
};

static enum status add_carried(struct onnx_builder *builder, const struct graph_carried *carried)
{
    TRY(graph_operator_carried(builder->assembly.graph, carried, builder->assembly.error));
    return assembly_write(&builder->assembly, carried->result);
}

/* Carries the condition for going on like any other value, unless it is a constant. */
static enum status carry_condition(struct onnx_builder *builder, const struct loop *loop)
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
    return add_carried(builder, &carried);
}

/* Adds what goes into a loop, what it carries, and what it gathers of each turn. */
static enum status add_head(struct onnx_builder *builder, struct loop *loop)
{
    const struct onnx_loop *parts = &loop->parts;
    const Onnx__NodeProto *node = parts->node;
    const struct graph *graph = builder->assembly.graph;
    bool is_loop = onnx_node_is(node, "Loop");
    for (size_t i = 0; is_loop && i < 2; i++)
        TRY(onnx_graph_read_input(builder, node, i));
    for (size_t i = 0; i < parts->carried; i++) {
        const char *argument = onnx_loop_argument(parts, i);
        struct graph_carried carried;
        TRY(onnx_graph_tensor(builder, onnx_loop_init(parts, i), &carried.init));
        TRY(onnx_graph_tensor(builder, argument, &carried.argument));
        TRY(onnx_graph_tensor(builder, onnx_loop_yield(parts, i), &carried.yield));
        /* There has to be a result even if nobody reads it. */
        struct graph_tensor_spec spec = {.bytes = graph->tensor[carried.argument].bytes};
        TRY(onnx_graph_has_output(builder, node, i)
                ? onnx_graph_tensor(builder, node->output[i], &carried.result)
                : onnx_graph_make_tensor(builder, argument, "result", spec, &carried.result));
        TRY(add_carried(builder, &carried));
    }
    if (is_loop)
        TRY(carry_condition(builder, loop));
    for (size_t i = parts->carried; i < node->n_output; i++) {
        if (!onnx_graph_has_output(builder, node, i))
            continue;
        TRY(onnx_graph_add_tensor(builder, &builder->assembly.outputs, node->output[i]));
        TRY(onnx_graph_add_tensor(builder, &loop->yields, onnx_loop_yield(parts, i)));
    }
    return assembly_head(&builder->assembly);
}

/* Adds what a turn of a Loop writes first, its number and a condition that is not carried; or the
   slices of the scanned inputs that a turn of a Scan reads. */
static enum status begin_body(struct onnx_builder *builder, const struct loop *loop)
{
    const struct onnx_loop *parts = &loop->parts;
    struct assembly *assembly = &builder->assembly;
    if (onnx_node_is(parts->node, "Loop")) {
        bool carries = onnx_loop_carries_condition(builder->model, parts);
        for (int i = 0; i < 2 - carries; i++) {
            const char *name = parts->body->input[i]->name;
            const struct onnx_value *value = onnx_model_find(builder->model, name);
            if (value && value->used)
                TRY(onnx_graph_add_tensor(builder, &assembly->outputs, name));
        }
        if (!assembly->outputs.count)
            return STATUS_OK;
        TRY(onnx_graph_open_made(builder, loop->name, "turn", "LoopTurn"));
        return assembly_close(assembly);
    }
    for (size_t i = parts->carried; i < parts->node->n_input; i++) {
        const char *argument = onnx_loop_argument(parts, i);
        TRY(onnx_graph_add_tensor(builder, &assembly->outputs, argument));
        TRY(onnx_graph_open_made(builder, argument, "slice", "ScanSlice"));
        TRY(onnx_graph_read_input(builder, parts->node, i));
        TRY(assembly_close(assembly));
    }
    return STATUS_OK;
}

static void free_loop(struct loop *loop)
{
    assembly_list_free(&loop->yields);
}

enum status onnx_graph_add_loop(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    SCOPED(free_loop) struct loop loop = {0};
    struct graph *graph = builder->assembly.graph;
    const struct names *operators = &builder->assembly.operators;
    uint32_t op;
    TRY(onnx_loop_find(builder->model, node, &loop.parts));
    TRY(onnx_graph_open(builder, node, &op));
    loop.name =
        onnx_memory_name(&builder->model->memory, names_get(operators, operators->count - 1), 0);
    if (!loop.name)
        return error_no_memory(builder->assembly.error);
    graph->op[op].loop = true;
    graph->op[op].trip_count = onnx_loop_turns(builder->model, &loop.parts);
    TRY(add_head(builder, &loop));
    TRY(graph_open_region(graph, "body", -1, builder->assembly.error));
    TRY(begin_body(builder, &loop));
    TRY(onnx_graph_add_nodes(builder, loop.parts.body));
    TRY(graph_close_region(graph, loop.yields.item, loop.yields.count, builder->assembly.error));
    graph_close_operator(graph);
    return STATUS_OK;
}
