
#include "core/memory.h"
#include "datasets/tflite/reader.h"

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
    size_t prefix = reader->assembly.prefix.length;
    if (op->code == TFLITE_CUSTOM && op->custom.count) {
        TRY(tflite_reader_name(reader, &op->custom, "", index, name));
        text_append(type, "%s", *name + prefix);
    } else {
        reader->assembly.name.length = 0;
        if (builtin)
            text_append(type, "%s", builtin->name);
        else
            text_append(type, "BUILTIN_%u", (unsigned)op->code);
        text_append(&reader->assembly.name, "%s%s", reader->assembly.prefix.bytes,
                    type->bytes ? type->bytes : "");
    }
    text_append(&reader->assembly.name, "_%u", index);
    *name = reader->assembly.name.bytes;
    TRY(text_check(type, reader->assembly.error));
    return text_check(&reader->assembly.name, reader->assembly.error);
}

enum status tflite_operator_open(struct tflite_reader *reader, struct tflite_frame *frame,
                                 const struct tflite_operator *op, uint32_t index, uint32_t inputs)
{
    SCOPED(text_free) struct text type = {0};
    const char *name;
    struct assembly *assembly = &reader->assembly;
    uint32_t opened, tensor;
    TRY(tflite_reader_charge(reader, op->at, 1 + reader->assembly.prefix.length / 8));
    for (uint32_t i = 0; i < inputs && i < op->inputs.count; i++) {
        struct tflite_tensor input;
        enum role role;
        TRY(find_role(frame, op, i, &role, &input));
        if (role != ROLE_VALUE)
            continue;
        TRY(tflite_frame_use(frame, &op->inputs, i, op->at, &tensor));
        TRY(assembly_list_add(assembly, &assembly->inputs, tensor));
    }
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t output;
        bool absent;
        TRY(tflite_frame_index(frame, &op->outputs, i, &output, &absent));
        if (absent)
            continue;
        TRY(tflite_frame_define(frame, &op->outputs, i, op->at, &tensor));
        TRY(assembly_write(assembly, tensor));
    }
    TRY(make_names(reader, op, index, &type, &name));
    TRY(tflite_reader_place(reader, op->at,
                            graph_open_operator(reader->assembly.graph, name, type.bytes, &opened,
                                                reader->assembly.error)));
    TRY(memory_reserve(&reader->place, &reader->place_capacity, (size_t)opened + 1,
                       sizeof *reader->place, reader->assembly.error));
    reader->place[opened] = op->at;
    return STATUS_OK;
}

/* Declares the weights, the inputs that may be overwritten, and the flops. */
static enum status add_facts(struct tflite_reader *reader, const struct tflite_frame *frame,
                             const struct tflite_operator *op)
{
    const struct tflite_builtin *builtin = tflite_builtin_at(op->code);
    enum tflite_inplace inplace = builtin ? builtin->inplace : TFLITE_INPLACE_NONE;
    struct assembly *assembly = &reader->assembly;
    struct graph *graph = assembly->graph;
    uint32_t most = inplace == TFLITE_INPLACE_NONE ? 0 : UINT32_MAX;
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
        TRY(graph_operator_weight(graph, name, tensor.dtype, tensor.constant_bytes,
                                  reader->assembly.error));
    }
    /* An input has to have as many bytes as the one output, since one that is broadcast is read
       several times. */
    for (uint32_t i = 0; i < most && i < assembly->inputs.count && assembly->outputs.count == 1;
         i++)
        if (graph->tensor[assembly->inputs.item[i]].bytes ==
            graph->tensor[assembly->outputs.item[0]].bytes)
            TRY(assembly_add_inplace(assembly, i));
    return tflite_flops_count(&frame->subgraph, op,
                              &graph->op[graph->building->open_operator].flops);
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
        TRY(assembly_close(&reader->assembly));
    }
    return STATUS_OK;
}
