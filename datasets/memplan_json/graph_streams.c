/* The streams of a graph in JSON, on which its operators run, and the operators that others wait
   for. */

#include <string.h>

#include "core/memory.h"
#include "datasets/memplan_json/graph_reader.h"
#include "planning/graph/build.h"

static enum status read_stream(struct graph_json_reader *reader, const struct json_value *object)
{
    const char *name, *engine;
    uint32_t stream;
    TRY(json_fields_check(&reader->json, object, "a stream", "name engine"));
    TRY(graph_json_read_name(reader, object, &name));
    TRY(json_fields_optional_text(&reader->json, object, "engine", &engine));
    return json_document_place(
        &reader->json, object,
        graph_add_stream(reader->graph, name, engine ? engine : "", &stream, reader->json.error));
}

static enum status read_implied_waits(struct graph_json_reader *reader,
                                      const struct json_value *root)
{
    const char *waits;
    TRY(json_fields_optional_text(&reader->json, root, "waits", &waits));
    reader->graph->waits_implied = waits != NULL;
    if (!waits || !strcmp(waits, "auto"))
        return STATUS_OK;
    return json_document_fail(&reader->json, json_fields_get(&reader->json, root, "waits"),
                              "found waits '%s', expected 'auto' or no such key", waits);
}

enum status graph_json_read_streams(struct graph_json_reader *reader, const struct json_value *root)
{
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, root, "streams", &array));
    reader->streams_declared = json_tree_count(array) > 0;
    JSON_EACH(value, array)
        TRY(read_stream(reader, value));
    return read_implied_waits(reader, root);
}

enum status graph_json_note_operator(struct graph_json_reader *reader, uint32_t index)
{
    const struct graph *graph = reader->graph;
    TRY(memory_reserve(&reader->operator_of, &reader->operator_of_capacity, graph->labels.count,
                       sizeof *reader->operator_of, reader->json.error));
    for (; reader->labels < graph->labels.count; reader->labels++)
        reader->operator_of[reader->labels] = GRAPH_NONE;
    reader->operator_of[graph->op[index].name] = index;
    return STATUS_OK;
}

static enum status find_stream(struct graph_json_reader *reader, const struct json_value *value,
                               uint32_t *stream)
{
    struct graph *graph = reader->graph;
    const char *name = json_tree_text(&reader->json.document->tree, value);
    if (!graph->streams.count && strcmp(name, GRAPH_MAIN_STREAM))
        TRY(graph_add_stream(graph, GRAPH_MAIN_STREAM, "", stream, reader->json.error));
    *stream = names_find(&graph->streams, name);
    if (*stream != NAMES_NONE)
        return STATUS_OK;
    if (reader->streams_declared)
        return json_document_fail(&reader->json, value,
                                  "found stream '%s', expected one of \"streams\"", name);
    return graph_add_stream(graph, name, "", stream, reader->json.error);
}

static enum status read_stream_name(struct graph_json_reader *reader,
                                    const struct json_value *object)
{
    const char *name;
    uint32_t stream;
    TRY(json_fields_optional_text(&reader->json, object, "stream", &name));
    if (!name)
        return STATUS_OK;
    TRY(find_stream(reader, json_fields_get(&reader->json, object, "stream"), &stream));
    graph_operator_stream(reader->graph, stream);
    return STATUS_OK;
}

static enum status read_earlier(struct graph_json_reader *reader, const struct json_value *value,
                                uint32_t *earlier)
{
    const struct graph *graph = reader->graph;
    const char *name;
    TRY(json_fields_value_text(&reader->json, value, "an operator to wait for", &name));
    uint32_t label = names_find(&graph->labels, name);
    *earlier = label < reader->labels ? reader->operator_of[label] : GRAPH_NONE;
    if (*earlier != GRAPH_NONE && *earlier != graph->building->open_operator)
        return STATUS_OK;
    return json_document_fail(&reader->json, value,
                              "found '%s' that '%s' waits for, expected an operator written before "
                              "it in the same region",
                              name, graph_label(graph, graph->op[graph->building->open_operator].name));
}

static enum status read_after(struct graph_json_reader *reader, const struct json_value *object)
{
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, object, "after", &array));
    TRY(graph_json_reserve_list(reader, json_tree_count(array)));
    uint32_t count = 0;
    JSON_EACH(value, array)
        TRY(read_earlier(reader, value, &reader->list[count++]));
    return graph_operator_after(reader->graph, reader->list, count, reader->json.error);
}

enum status graph_json_read_waits(struct graph_json_reader *reader, const struct json_value *object)
{
    TRY(read_stream_name(reader, object));
    return read_after(reader, object);
}
