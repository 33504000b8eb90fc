/* Which tensors are in one place: what the assignment or the module puts into the place of another
   value is written over it. */

#include "core/memory.h"
#include "datasets/hlo/reader.h"

enum { MOST_COMPARED = 64 };
enum { ALIASES_ENTRY = 1, ENTRY_OUTPUT = 1, ENTRY_PARAMETER = 2, ENTRY_INDEX = 3 };

/* If something else has been written in the place of a value since it was, that has to be
   elsewhere, in another graph. */
static void check_intact(struct hlo_reader *reader, const struct assembly_value *value)
{
    if (value->kind != ASSEMBLY_TENSOR || value->tensor >= reader->assembly.places ||
        reader->assembly.place[value->tensor].region == GRAPH_NONE ||
        reader->written[value->tensor].op == value->source)
        return;
    bool *is_apart = &reader->is_apart[reader->written[value->tensor].leaf];
    reader->is_again |= !*is_apart;
    *is_apart = true;
}

enum status hlo_use(struct hlo_reader *reader, const struct assembly_value *value, uint32_t op)
{
    check_intact(reader, value);
    return value->kind == ASSEMBLY_TENSOR ? assembly_use(&reader->assembly, value->tensor, op)
                                          : STATUS_OK;
}

static bool reads(const struct assembly *assembly, uint32_t tensor)
{
    bool found = false;
    for (uint32_t i = 0; i < assembly->inputs.count; i++)
        found |= assembly->inputs.item[i] == tensor;
    return found;
}

/* The assignment has both leaves in one place. */
static bool is_same_place(const struct hlo_reader *reader, uint32_t a, uint32_t b)
{
    const struct hlo_assigned *one = reader->module.leaf.item[a].place;
    const struct hlo_assigned *other = reader->module.leaf.item[b].place;
    return one && other && one->allocation == other->allocation && one->offset == other->offset &&
           one->bytes == other->bytes;
}

/* The tensor into which the open operator writes a leaf: where the assignment puts it in the place
   of something that the operator reads, or the module in that of a parameter; else GRAPH_NONE. */
static uint32_t find_overwritten(const struct hlo_frame *frame, uint32_t leaf, uint64_t bytes,
                                 uint32_t op)
{
    const struct hlo_reader *reader = frame->reader;
    const struct assembly *assembly = &reader->assembly;
    uint32_t found = GRAPH_NONE, over = reader->over[leaf];
    if (reader->is_apart[leaf])
        return GRAPH_NONE;
    for (uint32_t i = 0; i < assembly->inputs.count && i < MOST_COMPARED; i++) {
        uint32_t tensor = assembly->inputs.item[i];
        if (tensor < assembly->places && assembly->place[tensor].region != GRAPH_NONE &&
            is_same_place(reader, reader->written[tensor].leaf, leaf))
            found = tensor;
    }
    if (found == GRAPH_NONE && over != GRAPH_NONE && !frame->is_inner) {
        const struct assembly_value *value = &frame->value[over - frame->computation->leaves.first];
        bool is_free = value->kind == ASSEMBLY_TENSOR && !reads(assembly, value->tensor);
        if (is_free || is_same_place(reader, over, leaf))
            found = value->tensor;
    }
    return found != GRAPH_NONE && reader->written[found].op != op &&
                   assembly_is_writable(assembly, found, op) &&
                   assembly->graph->tensor[found].bytes == bytes
               ? found
               : GRAPH_NONE;
}

/* Lets a leaf stand for a tensor, a weight, or nothing. */
static enum status define(struct hlo_frame *frame, const struct hlo_instruction *in,
                          uint32_t number, uint32_t op)
{
    struct hlo_reader *reader = frame->reader;
    struct assembly *assembly = &reader->assembly;
    struct assembly_value *value = hlo_value(frame, in) + number;
    struct assembly_shape shape;
    enum hlo_rule rule = in->known->rule;
    uint32_t leaf = in->leaves.first + number, overwritten = GRAPH_NONE;
    TRY(hlo_shape(&reader->module, leaf, reader->memory, &shape));
    if (op != GRAPH_NONE && rule != HLO_WHILE && rule != HLO_CONDITIONAL)
        overwritten = find_overwritten(frame, leaf, shape.bytes, op);
    *value = assembly_weight(&shape, op);
    if (rule == HLO_CONSTANT)
        return STATUS_OK;
    if (overwritten != GRAPH_NONE) {
        TRY(assembly_overwrite(assembly, overwritten, op));
        value->kind = ASSEMBLY_TENSOR;
        value->tensor = overwritten;
    } else {
        TRY(hlo_make_label(reader, in, number));
        TRY(assembly_define(assembly, reader->label.bytes, &shape, value));
        value->source = op;
        if (op != GRAPH_NONE)
            TRY(assembly_write(assembly, value->tensor));
    }
    TRY(memory_reserve(&reader->written, &reader->written_capacity, (size_t)value->tensor + 1,
                       sizeof *reader->written, assembly->error));
    reader->written[value->tensor] = (struct hlo_written){leaf, op};
    return STATUS_OK;
}

enum status hlo_define(struct hlo_frame *frame, const struct hlo_instruction *in, uint32_t op)
{
    for (uint32_t k = 0; k < in->leaves.count; k++)
        if (hlo_value(frame, in)[k].kind == ASSEMBLY_UNKNOWN)
            TRY(define(frame, in, k, op));
    return STATUS_OK;
}

enum status hlo_list_tensors(struct hlo_reader *reader, const struct hlo_instruction *in,
                             struct hlo_values *values, struct assembly_list *tensors)
{
    TRY(hlo_make_label(reader, in, GRAPH_NONE));
    for (uint32_t i = 0; i < values->count; i++) {
        uint32_t tensor;
        check_intact(reader, &values->item[i]);
        TRY(assembly_tensor(&reader->assembly, &values->item[i], reader->label.bytes, &tensor));
        TRY(assembly_list_add(&reader->assembly, tensors, tensor));
    }
    return STATUS_OK;
}

enum status hlo_note_aliases(struct hlo_frame *frame, const struct hlo_instruction *root,
                             const struct hlo_values *outputs)
{
    struct hlo_reader *reader = frame->reader;
    struct hlo_module *module = &reader->module;
    struct wire aliases = module->aliases, entry;
    enum status status;
    while (wire_each(&aliases, ALIASES_ENTRY, &entry, &status)) {
        uint64_t parameter = 0;
        uint32_t from, to;
        TRY(WIRE_READ(entry, {ENTRY_PARAMETER, &parameter, NULL}));
        if (parameter >= frame->computation->parameters.count)
            return hlo_fail(frame, root, "aliases of parameters that there are");
        const struct hlo_instruction *in =
            hlo_parameter(module, frame->computation, (uint32_t)parameter);
        TRY(hlo_find_leaf(module, root->id, entry, ENTRY_OUTPUT, &to));
        TRY(hlo_find_leaf(module, in->id, entry, ENTRY_INDEX, &from));
        to -= root->leaves.first;
        if (to >= outputs->count || from - in->leaves.first >= in->leaves.count ||
            outputs->item[to].kind != ASSEMBLY_TENSOR ||
            outputs->item[to].tensor ==
                frame->value[from - frame->computation->leaves.first].tensor)
            continue;
        uint32_t *over = &reader->over[reader->written[outputs->item[to].tensor].leaf];
        reader->is_again |= *over == GRAPH_NONE;
        *over = from;
    }
    return status;
}
