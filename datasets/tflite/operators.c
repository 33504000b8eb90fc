
#include "core/memory.h"
#include "datasets/tflite/reader.h"
#include "planning/graph/build.h"

#define BUILTIN(name, inplace, flops) {#name, TFLITE_INPLACE_##inplace, TFLITE_FLOPS_##flops},
static const struct tflite_builtin builtins[] = {
#include "datasets/tflite/builtins.def"
};
#undef BUILTIN

const struct tflite_builtin *tflite_builtin_at(uint32_t code)
{
    return code < sizeof builtins / sizeof *builtins ? &builtins[code] : NULL;
}

/* An input of an operator: a value of the graph, a weight, or nothing (optional, or empty). */
enum role { ROLE_NOTHING, ROLE_WEIGHT, ROLE_VALUE };

static enum status find_role(const struct tflite_frame *frame, const struct tflite_operator *op,
                             uint32_t i, enum role *role, struct tflite_tensor *tensor)
{
    uint32_t index;
    bool absent;
    *role = ROLE_NOTHING;
    TRY(tflite_frame_index(frame, &op->inputs, i, &index, &absent));
    if (absent)
        return STATUS_OK;
    TRY(tflite_model_tensor(&frame->subgraph, index, tensor));
    if (frame->value[index] != GRAPH_NONE)
        *role = ROLE_VALUE;
    else if (tensor->constant_bytes)
        *role = ROLE_WEIGHT;
    else if (tensor->elements)
        *role = ROLE_VALUE;
    return STATUS_OK;
}

static enum status make_names(struct tflite_reader *reader, const struct tflite_operator *op,
                              uint32_t index, struct text *type, const char **name)
{
    const struct tflite_builtin *builtin = tflite_builtin_at(op->code);
    size_t prefix = reader->prefix.length;
    if (op->code == TFLITE_CUSTOM && op->custom.count) {
        TRY(tflite_reader_name(reader, &op->custom, "", index, name));
        text_append(type, "%s", *name + prefix);
    } else {
        reader->name.length = 0;
        if (builtin)
            text_append(type, "%s", builtin->name);
        else
            text_append(type, "BUILTIN_%u", (unsigned)op->code);
        text_append(&reader->name, "%s%s", reader->prefix.bytes, type->bytes ? type->bytes : "");
    }
    text_append(&reader->name, "_%u", index);
    *name = reader->name.bytes;
    TRY(text_check(type, reader->error));
    return text_check(&reader->name, reader->error);
}

enum status tflite_operator_open(struct tflite_reader *reader, struct tflite_frame *frame,
                                 const struct tflite_operator *op, uint32_t index, uint32_t inputs)
{
    SCOPED(text_free) struct text type = {0};
    const char *name;
    uint32_t opened, values = 0, outputs = 0;
    TRY(tflite_reader_charge(reader, op->at, 1 + reader->prefix.length / 8));
    for (uint32_t i = 0; i < inputs && i < op->inputs.count; i++) {
        struct tflite_tensor tensor;
        enum role role;
        TRY(find_role(frame, op, i, &role, &tensor));
        if (role != ROLE_VALUE)
            continue;
        TRY(tflite_reader_reserve(reader, (size_t)values + 1));
        TRY(tflite_frame_use(frame, &op->inputs, i, op->at, &reader->list[values]));
        values++;
    }
    TRY(tflite_reader_reserve(reader, (size_t)values + op->outputs.count));
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t output;
        bool absent;
        TRY(tflite_frame_index(frame, &op->outputs, i, &output, &absent));
        if (absent)
            continue;
        TRY(tflite_frame_define(frame, &op->outputs, i, op->at, &reader->list[values + outputs]));
        outputs++;
    }
    TRY(make_names(reader, op, index, &type, &name));
    TRY(tflite_reader_place(
        reader, op->at,
        graph_open_operator(reader->graph, name, type.bytes, &opened, reader->error)));
    TRY(memory_reserve(&reader->place, &reader->place_capacity, (size_t)opened + 1,
                       sizeof *reader->place, reader->error));
    reader->place[opened] = op->at;
    TRY(graph_operator_inputs(reader->graph, reader->list, values, reader->error));
    return graph_operator_outputs(reader->graph, reader->list + values, outputs, reader->error);
}

/* Declares the weights, the inputs that may be overwritten, and the flops. */
static enum status add_facts(struct tflite_reader *reader, const struct tflite_frame *frame,
                             const struct tflite_operator *op)
{
    const struct tflite_builtin *builtin = tflite_builtin_at(op->code);
    enum tflite_inplace inplace = builtin ? builtin->inplace : TFLITE_INPLACE_NONE;
    struct graph *graph = reader->graph;
    struct graph_operator *opened = &graph->op[graph->building->open_operator];
    uint32_t most = inplace == TFLITE_INPLACE_NONE ? 0 : UINT32_MAX, pairs = 0;
    for (uint32_t i = 0; i < op->inputs.count; i++) {
        struct tflite_tensor tensor;
        enum role role;
        const char *name;
        TRY(find_role(frame, op, i, &role, &tensor));
        /* The first input of the file may be a constant, which nothing overwrites. */
        if (i == 0 && inplace == TFLITE_INPLACE_FIRST)
            most = role == ROLE_VALUE ? 1 : 0;
        if (role != ROLE_WEIGHT)
            continue;
        TRY(tflite_reader_charge(reader, op->at, 1));
        TRY(tflite_reader_name(reader, &tensor.name, "tensor", flatbuffer_element(&op->inputs, i),
                               &name));
        TRY(graph_operator_weight(graph, name, tensor.dtype, tensor.constant_bytes, reader->error));
    }
    /* An input has to have as many bytes as the one output, since one that is broadcast is read
       several times. */
    if (opened->outputs.count == 1) {
        uint64_t bytes = graph->tensor[graph->list[opened->outputs.first]].bytes;
        TRY(tflite_reader_reserve(reader, 2 * (size_t)opened->inputs.count));
        for (uint32_t i = 0; i < most && i < opened->inputs.count; i++)
            if (graph->tensor[graph->list[opened->inputs.first + i]].bytes == bytes) {
                reader->list[2 * pairs] = i;
                reader->list[2 * pairs + 1] = 0;
                pairs++;
            }
        TRY(graph_operator_inplace(graph, reader->list, pairs, reader->error));
    }
    return tflite_flops_count(&frame->subgraph, op, &opened->flops);
}

enum status tflite_operators_read(struct tflite_reader *reader, struct tflite_frame *frame)
{
    for (uint32_t i = 0; i < frame->subgraph.operators.count; i++) {
        struct tflite_operator op;
        bool found;
        TRY(tflite_model_operator(&frame->subgraph, i, &op));
        TRY(tflite_regions_read(reader, frame, &op, i, &found));
        if (found)
            continue;
        TRY(tflite_operator_open(reader, frame, &op, i, UINT32_MAX));
        TRY(add_facts(reader, frame, &op));
        graph_close_operator(reader->graph);
    }
    return STATUS_OK;
}
