#include "datasets/onnx/shapes/loop.h"

#include <string.h>

#include "datasets/onnx/shapes/types.h"

static enum status fail_unfit(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    return error_set(model->error, STATUS_BAD_INPUT,
                     "found %s with %zu inputs and %zu outputs, expected those of its body",
                     onnx_node_type(node), node->n_input, node->n_output);
}

enum status onnx_loop_find(const struct onnx_model *model, const Onnx__NodeProto *node,
                           struct onnx_loop *loop)
{
    Onnx__GraphProto *body = onnx_node_graph(node, "body");
    *loop = (struct onnx_loop){.node = node, .body = body};
    if (!body)
        return error_set(model->error, STATUS_BAD_INPUT, "found %s without a body, expected one",
                         onnx_node_type(node));
    if (onnx_node_is(node, "Scan")) {
        int64_t scanned = onnx_node_integer(node, "num_scan_inputs", -1);
        if (onnx_model_opset(model) < 9)
            return error_set(model->error, STATUS_BAD_INPUT,
                             "found a Scan of operator set %lld, expected 9 or later",
                             (long long)onnx_model_opset(model));
        if (scanned < 1 || (uint64_t)scanned > node->n_input || body->n_input != node->n_input ||
            body->n_output != node->n_output)
            return fail_unfit(model, node);
        loop->carried = node->n_input - (size_t)scanned;
        return loop->carried > node->n_output ? fail_unfit(model, node) : STATUS_OK;
    }
    loop->first_input = loop->first_argument = 2;
    loop->first_yield = 1;
    if (node->n_input < 2 || body->n_input != node->n_input)
        return fail_unfit(model, node);
    loop->carried = node->n_input - 2;
    if (node->n_output < loop->carried || body->n_output != node->n_output + 1)
        return fail_unfit(model, node);
    return STATUS_OK;
}

const char *onnx_loop_init(const struct onnx_loop *loop, size_t i)
{
    return loop->node->input[loop->first_input + i];
}

const char *onnx_loop_argument(const struct onnx_loop *loop, size_t i)
{
    const char *name = loop->body->input[loop->first_argument + i]->name;
    return name ? name : "";
}

const char *onnx_loop_yield(const struct onnx_loop *loop, size_t i)
{
    return loop->body->output[loop->first_yield + i]->name;
}

bool onnx_loop_carries_condition(const struct onnx_model *model, const struct onnx_loop *loop)
{
    const struct onnx_value *yield = onnx_model_find(model, loop->body->output[0]->name);
    return onnx_node_is(loop->node, "Loop") && yield && !yield->constant;
}

static bool is_true(const struct onnx_model *model, const char *name)
{
    const struct onnx_value *value = onnx_model_find(model, name);
    return value && value->number && value->number->count == 1 && value->number->item[0] == 1;
}

/* The condition that a turn leaves is true, or the one that it was given, which was true. */
static bool goes_on(const struct onnx_model *model, const struct onnx_loop *loop)
{
    const char *yield = loop->body->output[0]->name;
    const char *argument = loop->body->input[1]->name ? loop->body->input[1]->name : "";
    if (is_true(model, yield) || strcmp(yield, argument) == 0)
        return true;
    for (size_t i = 0; i < loop->body->n_node; i++) {
        const Onnx__NodeProto *node = loop->body->node[i];
        if (onnx_node_is(node, "Identity") && strcmp(onnx_node_output(node, 0), yield) == 0)
            return strcmp(onnx_node_input(node, 0), argument) == 0;
    }
    return false;
}

/* The axis along which scanned input i (from 0) is cut, -1 if it is not known. */
static int64_t find_scan_axis(const struct onnx_loop *loop, size_t i,
                              const struct onnx_value *scanned)
{
    const Onnx__AttributeProto *axes = onnx_node_attribute(loop->node, "scan_input_axes");
    int64_t axis = axes && i < axes->n_ints ? axes->ints[i] : 0;
    if (!scanned || !scanned->has_rank)
        return -1;
    axis += axis < 0 ? scanned->rank : 0;
    return axis >= 0 && axis < scanned->rank ? axis : -1;
}

int64_t onnx_loop_turns(const struct onnx_model *model, const struct onnx_loop *loop)
{
    if (onnx_node_is(loop->node, "Scan")) {
        const struct onnx_value *scanned =
            onnx_model_find(model, onnx_loop_init(loop, loop->carried));
        int64_t axis = find_scan_axis(loop, 0, scanned);
        return axis >= 0 ? scanned->dimension[axis] : -1;
    }
    const struct onnx_value *most = onnx_model_find(model, loop->node->input[0]);
    bool begins = !*loop->node->input[1] || is_true(model, loop->node->input[1]);
    if (!most || !most->number || most->number->count != 1 || !begins || !goes_on(model, loop))
        return -1;
    return most->number->item[0] < 0 ? -1 : most->number->item[0];
}

/* A carried value has the type of the argument. What is gathered has a dimension for the turns in
   front of a turn's shape; where a Scan gathers along another axis only the size is right, which is
   all that counts here. */
static enum status hint_output(struct onnx_model *model, Onnx__GraphProto *graph,
                               const struct onnx_loop *loop, size_t i)
{
    const struct onnx_value *known = onnx_model_find(model, onnx_node_output(loop->node, i));
    bool carried = i < loop->carried;
    const char *source = carried ? onnx_loop_argument(loop, i) : onnx_loop_yield(loop, i);
    const struct onnx_value *value = onnx_model_find(model, source);
    if (!known || !value || onnx_types_is_complete(known) || !onnx_types_is_complete(value))
        return STATUS_OK;
    if (!carried && value->rank == ONNX_MOST_DIMENSIONS)
        return STATUS_OK;
    struct onnx_value type = *value;
    if (!carried) {
        type.rank++;
        type.dimension[0] = onnx_loop_turns(model, loop);
        for (uint32_t d = 0; d < value->rank; d++)
            type.dimension[d + 1] = value->dimension[d];
    }
    return onnx_types_hint(model, graph, loop->node->output[i], &type);
}

enum status onnx_loop_hint(struct onnx_model *model, Onnx__GraphProto *graph)
{
    for (size_t n = 0; n < graph->n_node; n++) {
        const Onnx__NodeProto *node = graph->node[n];
        struct onnx_loop loop;
        if (!onnx_node_is(node, "Loop") && !onnx_node_is(node, "Scan"))
            continue;
        TRY(onnx_loop_find(model, node, &loop));
        size_t arguments = loop.first_input ? loop.carried : node->n_input;
        for (size_t i = 0; i < arguments; i++) {
            const struct onnx_value *init = onnx_model_find(model, onnx_loop_init(&loop, i));
            const struct onnx_value *value = onnx_model_find(model, onnx_loop_argument(&loop, i));
            int64_t axis = i < loop.carried ? 0 : find_scan_axis(&loop, i - loop.carried, init);
            if (axis < 0 || !init || !value || !onnx_types_is_complete(init) ||
                onnx_types_is_complete(value))
                continue;
            struct onnx_value type = *init;
            if (i >= loop.carried) { /* a slice has the other dimensions of what it is cut from */
                type.rank--;
                for (uint32_t d = (uint32_t)axis; d < type.rank; d++)
                    type.dimension[d] = init->dimension[d + 1];
            }
            TRY(onnx_types_set(model, loop.body->input[loop.first_argument + i], &type));
        }
        for (size_t i = 0; i < node->n_output; i++)
            TRY(hint_output(model, graph, &loop, i));
    }
    return STATUS_OK;
}
