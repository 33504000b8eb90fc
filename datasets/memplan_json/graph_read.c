/* A graph from JSON: streams, tensors, operators with the regions in them, inputs and outputs. */

#include <string.h>

#include "core/memory.h"
#include "datasets/json/fields.h"
#include "datasets/memplan_json/graph.h"
#include "planning/graph/build.h"
#include "planning/graph/dtype.h"

struct reader {
    struct json_reader json;
    struct graph *graph;
    const struct json_value **place; /* [operators] where each is written, for messages */
    size_t place_capacity;
    uint32_t *list; /* indices that are about to be added to the graph */
    size_t list_capacity;
    uint32_t *operator_of; /* [labels] the operator of that name, GRAPH_NONE for none */
    size_t operator_of_capacity, labels;
    bool streams_declared;
};

static enum status find_tensor(struct reader *reader, const struct json_value *value,
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

static enum status read_tensor_name(struct reader *reader, const struct json_value *object,
                                    const char *key, uint32_t *tensor)
{
    const char *name;
    TRY(json_fields_text(&reader->json, object, key, &name));
    return find_tensor(reader, json_fields_get(&reader->json, object, key), tensor);
}

static enum status reserve_list(struct reader *reader, size_t count)
{
    return memory_reserve(&reader->list, &reader->list_capacity, count, sizeof *reader->list,
                          reader->json.error);
}

/* A field that is an array of tensors, into reader->list. */
static enum status read_names(struct reader *reader, const struct json_value *object,
                              const char *key, uint32_t *count)
{
    const struct json_value *array;
    TRY(json_fields_array(&reader->json, object, key, &array));
    TRY(reserve_list(reader, json_tree_count(array)));
    uint32_t *tensor = reader->list;
    JSON_EACH(value, array)
        TRY(find_tensor(reader, value, tensor++));
    *count = (uint32_t)json_tree_count(array);
    return STATUS_OK;
}

static enum status read_dtype(struct reader *reader, const struct json_value *object,
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

static enum status read_size(struct reader *reader, const struct json_value *object,
                             struct graph_tensor_spec *spec,
                             uint64_t dimension[GRAPH_MOST_DIMENSIONS])
{
    const struct json_value *shape = json_fields_get(&reader->json, object, "shape");
    bool has_bytes = json_fields_get(&reader->json, object, "bytes"),
         has_dtype = json_fields_get(&reader->json, object, "dtype");
    int64_t number = 0;
    spec->has_shape = shape != NULL;
    spec->dimensions = dimension;
    if (has_bytes == spec->has_shape)
        return json_document_fail(
            &reader->json, object,
            "found %s of \"bytes\" and \"shape\" in tensor '%s', expected one",
            has_bytes ? "both" : "none", spec->name);
    if (has_dtype != spec->has_shape)
        return json_document_fail(
            &reader->json, object,
            has_dtype ? "found \"dtype\" without \"shape\", expected both or \"bytes\""
                      : "found no \"dtype\" beside \"shape\", expected one");
    if (!shape) {
        TRY(json_fields_integer(&reader->json, object, "bytes", json_at_least(1), &number));
        spec->bytes = (uint64_t)number;
        return STATUS_OK;
    }
    TRY(read_dtype(reader, object, &spec->dtype));
    TRY(json_fields_array(&reader->json, object, "shape", &shape));
    if (json_tree_count(shape) > GRAPH_MOST_DIMENSIONS)
        return json_document_fail(&reader->json, shape, "found %zu dimensions, expected at most %d",
                                  json_tree_count(shape), GRAPH_MOST_DIMENSIONS);
    JSON_EACH(value, shape) {
        TRY(json_fields_value_integer(&reader->json, value, "dimension", json_at_least(1),
                                      &number));
        dimension[spec->rank++] = (uint64_t)number;
    }
    return STATUS_OK;
}

static enum status read_tensor(struct reader *reader, const struct json_value *object)
{
    const struct json_value *planned = json_fields_get(&reader->json, object, "planned");
    struct graph_tensor_spec spec = {0};
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    const char *memory;
    uint32_t tensor;
    TRY(json_fields_check(&reader->json, object, "a tensor",
                          "name bytes shape dtype memory device planned"));
    TRY(json_fields_name(&reader->json, object, &spec.name));
    TRY(json_fields_optional_text(&reader->json, object, "memory", &memory));
    spec.external = memory && strcmp(memory, "external") == 0;
    if (memory && !spec.external && strcmp(memory, "arena") != 0)
        return json_document_fail(&reader->json, json_fields_get(&reader->json, object, "memory"),
                                  "found memory '%s', expected arena or external", memory);
    TRY(json_fields_device(&reader->json, object, &spec.device));
    /* The place of the tensor in a plan says nothing about the graph and is not kept. */
    if (planned)
        TRY(json_fields_check(&reader->json, planned, "a place",
                              "offset extents storage_id over view_of"));
    TRY(read_size(reader, object, &spec, dimension));
    return json_document_place(&reader->json, object,
                               graph_add_tensor(reader->graph, &spec, &tensor, reader->json.error));
}

static enum status read_streams(struct reader *reader, const struct json_value *root)
{
    const struct json_value *array;
    const char *name, *engine, *waits;
    uint32_t stream;
    TRY(json_fields_optional_array(&reader->json, root, "streams", &array));
    reader->streams_declared = json_tree_count(array) > 0;
    JSON_EACH(value, array) {
        TRY(json_fields_check(&reader->json, value, "a stream", "name engine"));
        TRY(json_fields_name(&reader->json, value, &name));
        TRY(json_fields_optional_text(&reader->json, value, "engine", &engine));
        TRY(json_document_place(&reader->json, value,
                                graph_add_stream(reader->graph, name, engine ? engine : "", &stream,
                                                 reader->json.error)));
    }
    TRY(json_fields_optional_text(&reader->json, root, "waits", &waits));
    reader->graph->waits_implied = waits != NULL;
    if (!waits || !strcmp(waits, "auto"))
        return STATUS_OK;
    return json_document_fail(&reader->json, json_fields_get(&reader->json, root, "waits"),
                              "found waits '%s', expected 'auto' or no such key", waits);
}

static enum status read_waits(struct reader *reader, const struct json_value *object)
{
    struct graph *graph = reader->graph;
    struct error *error = reader->json.error;
    const struct json_value *array;
    const char *name;
    uint32_t stream, count = 0;
    TRY(json_fields_optional_text(&reader->json, object, "stream", &name));
    if (name) {
        /* Streams need not be declared; operators that name none are on the first one. */
        if (!graph->streams.count && strcmp(name, GRAPH_MAIN_STREAM))
            TRY(graph_add_stream(graph, GRAPH_MAIN_STREAM, "", &stream, error));
        stream = names_find(&graph->streams, name);
        if (stream == NAMES_NONE && reader->streams_declared)
            return json_document_fail(&reader->json,
                                      json_fields_get(&reader->json, object, "stream"),
                                      "found stream '%s', expected one of \"streams\"", name);
        if (stream == NAMES_NONE)
            TRY(graph_add_stream(graph, name, "", &stream, error));
        graph_operator_stream(graph, stream);
    }
    TRY(json_fields_optional_array(&reader->json, object, "after", &array));
    TRY(reserve_list(reader, json_tree_count(array)));
    uint32_t open = graph->building->open_operator;
    JSON_EACH(value, array) {
        TRY(json_fields_value_text(&reader->json, value, "an operator to wait for", &name));
        uint32_t label = names_find(&graph->labels, name);
        uint32_t earlier = label < reader->labels ? reader->operator_of[label] : GRAPH_NONE;
        if (earlier == GRAPH_NONE || earlier == open)
            return json_document_fail(
                &reader->json, value,
                "found '%s' that '%s' waits for, expected an operator written before it in the "
                "same region",
                name, graph_label(graph, graph->op[open].name));
        reader->list[count++] = earlier;
    }
    return graph_operator_after(graph, reader->list, count, error);
}

static enum status read_inplace(struct reader *reader, const struct json_value *object)
{
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, object, "inplace", &array));
    TRY(reserve_list(reader, 2 * json_tree_count(array)));
    uint32_t *position = reader->list;
    JSON_EACH(pair, array) {
        if (!json_tree_is(pair, JSON_ARRAY) || json_tree_count(pair) != 2)
            return json_document_fail(
                &reader->json, pair, "found %s as an in-place pair, expected [input, output]",
                json_tree_is(pair, JSON_ARRAY) ? "another length" : json_fields_kind(pair));
        JSON_EACH(value, pair) {
            int64_t number;
            TRY(json_fields_value_integer(&reader->json, value, "position of an in-place pair",
                                          json_between(0, UINT32_MAX - 1), &number));
            *position++ = (uint32_t)number;
        }
    }
    return graph_operator_inplace(reader->graph, reader->list, (uint32_t)json_tree_count(array),
                                  reader->json.error);
}

