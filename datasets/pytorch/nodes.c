/* Nodes without subgraphs. */

#include <string.h>

#include "datasets/pytorch/reader.h"

enum rule { PLAIN, VIEW, RESHAPE, CONVERT, POINTWISE };
enum { MOST_NAME_BYTES = 96, MOST_COMPARED = 8 };

static enum rule find_rule(const char *name)
{
    static const struct {
        const char *name;
        enum rule rule;
    } rows[] = {
#define OPERATOR(name, rule) {#name, rule},
#include "datasets/pytorch/operators.def"
#undef OPERATOR
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].rule;
    return PLAIN;
}

/* The parts of a target: of "torch.ops.aten.mul.Tensor" the label "aten.mul.Tensor" and, of
   PyTorch's own operators, the name "mul", else "". */
static const char *find_label(const char *target, char name[MOST_NAME_BYTES])
{
    const char *ops = strstr(target, "ops."), *label = ops ? ops + strlen("ops.") : target;
    const char *start = strchr(label, '.');
    *name = '\0';
    if (start && strncmp(label, "aten.", strlen("aten.")) == 0) {
        size_t length = strcspn(start + 1, ".");
        if (length < MOST_NAME_BYTES) {
            memcpy(name, start + 1, length);
            name[length] = '\0';
        }
    }
    return *label ? label : "operator";
}

/* add_ writes into its first argument; __and__ does not. */
static bool writes_first(const char *name)
{
    size_t length = strlen(name);
    return length > 1 && name[length - 1] == '_' && name[length - 2] != '_';
}

struct node {
    const struct json_value *json;
    struct assembly_list inputs, outputs; /* names of the frame */
};

static void free_node(struct node *node)
{
    assembly_list_free(&node->inputs);
    assembly_list_free(&node->outputs);
}

static enum status find_tensors(const struct pytorch_frame *frame, struct node *node)
{
    const struct pytorch_reader *reader = frame->reader;
    JSON_EACH(input, pytorch_get(reader, node->json, "inputs"))
        TRY(pytorch_frame_tensors(frame, pytorch_get(reader, input, "arg"), &node->inputs));
    return pytorch_frame_tensors(frame, pytorch_get(reader, node->json, "outputs"), &node->outputs);
}

/* x.to(.., copy=True) is no view even where nothing is converted. */
static bool asks_for_copy(const struct pytorch_reader *reader, const struct json_value *node)
{
    JSON_EACH(input, pytorch_get(reader, node, "inputs"))
        if (strcmp(json_fields_word(&reader->json, input, "name"), "copy") == 0)
            return json_tree_is(pytorch_get(reader, pytorch_get(reader, input, "arg"), "as_bool"),
                                JSON_TRUE);
    return false;
}

static enum status is_view(struct pytorch_frame *frame, const struct node *node, enum rule rule,
                           bool *view)
{
    const struct pytorch_tensor *tensor;
    *view = rule == VIEW;
    if ((rule != RESHAPE && rule != CONVERT) || !node->inputs.count || !node->outputs.count)
        return STATUS_OK;
    TRY(pytorch_frame_tensor(frame, node->inputs.item[0], &tensor));
    const struct pytorch_tensor from = *tensor;
    TRY(pytorch_frame_tensor(frame, node->outputs.item[0], &tensor));
    *view = from.dtype == tensor->dtype && from.device == tensor->device &&
            from.shape.layout == tensor->shape.layout && (rule == CONVERT || !from.shape.layout) &&
            !asks_for_copy(frame->reader, node->json);
    return STATUS_OK;
}

/* The outputs are the memory of the first tensor, written into or not. */
static enum status alias_outputs(struct pytorch_frame *frame, const struct node *node)
{
    const struct assembly_value base = frame->value[node->inputs.item[0]];
    if (base.kind == ASSEMBLY_UNKNOWN)
        return json_document_fail(&frame->reader->json, node->json,
                                  "found a view of '%.60s', which nothing wrote, expected nodes in "
                                  "execution order",
                                  names_get(&frame->names, node->inputs.item[0]));
    for (uint32_t i = 0; i < node->outputs.count; i++)
        frame->value[node->outputs.item[i]] = base;
    return STATUS_OK;
}

/* Inputs with the elements of the output, in the same order, may be overwritten. A tensor that is
   read twice may be read through a view of another order. */
static enum status add_overwritten(struct pytorch_frame *frame, const struct node *node)
{
    const struct pytorch_tensor *tensor;
    uint32_t position = 0;
    TRY(pytorch_frame_tensor(frame, node->outputs.item[0], &tensor));
    const struct assembly_shape to = tensor->shape;
    for (uint32_t i = 0; i < node->inputs.count && !to.layout; i++) {
        TRY(pytorch_frame_tensor(frame, node->inputs.item[i], &tensor));
        TRY(assembly_may_overwrite(&frame->reader->assembly, &frame->value[node->inputs.item[i]],
                                   &tensor->shape, &to, &position));
    }
    return STATUS_OK;
}

static enum status add_operator(struct pytorch_frame *frame, const struct node *node,
                                enum rule rule, bool is_mutation)
{
    struct pytorch_reader *reader = frame->reader;
    uint32_t op;
    const char *label = find_label(json_fields_word(&reader->json, node->json, "target"),
                                   (char[MOST_NAME_BYTES]){""});
    const char *name = node->outputs.count ? names_get(&frame->names, node->outputs.item[0])
                                           : json_fields_word(&reader->json, node->json, "name");
    TRY(assembly_open(&reader->assembly, *name ? name : label, label, &op));
    for (uint32_t i = 0; i < node->inputs.count; i++)
        TRY(pytorch_frame_read(frame, node->inputs.item[i], op));
    if (is_mutation) {
        TRY(pytorch_frame_overwrite(frame, node->inputs.item[0], op, node->json));
        TRY(alias_outputs(frame, node));
    }
    for (uint32_t i = 0; i < node->outputs.count && !is_mutation; i++) {
        TRY(pytorch_frame_define(frame, node->outputs.item[i]));
        TRY(assembly_write(&reader->assembly, frame->value[node->outputs.item[i]].tensor));
    }
    if (rule == POINTWISE && node->outputs.count == 1 && node->inputs.count <= MOST_COMPARED)
        TRY(add_overwritten(frame, node));
    return assembly_close(&reader->assembly);
}

static enum status add_node(struct pytorch_frame *frame, const struct json_value *json)
{
    SCOPED(free_node) struct node node = {.json = json};
    char name[MOST_NAME_BYTES];
    bool view;
    find_label(json_fields_word(&frame->reader->json, json, "target"), name);
    enum rule rule = find_rule(name);
    TRY(find_tensors(frame, &node));
    bool is_mutation = writes_first(name) && node.inputs.count;
    if (!node.outputs.count && !is_mutation)
        return STATUS_OK; /* a size, an assertion, a switch */
    TRY(is_view(frame, &node, rule, &view));
    if (view && node.inputs.count)
        return alias_outputs(frame, &node);
    return add_operator(frame, &node, rule, is_mutation);
}

enum status pytorch_add_nodes(struct pytorch_frame *frame)
{
    struct pytorch_reader *reader = frame->reader;
    JSON_EACH(place, pytorch_get(reader, frame->graph, "nodes")) {
        const struct json_value *node;
        bool found;
        TRY(json_document_open_part(reader->document, place, &node, reader->json.error));
        enum status status = pytorch_add_regions(frame, node, &found);
        if (!status && !found)
            status = add_node(frame, node);
        TRY(json_document_place(&reader->json, place, status));
        json_document_close_part(reader->document);
    }
    return STATUS_OK;
}
