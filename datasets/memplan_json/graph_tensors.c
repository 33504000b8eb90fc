#include <string.h>

#include "core/memory.h"
#include "datasets/memplan_json/graph_reader.h"

/* A text that is not empty. */
enum status graph_json_read_name(struct graph_json_reader *reader, const json_t *object,
                                 const char **name)
{
    TRY(json_fields_text(reader->document, object, "name", name, reader->error));
    if (**name)
        return STATUS_OK;
    return json_document_fail(reader->document, json_object_get(object, "name"), reader->error,
                              "found an empty name, expected at least one character");
}

enum status graph_json_find_tensor(struct graph_json_reader *reader, const json_t *holder,
                                   const json_t *value, uint32_t *tensor)
{
    const char *name;
    TRY(json_fields_value_text(reader->document, holder, value, "name of a tensor", &name,
                               reader->error));
    *tensor = names_find(&reader->graph->tensor_names, name);
    if (*tensor != NAMES_NONE)
        return STATUS_OK;
    return json_document_fail(reader->document, value, reader->error,
                              "found unknown tensor '%s', expected one listed in \"tensors\"",
                              name);
}

enum status graph_json_reserve_list(struct graph_json_reader *reader, size_t count)
{
    return memory_reserve(&reader->list, &reader->list_capacity, count, sizeof *reader->list,
                          reader->error);
}

/* A field that is an array of tensors, into reader->list. */
enum status graph_json_read_names(struct graph_json_reader *reader, const json_t *object,
                                  const char *key, uint32_t *count)
{
    const json_t *array;
    TRY(json_fields_array(reader->document, object, key, &array, reader->error));
    TRY(graph_json_reserve_list(reader, json_array_size(array)));
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        TRY(graph_json_find_tensor(reader, array, value, &reader->list[i]));
    }
    *count = (uint32_t)json_array_size(array);
    return STATUS_OK;
}

enum status graph_json_read_dtype(struct graph_json_reader *reader, const json_t *object,
                                  uint8_t *dtype)
{
    const char *name;
    TRY(json_fields_optional_text(reader->document, object, "dtype", &name, reader->error));
    *dtype = 0;
    if (!name || graph_dtype_find(name, dtype))
        return STATUS_OK;
    char known[256] = "";
    for (uint32_t i = 0; i < graph_dtypes(); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", graph_dtype_name((uint8_t)i));
    }
    return json_document_fail(reader->document, json_object_get(object, "dtype"), reader->error,
                              "found unknown dtype '%s', expected one of%s", name, known);
}

static enum status read_memory(struct graph_json_reader *reader, const json_t *object,
                               bool *external)
{
    const char *memory;
    TRY(json_fields_optional_text(reader->document, object, "memory", &memory, reader->error));
    *external = memory && strcmp(memory, "external") == 0;
    if (!memory || *external || strcmp(memory, "arena") == 0)
        return STATUS_OK;
    return json_document_fail(reader->document, json_object_get(object, "memory"), reader->error,
                              "found memory '%s', expected arena or external", memory);
}

static enum status read_shape(struct graph_json_reader *reader, const json_t *object,
                              uint64_t dimension[GRAPH_MOST_DIMENSIONS], uint32_t *rank)
{
    const json_t *shape;
    TRY(json_fields_array(reader->document, object, "shape", &shape, reader->error));
    if (json_array_size(shape) > GRAPH_MOST_DIMENSIONS)
        return json_document_fail(reader->document, shape, reader->error,
                                  "found %zu dimensions, expected at most %d",
                                  json_array_size(shape), GRAPH_MOST_DIMENSIONS);
    for (size_t i = 0; i < json_array_size(shape); i++) {
        const json_t *value = json_array_get(shape, i);
        int64_t number;
        TRY(json_fields_value_integer(reader->document, shape, value, "dimension", 1, INT64_MAX,
                                      &number, reader->error));
        dimension[i] = (uint64_t)number;
    }
    *rank = (uint32_t)json_array_size(shape);
    return STATUS_OK;
}

static enum status add_shaped_tensor(struct graph_json_reader *reader, const json_t *object,
                                     const char *name, bool external)
{
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    uint32_t rank = 0, tensor;
    uint8_t dtype;
    if (!json_object_get(object, "dtype"))
        return json_document_fail(reader->document, object, reader->error,
                                  "found no \"dtype\" beside \"shape\", expected one");
    TRY(graph_json_read_dtype(reader, object, &dtype));
    TRY(read_shape(reader, object, dimension, &rank));
    return json_document_place(reader->document, object,
                               graph_add_tensor(reader->graph, name, dtype, dimension, rank,
                                                external, &tensor, reader->error),
                               reader->error);
}

static enum status add_sized_tensor(struct graph_json_reader *reader, const json_t *object,
                                    const char *name, bool external)
{
    int64_t bytes;
    uint32_t tensor;
    if (json_object_get(object, "dtype"))
        return json_document_fail(reader->document, object, reader->error,
                                  "found \"dtype\" without \"shape\", expected both or \"bytes\"");
    TRY(json_fields_integer(reader->document, object, "bytes", 1, INT64_MAX, &bytes,
                            reader->error));
    return json_document_place(reader->document, object,
                               graph_add_tensor_bytes(reader->graph, name, (uint64_t)bytes,
                                                      external, &tensor, reader->error),
                               reader->error);
}

enum status graph_json_read_tensor(struct graph_json_reader *reader, const json_t *array,
                                   const json_t *object)
{
    const char *name;
    bool external;
    TRY(json_fields_check(reader->document, object, array, "a tensor",
                          "name bytes shape dtype memory", reader->error));
    TRY(graph_json_read_name(reader, object, &name));
    TRY(read_memory(reader, object, &external));
    bool has_bytes = json_object_get(object, "bytes"), has_shape = json_object_get(object, "shape");
    if (has_bytes == has_shape)
        return json_document_fail(reader->document, object, reader->error,
                                  "found %s of \"bytes\" and \"shape\" in tensor '%s', expected "
                                  "one",
                                  has_bytes ? "both" : "none", name);
    return has_shape ? add_shaped_tensor(reader, object, name, external)
                     : add_sized_tensor(reader, object, name, external);
}