static enum status read_cost_and_loop(struct reader *reader, const struct json_value *object,
                                      uint32_t index)
{
    struct graph_operator *edited = &reader->graph->op[index];
    const struct json_value *array, *turns = json_fields_get(&reader->json, object, "trip_count");
    TRY(json_fields_optional_integer(&reader->json, object, "compute_ns", json_at_least(0),
                                     &edited->compute_ns));
    TRY(json_fields_optional_integer(&reader->json, object, "flops", json_at_least(0),
                                     &edited->flops));
    edited->loop = turns || json_fields_get(&reader->json, object, "carried");
    TRY(json_fields_optional_array(&reader->json, object, "carried", &array));
    JSON_EACH(value, array) {
        struct graph_carried carried;
        TRY(json_fields_check(&reader->json, value, "a carried value",
                              "init argument yield result"));
        TRY(read_tensor_name(reader, value, "init", &carried.init));
        TRY(read_tensor_name(reader, value, "argument", &carried.argument));
        TRY(read_tensor_name(reader, value, "yield", &carried.yield));
        TRY(read_tensor_name(reader, value, "result", &carried.result));
        TRY(graph_operator_carried(reader->graph, &carried, reader->json.error));
    }
    if (json_tree_is(turns, JSON_NULL))
        return STATUS_OK;
    return json_fields_optional_integer(&reader->json, object, "trip_count", json_at_least(0),
                                        &edited->trip_count);
}

