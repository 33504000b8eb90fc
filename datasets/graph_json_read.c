#include <stdbool.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/graph_json.h"
#include "datasets/json_fields.h"

struct reader {
    const struct json_document *document;
    struct graph *graph;
    const json_t **place; /* [operators] where each is written */
    size_t place_capacity;
    uint32_t *list; /* indices on their way into the graph */
    size_t list_capacity;
    struct error *error;
};

/* A text that is not empty. */
static enum status read_name(struct reader *reader, const json_t *object, const char **name)
{
    TRY(json_fields_text(reader->document, object, "name", name, reader->error));
    if (**name)
        return STATUS_OK;
    return json_document_fail(reader->document, json_object_get(object, "name"), reader->error,
                              "found an empty name, expected at least one character");
}

static enum status find_tensor(struct reader *reader, const json_t *holder, const json_t *value,
                               uint32_t *tensor)
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

static enum status reserve_list(struct reader *reader, size_t count)
{
    return memory_reserve(&reader->list, &reader->list_capacity, count, sizeof *reader->list,
                          reader->error);
}

/* A field that is an array of tensors, into reader->list. */
static enum status read_tensors(struct reader *reader, const json_t *object, const char *key,
                                uint32_t *count)
{
    const json_t *array, *value;
    size_t i;
    TRY(json_fields_array(reader->document, object, key, &array, reader->error));
    TRY(reserve_list(reader, json_array_size(array)));
    json_array_foreach(array, i, value) TRY(find_tensor(reader, array, value, &reader->list[i]));
    *count = (uint32_t)json_array_size(array);
    return STATUS_OK;
}

static enum status read_dtype(struct reader *reader, const json_t *object, uint8_t *dtype)
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

static enum status read_memory(struct reader *reader, const json_t *object, bool *external)
{
    const char *memory;
    TRY(json_fields_optional_text(reader->document, object, "memory", &memory, reader->error));
    *external = memory && strcmp(memory, "external") == 0;
    if (!memory || *external || strcmp(memory, "arena") == 0)
        return STATUS_OK;
    return json_document_fail(reader->document, json_object_get(object, "memory"), reader->error,
                              "found memory '%s', expected arena or external", memory);
}

static enum status read_shape(struct reader *reader, const json_t *object,
                              uint64_t dimension[GRAPH_MOST_DIMENSIONS], uint32_t *rank)
{
    const json_t *shape, *value;
    size_t i;
    TRY(json_fields_array(reader->document, object, "shape", &shape, reader->error));
    if (json_array_size(shape) > GRAPH_MOST_DIMENSIONS)
        return json_document_fail(reader->document, shape, reader->error,
                                  "found %zu dimensions, expected at most %d",
                                  json_array_size(shape), GRAPH_MOST_DIMENSIONS);
    json_array_foreach(shape, i, value)
    {
        int64_t number;
        TRY(json_fields_value_integer(reader->document, shape, value, "dimension", 1, INT64_MAX,
                                      &number, reader->error));
        dimension[i] = (uint64_t)number;
    }
    *rank = (uint32_t)json_array_size(shape);
    return STATUS_OK;
}

static enum status add_shaped_tensor(struct reader *reader, const json_t *object, const char *name,
                                     bool external)
{
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    uint32_t rank = 0, tensor;
    uint8_t dtype;
    if (!json_object_get(object, "dtype"))
        return json_document_fail(reader->document, object, reader->error,
                                  "found no \"dtype\" beside \"shape\", expected one");
    TRY(read_dtype(reader, object, &dtype));
    TRY(read_shape(reader, object, dimension, &rank));
    return json_document_place(reader->document, object,
                               graph_add_tensor(reader->graph, name, dtype, dimension, rank,
                                                external, &tensor, reader->error),
                               reader->error);
}

static enum status add_sized_tensor(struct reader *reader, const json_t *object, const char *name,
                                    bool external)
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

