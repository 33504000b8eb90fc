#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "datasets/pytorch/reader.h"

enum { STRIDED = 7, MOST_RANK = 64 };

const struct json_value *pytorch_get(const struct pytorch_reader *reader,
                                     const struct json_value *object, const char *key)
{
    const struct json_value *value = json_fields_get(&reader->json, object, key);
    return json_tree_is(value, JSON_NULL) ? NULL : value;
}

enum status pytorch_frame_open(struct pytorch_reader *reader, const struct json_value *graph,
                               struct pytorch_frame *frame)
{
    struct error *error = reader->json.error;
    const struct json_value *metas = pytorch_get(reader, graph, "tensor_values");
    *frame = (struct pytorch_frame){.reader = reader, .graph = graph};
    if (!json_tree_is(metas, JSON_OBJECT))
        return json_document_fail(&reader->json, graph,
                                  "found no \"tensor_values\", expected a graph of torch.export");
    for (uint32_t i = 0; i < PYTORCH_RECENT; i++)
        frame->recent[i].name = NAMES_NONE;
    JSON_EACH(meta, metas) {
        TRY(memory_reserve(&frame->meta, &frame->meta_capacity, (size_t)frame->names.count + 1,
                           sizeof(struct json_value *), error));
        frame->meta[frame->names.count] = meta;
        TRY(names_add(&frame->names, json_tree_key(&reader->json.document->tree, meta), error));
    }
    return memory_create(&frame->value, frame->names.count, sizeof *frame->value, error);
}

void pytorch_frame_free(struct pytorch_frame *frame)
{
    names_free(&frame->names);
    memory_free(frame->meta);
    memory_free(frame->value);
}

/* An object is {"name": ..} or a union of which some alternatives hold tensors. */
static enum status add_tensors(const struct pytorch_frame *frame, const struct json_value *argument,
                               unsigned depth, struct assembly_list *list)
{
    struct pytorch_reader *reader = frame->reader;
    if (depth == PYTORCH_MOST_DEPTH)
        return json_document_fail(&reader->json, argument,
                                  "found arguments nested deeper than %d, expected at most %d",
                                  PYTORCH_MOST_DEPTH, PYTORCH_MOST_DEPTH);
    const char *name = json_fields_word(&reader->json, argument, "name");
    uint32_t found = *name ? names_find(&frame->names, name) : NAMES_NONE;
    if (found != NAMES_NONE)
        return assembly_list_add(&reader->assembly, list, found);
    if (*name || (!json_tree_is(argument, JSON_ARRAY) && !json_tree_is(argument, JSON_OBJECT)))
        return STATUS_OK;
    JSON_EACH(item, argument) {
        const char *key = json_tree_key(&reader->json.document->tree, item);
        bool holds = !key || strcmp(key, "as_string_to_argument") == 0 ||
                     strncmp(key, "as_tensor", strlen("as_tensor")) == 0 ||
                     strncmp(key, "as_optional_tensor", strlen("as_optional_tensor")) == 0 ||
                     strncmp(key, "as_nested_tensor", strlen("as_nested_tensor")) == 0 || depth > 0;
        if (holds)
            TRY(add_tensors(frame, item, depth + 1, list));
    }
    return STATUS_OK;
}

enum status pytorch_frame_tensors(const struct pytorch_frame *frame,
                                  const struct json_value *argument, struct assembly_list *list)
{
    return add_tensors(frame, argument, 0, list);
}

/* Strides are those of a tensor whose elements lie in order; dimensions of 1 may have any. */
static enum status check_strides(const struct pytorch_frame *frame, const struct json_value *meta,
                                 const uint64_t *dimension, uint32_t rank, uint64_t *layout)
{
    struct pytorch_reader *reader = frame->reader;
    const struct json_value *strides = pytorch_get(reader, meta, "strides");
    uint64_t stride[MOST_RANK], expected = 1;
    uint32_t count = 0;
    *layout = 0;
    JSON_EACH(value, strides) {
        if (count < rank)
            TRY(pytorch_symbols_size(&reader->symbols, value, &stride[count]));
        count++;
    }
    for (uint32_t i = rank; count == rank && i-- > 0;) {
        *layout |= dimension[i] != 1 && stride[i] != expected;
        if (!checked_multiply(expected, dimension[i], &expected))
            break;
    }
    return STATUS_OK;
}

