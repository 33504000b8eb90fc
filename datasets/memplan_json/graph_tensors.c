#include <string.h>

#include "core/memory.h"
#include "datasets/memplan_json/graph_reader.h"
#include "planning/graph/build.h"
#include "planning/graph/dtype.h"

/* A text that is not empty. */
enum status graph_json_read_name(struct graph_json_reader *reader, const struct json_value *object,
                                 const char **name)
{
    TRY(json_fields_text(&reader->json, object, "name", name));
    if (**name)
        return STATUS_OK;
    return json_document_fail(&reader->json, json_fields_get(&reader->json, object, "name"),
                              "found an empty name, expected at least one character");
}

static enum status find_tensor(struct graph_json_reader *reader, const struct json_value *value,
                               uint32_t *tensor)
{
    const char *name;
    TRY(json_fields_value_text(&reader->json, value, "name of a tensor", &name));
    *tensor = names_find(&reader->graph->tensor_names, name);
    if (*tensor != NAMES_NONE)
        return STATUS_OK;
    return json_document_fail(&reader->json, value,
                              "found unknown tensor '%s', expected one listed in \"tensors\"",
                              name);
}

enum status graph_json_read_tensor_name(struct graph_json_reader *reader,
                                        const struct json_value *object, const char *key,
                                        uint32_t *tensor)
{
    const char *name;
    TRY(json_fields_text(&reader->json, object, key, &name));
    return find_tensor(reader, json_fields_get(&reader->json, object, key), tensor);
}

enum status graph_json_reserve_list(struct graph_json_reader *reader, size_t count)
{
    return memory_reserve(&reader->list, &reader->list_capacity, count, sizeof *reader->list,
                          reader->json.error);
}

/* A field that is an array of tensors, into reader->list. */
enum status graph_json_read_names(struct graph_json_reader *reader, const struct json_value *object,
                                  const char *key, uint32_t *count)
{
    const struct json_value *array;
    TRY(json_fields_array(&reader->json, object, key, &array));
    TRY(graph_json_reserve_list(reader, json_tree_count(array)));
    uint32_t *tensor = reader->list;
    JSON_EACH(value, array)
        TRY(find_tensor(reader, value, tensor++));
    *count = (uint32_t)json_tree_count(array);
    return STATUS_OK;
}

enum status graph_json_read_dtype(struct graph_json_reader *reader, const struct json_value *object,
                                  uint8_t *dtype)
{
    const char *name;
    TRY(json_fields_optional_text(&reader->json, object, "dtype", &name));
    *dtype = 0;
    if (!name || graph_dtype_find(name, dtype))
        return STATUS_OK;
    char known[256] = "";
    for (uint32_t i = 0; i < graph_dtypes(); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", graph_dtype_name((uint8_t)i));
    }
    return json_document_fail(&reader->json, json_fields_get(&reader->json, object, "dtype"),
                              "found unknown dtype '%s', expected one of%s", name, known);
}

static enum status read_memory(struct graph_json_reader *reader, const struct json_value *object,
                               bool *external)
{
    const char *memory;
    TRY(json_fields_optional_text(&reader->json, object, "memory", &memory));
    *external = memory && strcmp(memory, "external") == 0;
    if (!memory || *external || strcmp(memory, "arena") == 0)
        return STATUS_OK;
    return json_document_fail(&reader->json, json_fields_get(&reader->json, object, "memory"),
                              "found memory '%s', expected arena or external", memory);
}

static enum status read_shape(struct graph_json_reader *reader, const struct json_value *object,
                              uint64_t dimension[GRAPH_MOST_DIMENSIONS], uint32_t *rank)
{
    const struct json_value *shape;
    TRY(json_fields_array(&reader->json, object, "shape", &shape));
    if (json_tree_count(shape) > GRAPH_MOST_DIMENSIONS)
        return json_document_fail(&reader->json, shape, "found %zu dimensions, expected at most %d",
                                  json_tree_count(shape), GRAPH_MOST_DIMENSIONS);
    JSON_EACH(value, shape) {
        int64_t number;
        TRY(json_fields_value_integer(&reader->json, value, "dimension", json_at_least(1),
                                      &number));
        dimension[(*rank)++] = (uint64_t)number;
    }
    return STATUS_OK;
}

static enum status read_device(struct graph_json_reader *reader, const struct json_value *object,
                               uint8_t *device)
{
    int64_t number = 0;
    TRY(json_fields_optional_integer(&reader->json, object, "device", json_between(0, UINT8_MAX),
                                     &number));
    *device = (uint8_t)number;
    return STATUS_OK;
}

/* Checks "planned", the place of a tensor in a plan, which says nothing about the graph and is not
   kept. */
static enum status check_planned(struct graph_json_reader *reader, const struct json_value *object)
{
    const struct json_value *planned = json_fields_get(&reader->json, object, "planned");
    return planned ? json_fields_check(&reader->json, planned, "a place",
                                       "offset extents storage_id over view_of")
                   : STATUS_OK;
}

static enum status add_shaped_tensor(struct graph_json_reader *reader,
                                     const struct json_value *object,
                                     struct graph_tensor_spec *spec)
{
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    uint32_t tensor;
    if (!json_fields_get(&reader->json, object, "dtype"))
        return json_document_fail(&reader->json, object,
                                  "found no \"dtype\" beside \"shape\", expected one");
    TRY(graph_json_read_dtype(reader, object, &spec->dtype));
    TRY(read_shape(reader, object, dimension, &spec->rank));
    spec->has_shape = true;
    spec->dimensions = dimension;
    return json_document_place(&reader->json, object,
                               graph_add_tensor(reader->graph, spec, &tensor, reader->json.error));
}

static enum status add_sized_tensor(struct graph_json_reader *reader,
                                    const struct json_value *object, struct graph_tensor_spec *spec)
{
    int64_t bytes;
    uint32_t tensor;
    if (json_fields_get(&reader->json, object, "dtype"))
        return json_document_fail(&reader->json, object,
                                  "found \"dtype\" without \"shape\", expected both or \"bytes\"");
    TRY(json_fields_integer(&reader->json, object, "bytes", json_at_least(1), &bytes));
    spec->bytes = (uint64_t)bytes;
    return json_document_place(&reader->json, object,
                               graph_add_tensor(reader->graph, spec, &tensor, reader->json.error));
}

enum status graph_json_read_tensor(struct graph_json_reader *reader,
                                   const struct json_value *object)
{
    struct graph_tensor_spec spec = {0};
    TRY(json_fields_check(&reader->json, object, "a tensor",
                          "name bytes shape dtype memory device planned"));
    TRY(graph_json_read_name(reader, object, &spec.name));
    TRY(read_memory(reader, object, &spec.external));
    TRY(read_device(reader, object, &spec.device));
    TRY(check_planned(reader, object));
    bool has_bytes = json_fields_get(&reader->json, object, "bytes"),
         has_shape = json_fields_get(&reader->json, object, "shape");
    if (has_bytes == has_shape)
        return json_document_fail(&reader->json, object,
                                  "found %s of \"bytes\" and \"shape\" in tensor '%s', expected "
                                  "one",
                                  has_bytes ? "both" : "none", spec.name);
    return has_shape ? add_shaped_tensor(reader, object, &spec)
                     : add_sized_tensor(reader, object, &spec);
}
