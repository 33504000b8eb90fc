/* The If of an ONNX model as an operator of the graph whose regions are its branches. */

#include "core/memory.h"
#include "datasets/onnx/build/graph.h"
#include "planning/graph/build.h"

static enum status add_branch(struct onnx_builder *builder, const Onnx__NodeProto *node,
                              const Onnx__GraphProto *branch, const char *name)
{
    struct onnx_tensors yields = {0};
    enum status status = graph_open_region(builder->graph, name, -1, builder->error);
    if (!status)
        status = onnx_graph_add_nodes(builder, branch);
    for (size_t i = 0; i < node->n_output && !status; i++)
        if (onnx_graph_has_output(builder, node, i))
            status = onnx_graph_add_tensor(builder, &yields, branch->output[i]->name);
    if (!status)
        status = graph_close_region(builder->graph, yields.item, yields.count, builder->error);
    memory_free(yields.item);
    return status;
}

static enum status add_head(struct onnx_builder *builder, const Onnx__NodeProto *node,
                            struct onnx_tensors *inputs, struct onnx_tensors *outputs)
{
    TRY(onnx_graph_read_input(builder, node, 0, inputs));
    for (size_t i = 0; i < node->n_output; i++)
        if (onnx_graph_has_output(builder, node, i))
            TRY(onnx_graph_add_tensor(builder, outputs, node->output[i]));
    TRY(graph_operator_inputs(builder->graph, inputs->item, inputs->count, builder->error));
    return graph_operator_outputs(builder->graph, outputs->item, outputs->count, builder->error);
}

enum status onnx_graph_add_if(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    static const char *const names[][2] = {{"then_branch", "then"}, {"else_branch", "else"}};
    struct onnx_tensors inputs = {0}, outputs = {0};
    uint32_t op;
    TRY(onnx_graph_open(builder, node, &op));
    enum status status = add_head(builder, node, &inputs, &outputs);
    for (int i = 0; i < 2 && !status; i++) {
        const Onnx__GraphProto *branch = onnx_node_graph(node, names[i][0]);
        if (!branch || branch->n_output < node->n_output)
            status = error_set(builder->error, STATUS_BAD_INPUT,
                               "%s of an If yields %zu values, expected %zu", names[i][0],
                               branch ? branch->n_output : 0, node->n_output);
        else
            status = add_branch(builder, node, branch, names[i][1]);
    }
    memory_free(inputs.item);
    memory_free(outputs.item);
    if (!status)
        graph_close_operator(builder->graph);
    return status;
}
