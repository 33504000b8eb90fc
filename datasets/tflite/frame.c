/* Frames of the TFLite reader: which tensor of the graph stands for which tensor of a subgraph, and
   the names that tensors get. */

#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/tflite/reader.h"
#include "planning/graph/build.h"

enum { MOST_WORK = 1 << 22, NAME_BYTES_A_WORK = 16, SHOWN = 60 };

enum status tflite_reader_charge(struct tflite_reader *reader, size_t at, uint64_t work)
{
    reader->work += work;
    if (reader->work <= MOST_WORK)
        return STATUS_OK;
    return flatbuffer_fail(&reader->model.file, at,
                           "found a graph of more than %d tensors and uses, with what its "
                           "subgraphs repeat, expected fewer",
                           MOST_WORK);
}

enum status tflite_reader_place(struct tflite_reader *reader, size_t at, enum status status)
{
    if (status != STATUS_BAD_INPUT)
        return status;
    struct error found = *reader->assembly.error;
    return flatbuffer_fail(&reader->model.file, at, "%s", found.text);
}

enum status tflite_frame_open(struct tflite_reader *reader, const struct tflite_frame *outer,
                              uint32_t subgraph, size_t at, struct tflite_frame *frame)
{
    unsigned depth = 1;
    *frame = (struct tflite_frame){.reader = reader, .outer = outer};
    for (const struct tflite_frame *around = outer; around; around = around->outer, depth++)
        if (around->subgraph.index == subgraph)
            return flatbuffer_fail(&reader->model.file, at,
                                   "found a call of subgraph %u inside itself, expected none",
                                   subgraph);
    if (depth > TFLITE_MOST_DEPTH)
        return flatbuffer_fail(&reader->model.file, at,
                               "found subgraphs nested deeper than %d, expected at most %d",
                               TFLITE_MOST_DEPTH, TFLITE_MOST_DEPTH);
    TRY(tflite_model_subgraph(&reader->model, subgraph, &frame->subgraph));
    uint32_t tensors = frame->subgraph.tensors.count;
    TRY(tflite_reader_charge(reader, at, tensors));
    TRY(memory_create_all(tensors, reader->assembly.error, &frame->value, &frame->constant));
    for (uint32_t i = 0; i < tensors; i++)
        frame->value[i] = frame->constant[i] = GRAPH_NONE;
    return STATUS_OK;
}

void tflite_frame_free(struct tflite_frame *frame)
{
    memory_free_all(frame->value, frame->constant);
}

enum status tflite_frame_index(const struct tflite_frame *frame,
                               const struct flatbuffer_vector *vector, uint32_t i, uint32_t *index,
                               bool *absent)
{
    struct tflite_reader *reader = frame->reader;
    *index = flatbuffer_element(vector, i);
    *absent = *index == UINT32_MAX;
    if (*absent || *index < frame->subgraph.tensors.count)
        return STATUS_OK;
    return flatbuffer_fail(&reader->model.file, vector->at + 4 * (size_t)i,
                           "found tensor %d, expected one of the %u of subgraph %u", (int)*index,
                           frame->subgraph.tensors.count, frame->subgraph.index);
}

enum status tflite_reader_name(struct tflite_reader *reader, const struct flatbuffer_vector *name,
                               const char *otherwise, uint32_t index, const char **text)
{
    const char *bytes = (const char *)reader->model.file.bytes + name->at;
    reader->assembly.name.length = 0;
    TRY(tflite_reader_charge(reader, name->at,
                             (reader->assembly.prefix.length + name->count) / NAME_BYTES_A_WORK));
    text_append(&reader->assembly.name, "%s", reader->assembly.prefix.bytes);
    if (!name->count) {
        text_append(&reader->assembly.name, "%s%u", otherwise, index);
    } else {
        if (memchr(bytes, '\0', name->count) || !utf8_is_valid(bytes, name->count))
            return flatbuffer_fail(&reader->model.file, name->at,
                                   "found a name that is not UTF-8 or has a zero byte, expected "
                                   "text");
        text_append_bytes(&reader->assembly.name, bytes, name->count);
    }
    *text = reader->assembly.name.bytes;
    return text_check(&reader->assembly.name, reader->assembly.error);
}