static enum status read_tensor(struct reader *reader, const json_t *array, const json_t *object)
{
    const char *name;
    bool external;
    TRY(json_fields_check(reader->document, object, array, "a tensor",
                          "name bytes shape dtype memory", reader->error));
    TRY(read_name(reader, object, &name));
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

static enum status read_weight(struct reader *reader, const json_t *array, const json_t *object)
{
    const char *name;
    int64_t bytes;
    uint8_t dtype;
    TRY(json_fields_check(reader->document, object, array, "a weight", "name bytes dtype",
                          reader->error));
    TRY(read_name(reader, object, &name));
    TRY(json_fields_integer(reader->document, object, "bytes", 1, INT64_MAX, &bytes,
                            reader->error));
    TRY(read_dtype(reader, object, &dtype));
    return graph_operator_weight(reader->graph, name, dtype, (uint64_t)bytes, reader->error);
}

static enum status read_weights(struct reader *reader, const json_t *object)
{
    const json_t *array, *value;
    size_t i;
    TRY(json_fields_optional_array(reader->document, object, "weights", &array, reader->error));
    json_array_foreach(array, i, value) TRY(read_weight(reader, array, value));
    return STATUS_OK;
}

static enum status read_pair(struct reader *reader, const json_t *array, const json_t *pair,
                             uint32_t position[2])
{
    if (!json_is_array(pair) || json_array_size(pair) != 2)
        return json_document_fail(
            reader->document, json_document_nearest(reader->document, pair, array), reader->error,
            "found %s as an in-place pair, expected [input, output]",
            json_is_array(pair) ? "another length" : json_fields_kind(pair));
    for (size_t k = 0; k < 2; k++) {
        int64_t number;
        TRY(json_fields_value_integer(reader->document, pair, json_array_get(pair, k),
                                      "position of an in-place pair", 0, UINT32_MAX - 1, &number,
                                      reader->error));
        position[k] = (uint32_t)number;
    }
    return STATUS_OK;
}

static enum status read_inplace(struct reader *reader, const json_t *object)
{
    const json_t *array, *value;
    size_t i;
    TRY(json_fields_optional_array(reader->document, object, "inplace", &array, reader->error));
    TRY(reserve_list(reader, 2 * json_array_size(array)));
    json_array_foreach(array, i, value) TRY(read_pair(reader, array, value, &reader->list[2 * i]));
    return graph_operator_inplace(reader->graph, reader->list, (uint32_t)json_array_size(array),
                                  reader->error);
}

static enum status read_carried(struct reader *reader, const json_t *object)
{
    static const char *const keys[] = {"init", "argument", "yield", "result"};
    const json_t *array, *value;
    size_t i;
    TRY(json_fields_optional_array(reader->document, object, "carried", &array, reader->error));
    json_array_foreach(array, i, value)
    {
        uint32_t tensor[4];
        TRY(json_fields_check(reader->document, value, array, "a carried value",
                              "init argument yield result", reader->error));
        for (int k = 0; k < 4; k++)
            TRY(find_tensor(reader, value, json_object_get(value, keys[k]), &tensor[k]));
        struct graph_carried carried = {tensor[0], tensor[1], tensor[2], tensor[3]};
        TRY(graph_operator_carried(reader->graph, &carried, reader->error));
    }
    return STATUS_OK;
}

static enum status read_loop(struct reader *reader, const json_t *object, uint32_t index)
{
    struct graph_operator *operator= & reader->graph->operator[index];
    operator->loop = json_object_get(object, "carried") || json_object_get(object, "trip_count");
    TRY(read_carried(reader, object));
    if (json_is_null(json_object_get(object, "trip_count")))
        return STATUS_OK;
    return json_fields_optional_integer(reader->document, object, "trip_count", 0, INT64_MAX,
                                        &operator->trip_count, reader->error);
}

static enum status read_cost(struct reader *reader, const json_t *object, uint32_t index)
{
    struct graph_operator *operator= & reader->graph->operator[index];
    TRY(json_fields_optional_integer(reader->document, object, "compute_ns", 0, INT64_MAX,
                                     &operator->compute_ns, reader->error));
    return json_fields_optional_integer(reader->document, object, "flops", 0, INT64_MAX,
                                        &operator->flops, reader->error);
}

static enum status read_operators(struct reader *reader, const json_t *holder, unsigned depth);

static enum status read_probability(struct reader *reader, const json_t *object,
                                    double *probability)
{
    const json_t *field = json_object_get(object, "probability");
    *probability = -1;
    if (!field)
        return STATUS_OK;
    const json_t *place = json_document_nearest(reader->document, field, object);
    if (!json_is_number(field))
        return json_document_fail(reader->document, place, reader->error,
                                  "found %s as probability, expected a number from 0 to 1",
                                  json_fields_kind(field));
    *probability = json_number_value(field);
    if (*probability >= 0 && *probability <= 1)
        return STATUS_OK;
    return json_document_fail(reader->document, place, reader->error,
                              "found probability %g, expected a number from 0 to 1", *probability);
}

static enum status read_region(struct reader *reader, const json_t *array, const json_t *object,
                               unsigned depth, double *probability)
{
    const char *name;
    uint32_t yields;
    TRY(json_fields_check(reader->document, object, array, "a region",
                          "name probability ops yields", reader->error));
    TRY(read_name(reader, object, &name));
    TRY(read_probability(reader, object, probability));
    TRY(graph_open_region(reader->graph, name, *probability, reader->error));
    TRY(read_operators(reader, object, depth));
    TRY(read_tensors(reader, object, "yields", &yields));
    return graph_close_region(reader->graph, reader->list, yields, reader->error);
}

static enum status read_regions(struct reader *reader, const json_t *object, uint32_t index,
                                unsigned depth)
{
    const json_t *array, *value;
    double sum = 0;
    bool all_given = true;
    size_t i;
    TRY(json_fields_optional_array(reader->document, object, "regions", &array, reader->error));
    if (json_array_size(array) && depth >= GRAPH_JSON_MOST_DEPTH)
        return json_document_fail(reader->document, object, reader->error,
                                  "found regions nested deeper than %d, expected at most %d",
                                  GRAPH_JSON_MOST_DEPTH, GRAPH_JSON_MOST_DEPTH);
    json_array_foreach(array, i, value)
    {
        double probability;
        TRY(read_region(reader, array, value, depth + 1, &probability));
        all_given = all_given && probability >= 0;
        sum += probability >= 0 ? probability : 0;
    }
    bool wrong = sum > 1 + 1e-6 || (all_given && sum < 1 - 1e-6);
    if (!json_array_size(array) || !wrong || reader->graph->operator[index].loop)
        return STATUS_OK;
    return json_document_fail(reader->document, array, reader->error,
                              "found probabilities that add up to %g, expected 1", sum);
}

static enum status open_operator(struct reader *reader, const json_t *object, uint32_t *index)
{
    const char *name, *type;
    TRY(read_name(reader, object, &name));
    TRY(json_fields_text(reader->document, object, "type", &type, reader->error));
    TRY(memory_reserve(&reader->place, &reader->place_capacity,
                       (size_t)reader->graph->operators + 1, sizeof(const json_t *),
                       reader->error));
    TRY(graph_open_operator(reader->graph, name, type, index, reader->error));
    reader->place[*index] = object;
    return STATUS_OK;
}

static enum status read_operator(struct reader *reader, const json_t *array, const json_t *object,
                                 unsigned depth)
{
    uint32_t index, count;
    TRY(json_fields_check(reader->document, object, array, "an operator",
                          "name type inputs outputs weights compute_ns flops inplace regions "
                          "carried trip_count",
                          reader->error));
    TRY(open_operator(reader, object, &index));
    TRY(read_tensors(reader, object, "inputs", &count));
    TRY(graph_operator_inputs(reader->graph, reader->list, count, reader->error));
    TRY(read_tensors(reader, object, "outputs", &count));
    TRY(graph_operator_outputs(reader->graph, reader->list, count, reader->error));
    TRY(read_weights(reader, object));
    TRY(read_inplace(reader, object));
    TRY(read_cost(reader, object, index));
    TRY(read_loop(reader, object, index));
    TRY(read_regions(reader, object, index, depth));
    graph_close_operator(reader->graph);
    return STATUS_OK;
}

static enum status read_operators(struct reader *reader, const json_t *holder, unsigned depth)
{
    const json_t *array, *value;
    size_t i;
    TRY(json_fields_array(reader->document, holder, "ops", &array, reader->error));
    json_array_foreach(array, i, value) TRY(json_document_place(
        reader->document, value, read_operator(reader, array, value, depth), reader->error));
    return STATUS_OK;
}

static enum status read_inputs(struct reader *reader, const json_t *root)
{
    uint32_t count;
    bool *seen;
    enum status status = STATUS_OK;
    TRY(read_tensors(reader, root, "inputs", &count));
    TRY(memory_create(&seen, reader->graph->tensors, sizeof *seen, reader->error));
    for (uint32_t i = 0; i < count && !status; i++) {
        const json_t *value = json_array_get(json_object_get(root, "inputs"), i);
        if (seen[reader->list[i]])
            status = json_document_fail(reader->document, value, reader->error,
                                        "found input '%s' again, expected each once",
                                        json_string_value(value));
        seen[reader->list[i]] = true;
    }
    memory_free(seen);
    TRY(status);
    return graph_set_inputs(reader->graph, reader->list, count, reader->error);
}

/* Where to point for a fault that is no operator's: a tensor nothing writes, else the outputs. */
static const json_t *find_fault(const struct reader *reader, const json_t *root)
{
    const struct graph *graph = reader->graph;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        bool written = graph->tensor[t].external || graph->tensor[t].producer != GRAPH_NONE;
        for (uint32_t i = 0; i < graph->inputs.count && !written; i++)
            written = graph->list[graph->inputs.first + i] == t;
        if (!written)
            return json_array_get(json_object_get(root, "tensors"), t);
    }
    return json_object_get(root, "outputs");
}

