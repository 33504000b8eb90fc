/* The operators of a graph in JSON: inputs, outputs, weights, in-place pairs, and regions with the
   operators in them. */

#include "core/memory.h"
#include "datasets/memplan_json/graph_reader.h"
#include "planning/graph/build.h"

static enum status read_weight(struct graph_json_reader *reader, const struct json_value *object)
{
    const char *name;
    int64_t bytes;
    uint8_t dtype;
    TRY(json_fields_check(&reader->json, object, "a weight", "name bytes dtype"));
    TRY(graph_json_read_name(reader, object, &name));
    TRY(json_fields_integer(&reader->json, object, "bytes", json_at_least(1), &bytes));
    TRY(graph_json_read_dtype(reader, object, &dtype));
    return graph_operator_weight(reader->graph, name, dtype, (uint64_t)bytes, reader->json.error);
}

static enum status read_weights(struct graph_json_reader *reader, const struct json_value *object)
{
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, object, "weights", &array));
    JSON_EACH(value, array)
        TRY(read_weight(reader, value));
    return STATUS_OK;
}

static enum status read_pair(struct graph_json_reader *reader, const struct json_value *pair,
                             uint32_t position[2])
{
    if (!json_tree_is(pair, JSON_ARRAY) || json_tree_count(pair) != 2)
        return json_document_fail(
            &reader->json, pair, "found %s as an in-place pair, expected [input, output]",
            json_tree_is(pair, JSON_ARRAY) ? "another length" : json_fields_kind(pair));
    for (size_t k = 0; k < 2; k++) {
        int64_t number;
        TRY(json_fields_value_integer(&reader->json, json_tree_at(pair, k),
                                      "position of an in-place pair",
                                      json_between(0, UINT32_MAX - 1), &number));
        position[k] = (uint32_t)number;
    }
    return STATUS_OK;
}

static enum status read_inplace(struct graph_json_reader *reader, const struct json_value *object)
{
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, object, "inplace", &array));
    TRY(graph_json_reserve_list(reader, 2 * json_tree_count(array)));
    uint32_t *position = reader->list;
    for (const struct json_value *value = json_tree_first(array); value;
         value = json_tree_next(array, value), position += 2)
        TRY(read_pair(reader, value, position));
    return graph_operator_inplace(reader->graph, reader->list, (uint32_t)json_tree_count(array),
                                  reader->json.error);
}

static enum status read_carried(struct graph_json_reader *reader, const struct json_value *object)
{
    static const char *const keys[] = {"init", "argument", "yield", "result"};
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, object, "carried", &array));
    JSON_EACH(value, array) {
        uint32_t tensor[4];
        TRY(json_fields_check(&reader->json, value, "a carried value",
                              "init argument yield result"));
        for (int k = 0; k < 4; k++)
            TRY(graph_json_read_tensor_name(reader, value, keys[k], &tensor[k]));
        struct graph_carried carried = {tensor[0], tensor[1], tensor[2], tensor[3]};
        TRY(graph_operator_carried(reader->graph, &carried, reader->json.error));
    }
    return STATUS_OK;
}

static enum status read_loop(struct graph_json_reader *reader, const struct json_value *object,
                             uint32_t index)
{
    struct graph_operator *edited = &reader->graph->op[index];
    edited->loop = json_fields_get(&reader->json, object, "carried") ||
                   json_fields_get(&reader->json, object, "trip_count");
    TRY(read_carried(reader, object));
    if (json_tree_is(json_fields_get(&reader->json, object, "trip_count"), JSON_NULL))
        return STATUS_OK;
    return json_fields_optional_integer(&reader->json, object, "trip_count", json_at_least(0),
                                        &edited->trip_count);
}

static enum status read_cost(struct graph_json_reader *reader, const struct json_value *object,
                             uint32_t index)
{
    struct graph_operator *edited = &reader->graph->op[index];
    TRY(json_fields_optional_integer(&reader->json, object, "compute_ns", json_at_least(0),
                                     &edited->compute_ns));
    return json_fields_optional_integer(&reader->json, object, "flops", json_at_least(0),
                                        &edited->flops);
}