enum status tflite_reader_add_tensor(struct tflite_reader *reader,
                                     const struct tflite_subgraph *subgraph, uint32_t index,
                                     uint32_t *tensor)
{
    struct tflite_tensor from;
    const char *name;
    TRY(tflite_model_tensor(subgraph, index, &from));
    TRY(tflite_reader_charge(reader, from.at, 1));
    TRY(tflite_reader_name(reader, &from.name, "tensor", index, &name));
    if (!from.elements)
        return flatbuffer_fail(&reader->model.file, from.at,
                               "found dimension 0 of tensor %u '%.*s', expected at least 1", index,
                               SHOWN, name);
    /* Names in a model may be equal. */
    while (names_find(&reader->assembly.graph->tensor_names, name) != NAMES_NONE) {
        text_append(&reader->assembly.name, ":%u", index);
        TRY(text_check(&reader->assembly.name, reader->assembly.error));
        name = reader->assembly.name.bytes;
    }
    struct graph_tensor_spec spec = {
        .name = name, .bytes = from.bytes, .external = from.dynamic || from.constant_bytes};
    if (from.has_dtype)
        spec = (struct graph_tensor_spec){.name = name,
                                          .has_shape = true,
                                          .dtype = from.dtype,
                                          .dimensions = from.dimension,
                                          .rank = from.rank,
                                          .external = spec.external};
    return tflite_reader_place(
        reader, from.at,
        graph_add_tensor(reader->assembly.graph, &spec, tensor, reader->assembly.error));
}

enum status tflite_frame_use(struct tflite_frame *frame, const struct flatbuffer_vector *vector,
                             uint32_t i, size_t at, uint32_t *tensor)
{
    struct tflite_reader *reader = frame->reader;
    struct tflite_tensor from;
    uint32_t index;
    bool absent;
    const char *name;
    char key[32];
    TRY(tflite_reader_charge(reader, at, 1));
    TRY(tflite_frame_index(frame, vector, i, &index, &absent));
    if (absent)
        return flatbuffer_fail(&reader->model.file, vector->at + 4 * (size_t)i,
                               "found no tensor (-1), expected one");
    *tensor = frame->value[index];
    if (*tensor == GRAPH_NONE)
        *tensor = frame->constant[index];
    if (*tensor != GRAPH_NONE)
        return STATUS_OK;
    TRY(tflite_model_tensor(&frame->subgraph, index, &from));
    if (from.constant_bytes) {
        TRY(tflite_reader_add_tensor(reader, &frame->subgraph, index, &frame->constant[index]));
        *tensor = frame->constant[index];
        return STATUS_OK;
    }
    if (!from.variable) {
        TRY(tflite_reader_name(reader, &from.name, "tensor", index, &name));
        return flatbuffer_fail(&reader->model.file, at,
                               "found a use of tensor %u '%.*s' before it is written, expected "
                               "operators in execution order",
                               index, SHOWN, name);
    }
    /* A variable keeps its value from run to run, so all instances of its subgraph share one. */
    snprintf(key, sizeof key, "%u:%u", frame->subgraph.index, index);
    uint32_t found = names_find(&reader->variable_key, key);
    if (found == NAMES_NONE) {
        found = reader->variable_key.count;
        TRY(tflite_reader_add_tensor(reader, &frame->subgraph, index, tensor));
        TRY(assembly_list_add(&reader->assembly, &reader->variable, *tensor));
        TRY(names_add(&reader->variable_key, key, reader->assembly.error));
    }
    *tensor = reader->variable.item[found];
    return STATUS_OK;
}

enum status tflite_frame_use_all(struct tflite_frame *frame, const struct flatbuffer_vector *vector,
                                 uint32_t first, size_t at, struct assembly_list *list)
{
    for (uint32_t i = first; i < vector->count; i++) {
        uint32_t tensor;
        TRY(tflite_frame_use(frame, vector, i, at, &tensor));
        TRY(assembly_list_add(&frame->reader->assembly, list, tensor));
    }
    return STATUS_OK;
}

enum status tflite_frame_define(struct tflite_frame *frame, const struct flatbuffer_vector *vector,
                                uint32_t i, size_t at, uint32_t *tensor)
{
    struct tflite_reader *reader = frame->reader;
    struct tflite_tensor to;
    uint32_t index;
    bool absent;
    TRY(tflite_frame_index(frame, vector, i, &index, &absent));
    if (absent)
        return flatbuffer_fail(&reader->model.file, vector->at + 4 * (size_t)i,
                               "found no tensor (-1), expected one");
    TRY(tflite_model_tensor(&frame->subgraph, index, &to));
    if (frame->value[index] != GRAPH_NONE || to.constant_bytes || to.variable)
        return flatbuffer_fail(&reader->model.file, at,
                               "found tensor %u written here, which is %s, expected a new one",
                               index,
                               to.constant_bytes ? "a constant"
                               : to.variable     ? "a variable"
                                                 : "an input or written already");
    TRY(tflite_reader_add_tensor(reader, &frame->subgraph, index, tensor));
    frame->value[index] = *tensor;
    return STATUS_OK;
}