static enum status read_operators(struct reader *reader, const struct json_value *holder,
                                  unsigned depth);

static enum status read_regions(struct reader *reader, const struct json_value *object,
                                uint32_t index, unsigned depth)
{
    const struct json_value *array;
    double sum = 0;
    bool all_given = true;
    TRY(json_fields_optional_array(&reader->json, object, "regions", &array));
    if (json_tree_count(array) && depth >= GRAPH_JSON_MOST_DEPTH)
        return json_document_fail(&reader->json, object,
                                  "found regions nested deeper than %d, expected at most %d",
                                  GRAPH_JSON_MOST_DEPTH, GRAPH_JSON_MOST_DEPTH);
    JSON_EACH(region, array) {
        double probability = -1;
        const char *name;
        uint32_t yields;
        TRY(json_fields_check(&reader->json, region, "a region", "name probability ops yields"));
        TRY(json_fields_name(&reader->json, region, &name));
        TRY(json_fields_optional_number(&reader->json, region, "probability", 1, &probability));
        probability += 0.0; /* -0 would not be written as it was read */
        TRY(graph_open_region(reader->graph, name, probability, reader->json.error));
        TRY(read_operators(reader, region, depth + 1));
        TRY(read_names(reader, region, "yields", &yields));
        TRY(graph_close_region(reader->graph, reader->list, yields, reader->json.error));
        all_given = all_given && probability >= 0;
        sum += probability >= 0 ? probability : 0;
    }
    bool wrong = sum > 1 + 1e-6 || (all_given && sum < 1 - 1e-6);
    if (!json_tree_count(array) || !wrong || reader->graph->op[index].loop)
        return STATUS_OK;
    return json_document_fail(&reader->json, array,
                              "found probabilities that add up to %g, expected 1", sum);
}

static enum status open_operator(struct reader *reader, const struct json_value *object,
                                 uint32_t *index)
{
    const char *name, *type;
    struct graph *graph = reader->graph;
    struct error *error = reader->json.error;
    TRY(json_fields_name(&reader->json, object, &name));
    TRY(json_fields_text(&reader->json, object, "type", &type));
    TRY(memory_reserve(&reader->place, &reader->place_capacity, (size_t)graph->operators + 1,
                       sizeof(const struct json_value *), error));
    TRY(graph_open_operator(graph, name, type, index, error));
    reader->place[*index] = object;
    TRY(memory_reserve(&reader->operator_of, &reader->operator_of_capacity, graph->labels.count,
                       sizeof *reader->operator_of, error));
    for (; reader->labels < graph->labels.count; reader->labels++)
        reader->operator_of[reader->labels] = GRAPH_NONE;
    reader->operator_of[graph->op[*index].name] = *index;
    return STATUS_OK;
}