static enum status finish_graph(struct reader *reader, const json_t *root)
{
    uint32_t count, fault = GRAPH_NONE;
    TRY(read_tensors(reader, root, "outputs", &count));
    enum status status = graph_finish(reader->graph, reader->list, count, &fault, reader->error);
    if (!status)
        return status;
    const json_t *place = fault == GRAPH_NONE ? find_fault(reader, root) : reader->place[fault];
    return json_document_place(reader->document, place, status, reader->error);
}

static enum status read_note(struct reader *reader, const json_t *root)
{
    const char *note;
    TRY(json_fields_optional_text(reader->document, root, "note", &note, reader->error));
    if (!note)
        return STATUS_OK;
    reader->graph->note = memory_copy_text(note);
    return reader->graph->note ? STATUS_OK : error_no_memory(reader->error);
}

static enum status read_graph(struct reader *reader)
{
    const json_t *root = reader->document->root, *tensors, *value;
    const char *name;
    size_t i;
    TRY(json_document_expect_format(reader->document, GRAPH_JSON_FORMAT, reader->error));
    TRY(json_fields_check(reader->document, root, root, "a graph",
                          "format name note tensors inputs outputs ops", reader->error));
    TRY(read_name(reader, root, &name));
    TRY(graph_create(&reader->graph, name, reader->error));
    TRY(read_note(reader, root));
    TRY(json_fields_array(reader->document, root, "tensors", &tensors, reader->error));
    json_array_foreach(tensors, i, value) TRY(read_tensor(reader, tensors, value));
    TRY(read_inputs(reader, root));
    TRY(read_operators(reader, root, 0));
    if (!reader->graph->operators)
        return json_document_fail(reader->document, json_object_get(root, "ops"), reader->error,
                                  "found no operators, expected at least one");
    return finish_graph(reader, root);
}

enum status graph_json_read_document(const struct json_document *document, struct graph **graph,
                                     struct error *error)
{
    struct reader reader = {.document = document, .error = error};
    enum status status = read_graph(&reader);
    memory_free(reader.place);
    memory_free(reader.list);
    if (status) {
        graph_free(reader.graph);
        return status;
    }
    *graph = reader.graph;
    return STATUS_OK;
}

enum status graph_json_read(const struct text *text, const char *file, struct graph **graph,
                            struct error *error)
{
    struct json_document *document;
    TRY(json_document_read(text, file, &document, error));
    enum status status = graph_json_read_document(document, graph, error);
    json_document_free(document);
    return status;
}
