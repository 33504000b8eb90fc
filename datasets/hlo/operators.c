/* The instructions of a computation in the order of its schedule. */

#include "core/memory.h"
#include "datasets/hlo/reader.h"

enum { MOST_OVERWRITTEN = 8 };

enum status hlo_open_operator(struct hlo_frame *frame, const struct hlo_instruction *in,
                              const struct hlo_values *values, uint32_t *op)
{
    struct hlo_reader *reader = frame->reader;
    const struct hlo_module *module = &reader->module;
    const struct hlo_instruction *first =
        module->instruction.item + frame->computation->instructions.first;
    struct assembly *assembly = &reader->assembly;
    SCOPED(text_free) struct text type = {0};
    hlo_copy_name(&type, in->opcode, "operator");
    TRY(text_check(&type, assembly->error));
    TRY(hlo_make_label(reader, in, GRAPH_NONE));
    TRY(assembly_open(assembly, reader->label.bytes, type.bytes, op));
    frame->op[in - first] = 1 + *op;
    for (uint32_t i = 0; i < in->waits.count; i++) {
        const struct hlo_instruction *earlier;
        TRY(hlo_find_instruction(frame, in, module->number.item[in->waits.first + i], &earlier));
        if (frame->op[earlier - first] && earlier != in)
            TRY(assembly_list_add(assembly, &assembly->after, frame->op[earlier - first] - 1));
    }
    for (uint32_t i = 0; i < values->count; i++) {
        TRY(hlo_use(reader, &values->item[i], *op));
        TRY(assembly_read(assembly, &values->item[i], reader->label.bytes));
    }
    return STATUS_OK;
}

/* Operands of the shape of the only output, or the first one of an update, may be overwritten. */
static enum status add_overwritten(struct hlo_frame *frame, const struct hlo_instruction *in)
{
    struct hlo_reader *reader = frame->reader;
    uint32_t operands = in->known->rule == HLO_UPDATE ? 1 : in->operands.count, position = 0;
    struct assembly_shape to, from;
    if (in->known->rule != HLO_POINTWISE && in->known->rule != HLO_UPDATE)
        return STATUS_OK;
    if (in->leaves.count != 1 || !reader->assembly.outputs.count || operands > MOST_OVERWRITTEN)
        return STATUS_OK;
    TRY(hlo_shape(&reader->module, in->leaves.first, reader->memory, &to));
    for (uint32_t i = 0; i < operands && i < in->operands.count; i++) {
        const struct hlo_instruction *operand;
        TRY(hlo_find_instruction(frame, in, reader->module.number.item[in->operands.first + i],
                                 &operand));
        if (operand->leaves.count != 1)
            return STATUS_OK;
        TRY(hlo_shape(&reader->module, operand->leaves.first, reader->memory, &from));
        TRY(assembly_may_overwrite(&reader->assembly, hlo_value(frame, operand), &from, &to,
                                   &position));
    }
    return STATUS_OK;
}

/* The instruction stands for an element of its first operand, or for all operands. */
static enum status copy_element(struct hlo_frame *frame, const struct hlo_instruction *in,
                                int64_t element, const struct hlo_values *operands)
{
    const struct hlo_instruction *tuple;
    struct span leaves = {0, 0};
    if (element != HLO_WHOLE && in->operands.count) {
        TRY(hlo_find_instruction(frame, in, frame->reader->module.number.item[in->operands.first],
                                 &tuple));
        TRY(hlo_find_element(frame, in, tuple, (uint64_t)element, &leaves));
    }
    return hlo_copy(frame, in, (struct span){0, in->leaves.count}, operands, leaves.first);
}

/* A done gives what its start wrote from then on, and not before. */
static enum status finish(struct hlo_frame *frame, const struct hlo_instruction *in,
                          const struct hlo_values *operands, uint32_t op)
{
    struct hlo_reader *reader = frame->reader;
    struct assembly_value *value = hlo_value(frame, in);
    TRY(copy_element(frame, in, in->known->element, operands));
    for (uint32_t k = 0; k < in->leaves.count; k++) {
        if (value[k].kind != ASSEMBLY_TENSOR ||
            !assembly_is_writable(&reader->assembly, value[k].tensor, op))
            continue;
        TRY(assembly_overwrite(&reader->assembly, value[k].tensor, op));
        value[k].source = op;
        reader->written[value[k].tensor].op = op;
    }
    return STATUS_OK;
}

/* What a start is given is an element of what it makes. */
static enum status add_plain(struct hlo_frame *frame, const struct hlo_instruction *in,
                             const struct hlo_values *operands)
{
    struct span element;
    uint32_t op;
    TRY(hlo_open_operator(frame, in, operands, &op));
    if (in->known->rule == HLO_START) {
        TRY(hlo_find_element(frame, in, in, (uint64_t)in->known->element, &element));
        TRY(hlo_copy(frame, in, element, operands, 0));
    } else if (in->known->rule == HLO_DONE) {
        TRY(finish(frame, in, operands, op));
    }
    TRY(hlo_define(frame, in, op));
    TRY(add_overwritten(frame, in));
    return assembly_close(&frame->reader->assembly);
}

static enum status add_instruction(struct hlo_frame *frame, const struct hlo_instruction *in)
{
    SCOPED(hlo_values_free) struct hlo_values operands = {0};
    if (in->known->rule == HLO_PARAMETER)
        return STATUS_OK;
    if (in->leaves.count && hlo_value(frame, in)->kind != ASSEMBLY_UNKNOWN)
        return hlo_fail(frame, in, "each instruction once in the schedule");
    TRY(hlo_collect(frame, in, 0, in->operands.count, &operands));
    switch (in->known->rule) {
    case HLO_CONSTANT:
        return hlo_define(frame, in, GRAPH_NONE);
    case HLO_TUPLE:
    case HLO_VIEW:
        return copy_element(frame, in, HLO_WHOLE, &operands);
    case HLO_ELEMENT:
        return copy_element(frame, in, (int64_t)(in->index & INT64_MAX), &operands);
    case HLO_CALL:
        return hlo_add_call(frame, in, &operands);
    case HLO_WHILE:
        return hlo_add_while(frame, in, &operands);
    case HLO_CONDITIONAL:
        return hlo_add_conditional(frame, in, &operands);
    default:
        return add_plain(frame, in, &operands);
    }
}

enum status hlo_add_instructions(struct hlo_frame *frame)
{
    const struct hlo_module *module = &frame->reader->module;
    const struct hlo_computation *computation = frame->computation;
    for (uint32_t i = 0; i < computation->sequence.count; i++) {
        const struct hlo_instruction *in;
        TRY(hlo_find_instruction(frame, NULL, module->number.item[computation->sequence.first + i],
                                 &in));
        TRY(add_instruction(frame, in));
    }
    for (uint32_t i = 0; i < computation->instructions.count && !computation->is_scheduled; i++)
        TRY(add_instruction(frame, &module->instruction.item[computation->instructions.first + i]));
    return STATUS_OK;
}