static enum status read_operator(struct reader *reader, const struct json_value *object,
                                 unsigned depth)
{
    const struct json_reader *json = &reader->json;
    struct graph *graph = reader->graph;
    const struct json_value *weights;
    uint32_t index, count;
    TRY(json_fields_check(
        json, object, "an operator",
        "name type stream after inputs outputs ignored weights compute_ns flops inplace regions "
        "carried trip_count"));
    TRY(open_operator(reader, object, &index));
    TRY(read_waits(reader, object));
    TRY(read_names(reader, object, "inputs", &count));
    TRY(graph_operator_inputs(graph, reader->list, count, json->error));
    TRY(read_names(reader, object, "outputs", &count));
    TRY(graph_operator_outputs(graph, reader->list, count, json->error));
    if (json_fields_get(json, object, "ignored")) {
        TRY(read_names(reader, object, "ignored", &count));
        TRY(graph_operator_ignored(graph, reader->list, count, json->error));
    }
    TRY(json_fields_optional_array(json, object, "weights", &weights));
    JSON_EACH(value, weights) {
        const char *name;
        int64_t bytes;
        uint8_t dtype;
        TRY(json_fields_check(json, value, "a weight", "name bytes dtype"));
        TRY(json_fields_name(json, value, &name));
        TRY(json_fields_integer(json, value, "bytes", json_at_least(1), &bytes));
        TRY(read_dtype(reader, value, &dtype));
        TRY(graph_operator_weight(graph, name, dtype, (uint64_t)bytes, json->error));
    }
    TRY(read_inplace(reader, object));
    TRY(read_cost_and_loop(reader, object, index));
    TRY(read_regions(reader, object, index, depth));
    graph_close_operator(graph);
    return STATUS_OK;
}

static enum status read_operators(struct reader *reader, const struct json_value *holder,
                                  unsigned depth)
{
    const struct json_value *array;
    TRY(json_fields_array(&reader->json, holder, "ops", &array));
    JSON_EACH(value, array)
        TRY(json_document_place(&reader->json, value, read_operator(reader, value, depth)));
    return STATUS_OK;
}

static enum status read_inputs(struct reader *reader, const struct json_value *root)
{
    uint32_t count;
    SCOPED(memory_release) bool *seen = NULL;
    TRY(read_names(reader, root, "inputs", &count));
    TRY(memory_create(&seen, reader->graph->tensors, sizeof *seen, reader->json.error));
    const struct json_value *inputs = json_fields_get(&reader->json, root, "inputs");
    for (uint32_t i = 0; i < count; i++) {
        if (seen[reader->list[i]])
            return json_document_fail(&reader->json, json_tree_at(inputs, i),
                                      "found input '%s' again, expected each once",
                                      names_get(&reader->graph->tensor_names, reader->list[i]));
        seen[reader->list[i]] = true;
    }
    return graph_set_inputs(reader->graph, reader->list, count, reader->json.error);
}

static enum status finish_graph(struct reader *reader, const struct json_value *root)
{
    const struct graph *graph = reader->graph;
    const struct json_value *place = json_fields_get(&reader->json, root, "outputs");
    uint32_t count, fault = GRAPH_NONE;
    TRY(read_names(reader, root, "outputs", &count));
    enum status status =
        graph_finish(reader->graph, reader->list, count, &fault, reader->json.error);
    if (!status)
        return status;
    if (fault != GRAPH_NONE)
        return json_document_place(&reader->json, reader->place[fault], status);
    /* A fault that belongs to no operator is of a tensor that nothing writes, or of the outputs. */
    bool written = true;
    for (uint32_t t = 0; t < graph->tensors && written; t++) {
        written = graph->tensor[t].external || graph->tensor[t].producer != GRAPH_NONE;
        for (uint32_t i = 0; i < graph->inputs.count && !written; i++)
            written = graph->list[graph->inputs.first + i] == t;
        if (!written)
            place = json_tree_at(json_fields_get(&reader->json, root, "tensors"), t);
    }
    return json_document_place(&reader->json, place, status);
}

static void free_reader(struct reader *reader)
{
    memory_free_all(reader->place, reader->list, reader->operator_of);
    graph_free(reader->graph);
}

enum status graph_json_read_document(const struct json_document *document, struct graph **graph,
                                     struct error *error)
{
    SCOPED(free_reader) struct reader reader = {.json = {document, error}};
    const struct json_reader *json = &reader.json;
    const struct json_value *root = document->root, *tensors;
    const char *name;
    TRY(json_document_expect_format(json, GRAPH_JSON_FORMAT));
    TRY(json_fields_check(json, root, "a graph",
                          "format name note streams waits tensors inputs outputs ops"));
    TRY(json_fields_name(json, root, &name));
    TRY(graph_create(&reader.graph, name, error));
    TRY(json_fields_note(json, root, &reader.graph->note));
    TRY(read_streams(&reader, root));
    TRY(json_fields_array(json, root, "tensors", &tensors));
    JSON_EACH(value, tensors)
        TRY(read_tensor(&reader, value));
    TRY(read_inputs(&reader, root));
    TRY(read_operators(&reader, root, 0));
    if (!reader.graph->operators)
        return json_document_fail(json, json_fields_get(json, root, "ops"),
                                  "found no operators, expected at least one");
    TRY(finish_graph(&reader, root));
    HAND_OVER(reader.graph, graph);
}

enum status graph_json_read(const struct text *text, const char *file, struct graph **graph,
                            struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, file, &document, error));
    return graph_json_read_document(document, graph, error);
}