static enum status read_probability(struct graph_json_reader *reader,
                                    const struct json_value *object, double *probability)
{
    *probability = -1;
    TRY(json_fields_optional_number(&reader->json, object, "probability", 1, probability));
    *probability += 0.0; /* -0 would not be written as it was read */
    return STATUS_OK;
}

static enum status read_region(struct graph_json_reader *reader, const struct json_value *object,
                               unsigned depth, double *probability)
{
    const char *name;
    uint32_t yields;
    TRY(json_fields_check(&reader->json, object, "a region", "name probability ops yields"));
    TRY(graph_json_read_name(reader, object, &name));
    TRY(read_probability(reader, object, probability));
    TRY(graph_open_region(reader->graph, name, *probability, reader->json.error));
    TRY(graph_json_read_operators(reader, object, depth));
    TRY(graph_json_read_names(reader, object, "yields", &yields));
    return graph_close_region(reader->graph, reader->list, yields, reader->json.error);
}

static enum status read_regions(struct graph_json_reader *reader, const struct json_value *object,
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
    JSON_EACH(value, array) {
        double probability;
        TRY(read_region(reader, value, depth + 1, &probability));
        all_given = all_given && probability >= 0;
        sum += probability >= 0 ? probability : 0;
    }
    bool wrong = sum > 1 + 1e-6 || (all_given && sum < 1 - 1e-6);
    if (!json_tree_count(array) || !wrong || reader->graph->op[index].loop)
        return STATUS_OK;
    return json_document_fail(&reader->json, array,
                              "found probabilities that add up to %g, expected 1", sum);
}

static enum status open_operator(struct graph_json_reader *reader, const struct json_value *object,
                                 uint32_t *index)
{
    const char *name, *type;
    TRY(graph_json_read_name(reader, object, &name));
    TRY(json_fields_text(&reader->json, object, "type", &type));
    TRY(memory_reserve(&reader->place, &reader->place_capacity,
                       (size_t)reader->graph->operators + 1, sizeof(const struct json_value *),
                       reader->json.error));
    TRY(graph_open_operator(reader->graph, name, type, index, reader->json.error));
    reader->place[*index] = object;
    return graph_json_note_operator(reader, *index);
}

static enum status read_operator(struct graph_json_reader *reader, const struct json_value *object,
                                 unsigned depth)
{
    uint32_t index, count;
    TRY(json_fields_check(
        &reader->json, object, "an operator",
        "name type stream after inputs outputs ignored weights compute_ns flops inplace regions "
        "carried trip_count"));
    TRY(open_operator(reader, object, &index));
    TRY(graph_json_read_waits(reader, object));
    TRY(graph_json_read_names(reader, object, "inputs", &count));
    TRY(graph_operator_inputs(reader->graph, reader->list, count, reader->json.error));
    TRY(graph_json_read_names(reader, object, "outputs", &count));
    TRY(graph_operator_outputs(reader->graph, reader->list, count, reader->json.error));
    if (json_fields_get(&reader->json, object, "ignored")) {
        TRY(graph_json_read_names(reader, object, "ignored", &count));
        TRY(graph_operator_ignored(reader->graph, reader->list, count, reader->json.error));
    }
    TRY(read_weights(reader, object));
    TRY(read_inplace(reader, object));
    TRY(read_cost(reader, object, index));
    TRY(read_loop(reader, object, index));
    TRY(read_regions(reader, object, index, depth));
    graph_close_operator(reader->graph);
    return STATUS_OK;
}

enum status graph_json_read_operators(struct graph_json_reader *reader,
                                      const struct json_value *holder, unsigned depth)
{
    const struct json_value *array;
    TRY(json_fields_array(&reader->json, holder, "ops", &array));
    JSON_EACH(value, array)
        TRY(json_document_place(&reader->json, value, read_operator(reader, value, depth)));
    return STATUS_OK;
}