static enum status read_shape(const struct pytorch_frame *frame, const struct json_value *meta,
                              uint32_t name, struct assembly_shape *shape)
{
    struct pytorch_reader *reader = frame->reader;
    const struct json_value *dtype = pytorch_get(reader, meta, "dtype");
    const struct json_value *layout = pytorch_get(reader, meta, "layout");
    uint64_t dimension[MOST_RANK];
    *shape = (struct assembly_shape){.rank = 0};
    if (!json_tree_is(dtype, JSON_INTEGER) ||
        !assembly_set_type(shape, element_type_find(ELEMENT_PYTORCH, dtype->integer)))
        return json_document_fail(&reader->json, dtype ? dtype : meta,
                                  "found no known number as the \"dtype\" of '%.60s', expected one "
                                  "of torch.export's",
                                  names_get(&frame->names, name));
    if (json_tree_is(layout, JSON_INTEGER) && layout->integer != STRIDED)
        return json_document_fail(&reader->json, layout,
                                  "found a sparse tensor '%.60s', expected a strided one",
                                  names_get(&frame->names, name));
    shape->bytes = shape->element_bits / 8;
    bool fits = true;
    JSON_EACH(size, pytorch_get(reader, meta, "sizes")) {
        if (shape->rank == MOST_RANK)
            return json_document_fail(&reader->json, size,
                                      "found more than 64 dimensions of "
                                      "'%.60s', expected at most 64",
                                      names_get(&frame->names, name));
        TRY(pytorch_symbols_size(&reader->symbols, size, &dimension[shape->rank]));
        fits &= checked_multiply(shape->bytes, dimension[shape->rank], &shape->bytes);
        shape->rank++;
    }
    if (!fits || shape->bytes > INT64_MAX)
        return json_document_fail(&reader->json, meta,
                                  "found more than 2^63 - 1 bytes of '%.60s', expected fewer",
                                  names_get(&frame->names, name));
    shape->has_dtype &= shape->rank <= GRAPH_MOST_DIMENSIONS;
    for (uint32_t i = 0; shape->has_dtype && i < shape->rank; i++)
        shape->dimension[i] = dimension[i];
    return check_strides(frame, meta, dimension, shape->rank, &shape->layout);
}

enum status pytorch_frame_open_meta(struct pytorch_frame *frame, uint32_t name,
                                    const struct json_value **meta)
{
    struct pytorch_reader *reader = frame->reader;
    TRY(json_document_open_part(reader->document, frame->meta[name], meta, reader->json.error));
    const struct json_value *inner = pytorch_get(reader, *meta, "meta");
    *meta = inner ? inner : *meta;
    return STATUS_OK;
}

enum status pytorch_frame_tensor(struct pytorch_frame *frame, uint32_t name,
                                 const struct pytorch_tensor **tensor)
{
    struct pytorch_reader *reader = frame->reader;
    struct pytorch_tensor *recent = &frame->recent[name % PYTORCH_RECENT];
    const struct json_value *meta;
    *tensor = recent;
    if (recent->name == name)
        return STATUS_OK;
    recent->name = NAMES_NONE;
    TRY(pytorch_frame_open_meta(frame, name, &meta));
    TRY(read_shape(frame, meta, name, &recent->shape));
    const char *device =
        json_fields_word(&reader->json, pytorch_get(reader, meta, "device"), "type");
    recent->dtype = pytorch_get(reader, meta, "dtype")->integer;
    recent->device = names_find(&reader->devices, device);
    if (recent->device == NAMES_NONE) {
        TRY(names_add(&reader->devices, device, reader->json.error));
        recent->device = reader->devices.count - 1;
    }
    recent->name = name;
    json_document_close_part(reader->document);
    return STATUS_OK;
}

enum status pytorch_frame_define(struct pytorch_frame *frame, uint32_t name)
{
    const struct pytorch_tensor *tensor;
    TRY(pytorch_frame_tensor(frame, name, &tensor));
    return assembly_define(&frame->reader->assembly, names_get(&frame->names, name), &tensor->shape,
                           &frame->value[name]);
}

enum status pytorch_frame_use(struct pytorch_frame *frame, uint32_t name, uint32_t op)
{
    struct pytorch_reader *reader = frame->reader;
    const struct assembly_value *value = &frame->value[name];
    if (value->kind == ASSEMBLY_UNKNOWN)
        return error_set(reader->json.error, STATUS_BAD_INPUT,
                         "found a use of '%.60s' before it is written, expected nodes in execution "
                         "order",
                         names_get(&frame->names, name));
    return value->kind == ASSEMBLY_TENSOR ? assembly_use(&reader->assembly, value->tensor, op)
                                          : STATUS_OK;
}

enum status pytorch_frame_read(struct pytorch_frame *frame, uint32_t name, uint32_t op)
{
    TRY(pytorch_frame_use(frame, name, op));
    return assembly_read(&frame->reader->assembly, &frame->value[name],
                         names_get(&frame->names, name));
}

enum status pytorch_frame_overwrite(struct pytorch_frame *frame, uint32_t name, uint32_t op,
                                    const struct json_value *node)
{
    struct pytorch_reader *reader = frame->reader;
    struct assembly *assembly = &reader->assembly;
    const struct assembly_value *value = &frame->value[name];
    if (value->kind == ASSEMBLY_WEIGHT) {
        reader->is_state[value->source] = true;
        reader->found_state = true;
        return STATUS_OK;
    }
    if (value->kind != ASSEMBLY_TENSOR)
        return STATUS_OK;
    if (!assembly_is_writable(assembly, value->tensor, op))
        return json_document_fail(&reader->json, node,
                                  "found an operator that writes into '%.60s', which lies outside "
                                  "of its subgraph, expected what run_decompositions makes of it",
                                  names_get(&frame->names, name));
    return assembly_overwrite(assembly, value->tensor, op);
}
