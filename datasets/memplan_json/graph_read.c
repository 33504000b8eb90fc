/* A graph in JSON from its outermost object: format, tensors, operators, inputs and outputs. */

#include "core/memory.h"
#include "datasets/memplan_json/graph_reader.h"
#include "planning/graph/build.h"

static enum status read_inputs(struct graph_json_reader *reader, const struct json_value *root)
{
    uint32_t count;
    bool *seen;
    enum status status = STATUS_OK;
    TRY(graph_json_read_names(reader, root, "inputs", &count));
    TRY(memory_create(&seen, reader->graph->tensors, sizeof *seen, reader->json.error));
    const struct json_value *inputs = json_fields_get(&reader->json, root, "inputs");
    const struct json_value *value = json_tree_first(inputs);
    for (uint32_t i = 0; i < count && !status; i++, value = json_tree_next(inputs, value)) {
        if (seen[reader->list[i]])
            status = json_document_fail(&reader->json, value,
                                        "found input '%s' again, expected each once",
                                        json_tree_text(&reader->json.document->tree, value));
        seen[reader->list[i]] = true;
    }
    memory_free(seen);
    TRY(status);
    return graph_set_inputs(reader->graph, reader->list, count, reader->json.error);
}

/* The place to report for a fault that belongs to no operator: a tensor that nothing writes, else
   the outputs. */
static const struct json_value *find_fault(const struct graph_json_reader *reader,
                                           const struct json_value *root)
{
    const struct graph *graph = reader->graph;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        bool written = graph->tensor[t].external || graph->tensor[t].producer != GRAPH_NONE;
        for (uint32_t i = 0; i < graph->inputs.count && !written; i++)
            written = graph->list[graph->inputs.first + i] == t;
        if (!written)
            return json_tree_at(json_fields_get(&reader->json, root, "tensors"), t);
    }
    return json_fields_get(&reader->json, root, "outputs");
}

static enum status finish_graph(struct graph_json_reader *reader, const struct json_value *root)
{
    uint32_t count, fault = GRAPH_NONE;
    TRY(graph_json_read_names(reader, root, "outputs", &count));
    enum status status =
        graph_finish(reader->graph, reader->list, count, &fault, reader->json.error);
    if (!status)
        return status;
    const struct json_value *place =
        fault == GRAPH_NONE ? find_fault(reader, root) : reader->place[fault];
    return json_document_place(&reader->json, place, status);
}

static enum status read_note(struct graph_json_reader *reader, const struct json_value *root)
{
    const char *note;
    TRY(json_fields_optional_text(&reader->json, root, "note", &note));
    if (!note)
        return STATUS_OK;
    reader->graph->note = memory_copy_text(note);
    return reader->graph->note ? STATUS_OK : error_no_memory(reader->json.error);
}

static enum status read_graph(struct graph_json_reader *reader)
{
    const struct json_value *root = reader->json.document->root, *tensors;
    const char *name;
    TRY(json_document_expect_format(&reader->json, GRAPH_JSON_FORMAT));
    TRY(json_fields_check(&reader->json, root, "a graph",
                          "format name note streams waits tensors inputs outputs ops"));
    TRY(graph_json_read_name(reader, root, &name));
    TRY(graph_create(&reader->graph, name, reader->json.error));
    TRY(read_note(reader, root));
    TRY(graph_json_read_streams(reader, root));
    TRY(json_fields_array(&reader->json, root, "tensors", &tensors));
    JSON_EACH(value, tensors)
        TRY(graph_json_read_tensor(reader, value));
    TRY(read_inputs(reader, root));
    TRY(graph_json_read_operators(reader, root, 0));
    if (!reader->graph->operators)
        return json_document_fail(&reader->json, json_fields_get(&reader->json, root, "ops"),
                                  "found no operators, expected at least one");
    return finish_graph(reader, root);
}

enum status graph_json_read_document(const struct json_document *document, struct graph **graph,
                                     struct error *error)
{
    struct graph_json_reader reader = {.json = {document, error}};
    enum status status = read_graph(&reader);
    memory_free(reader.place);
    memory_free(reader.list);
    memory_free(reader.operator_of);
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
