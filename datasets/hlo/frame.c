/* One run of a computation: the values of its instructions. */

#include <string.h>

#include "core/memory.h"
#include "datasets/hlo/reader.h"

enum { MOST_SHOWN = 60 };

void hlo_values_free(struct hlo_values *values)
{
    memory_free(values->item);
}

void hlo_frame_free(struct hlo_frame *frame)
{
    memory_free_all(frame->value, frame->op);
}

enum status hlo_frame_create(struct hlo_frame *frame)
{
    struct error *error = frame->reader->assembly.error;
    frame->reader->work +=
        (uint64_t)frame->computation->leaves.count + frame->computation->instructions.count;
    TRY(memory_create(&frame->value, frame->computation->leaves.count, sizeof *frame->value,
                      error));
    return memory_create(&frame->op, frame->computation->instructions.count, sizeof *frame->op,
                         error);
}

enum status hlo_fail(const struct hlo_frame *frame, const struct hlo_instruction *in,
                     const char *what)
{
    const struct wire *module = &frame->reader->module.wire;
    const unsigned char *name = in ? in->name.next : module->next;
    size_t length = in ? (size_t)(in->name.end - name) : 0;
    return wire_fail(module, name, "found '%.*s', expected %s",
                     (int)(length < MOST_SHOWN ? length : MOST_SHOWN), (const char *)name, what);
}

void hlo_copy_name(struct text *text, struct wire_place name, const char *otherwise)
{
    size_t length = strnlen((const char *)name.next, (size_t)(name.end - name.next));
    text->length = 0;
    text_append_bytes(text, length ? (const char *)name.next : otherwise,
                      length ? length : strlen(otherwise));
}

enum status hlo_make_label(struct hlo_reader *reader, const struct hlo_instruction *in,
                           uint32_t leaf)
{
    hlo_copy_name(&reader->label, in->name, "instruction");
    if (leaf != GRAPH_NONE && in->elements.count)
        text_append(&reader->label, "{%u}", leaf);
    return text_check(&reader->label, reader->assembly.error);
}

struct assembly_value *hlo_value(const struct hlo_frame *frame, const struct hlo_instruction *in)
{
    return frame->value + (in->leaves.first - frame->computation->leaves.first);
}

enum status hlo_find_instruction(const struct hlo_frame *frame, const struct hlo_instruction *user,
                                 uint64_t id, const struct hlo_instruction **found)
{
    const struct hlo_module *module = &frame->reader->module;
    uint32_t index = hlo_find(module, HLO_INSTRUCTION, id);
    bool is_inside =
        index - frame->computation->instructions.first < frame->computation->instructions.count;
    *found = is_inside ? &module->instruction.item[index] : NULL;
    return is_inside
               ? STATUS_OK
               : hlo_fail(frame, user, "operands, a root and a schedule of its own computation");
}

enum status hlo_collect_value(const struct hlo_frame *frame, const struct hlo_instruction *user,
                              uint64_t id, struct hlo_values *values)
{
    const struct hlo_instruction *in;
    TRY(hlo_find_instruction(frame, user, id, &in));
    const struct assembly_value *value = hlo_value(frame, in);
    TRY(memory_reserve(&values->item, &values->capacity, (size_t)values->count + in->leaves.count,
                       sizeof *values->item, frame->reader->assembly.error));
    for (uint32_t k = 0; k < in->leaves.count; k++) {
        if (value[k].kind == ASSEMBLY_UNKNOWN)
            return hlo_fail(frame, user, "a schedule in which what it reads comes before it");
        values->item[values->count++] = value[k];
    }
    return STATUS_OK;
}

enum status hlo_collect(const struct hlo_frame *frame, const struct hlo_instruction *in,
                        uint32_t first, uint32_t count, struct hlo_values *values)
{
    const struct wire_numbers *number = &frame->reader->module.number;
    if (count > in->operands.count || first > in->operands.count - count)
        return hlo_fail(frame, in, "more operands");
    for (uint32_t i = first; i < first + count; i++)
        TRY(hlo_collect_value(frame, in, number->item[in->operands.first + i], values));
    return STATUS_OK;
}

enum status hlo_copy(struct hlo_frame *frame, const struct hlo_instruction *in, struct span to,
                     const struct hlo_values *values, uint32_t first)
{
    if (to.count > values->count || first > values->count - to.count)
        return hlo_fail(frame, in, "a value of the shape of what it is made of");
    if (to.count)
        memcpy(hlo_value(frame, in) + to.first, values->item + first,
               to.count * sizeof *values->item);
    return STATUS_OK;
}

enum status hlo_find_element(const struct hlo_frame *frame, const struct hlo_instruction *in,
                             const struct hlo_instruction *tuple, uint64_t element,
                             struct span *leaves)
{
    const uint64_t *begin = frame->reader->module.number.item;
    if (element >= tuple->elements.count)
        return hlo_fail(frame, in, "an element of a tuple that it has");
    element += tuple->elements.first;
    uint64_t end = element + 1 < tuple->elements.first + tuple->elements.count
                       ? begin[element + 1]
                       : tuple->leaves.first + tuple->leaves.count;
    leaves->first = (uint32_t)begin[element] - tuple->leaves.first;
    leaves->count = (uint32_t)(end - begin[element]);
    return STATUS_OK;
}
