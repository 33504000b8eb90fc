/* A graph as JSON. */

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "datasets/json/text.h"
#include "datasets/memplan_json/graph.h"
#include "planning/graph/dtype.h"

enum { PIECE_BYTES = 1 << 16 };

struct writer {
    const struct graph *graph;
    const struct placement *placement; /* places to be written with the tensors, or NULL */
    struct text *text;
    bool without_streams;  /* for a graph of one stream: its name and waits are left out */
    struct digest *digest; /* of the text, which is forgotten then piece by piece; NULL: it stays */
    struct error *error;
    enum status status;
};

/* Behind each tensor and operator: lets go of a text that is long, if only its digest is wanted. */
static void forget_text(struct writer *writer, size_t least_bytes)
{
    struct text *text = writer->text;
    if (!writer->digest || text->length < least_bytes || writer->status)
        return;
    writer->status = json_text_check(text, 0, "graph", graph_name(writer->graph), writer->error);
    if (!writer->status)
        digest_add(writer->digest, text->bytes, text->length);
    text->length = 0;
}

static void write_indent(struct writer *writer, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        text_append(writer->text, "  ");
}

static void write_tensor_name(struct writer *writer, const char *before, uint32_t tensor)
{
    json_text_after(writer->text, before, names_get(&writer->graph->tensor_names, tensor));
}

static void write_tensor_names(struct writer *writer, const char *before, struct span span)
{
    text_append(writer->text, "%s[", before);
    for (uint32_t i = 0; i < span.count; i++)
        write_tensor_name(writer, i ? ", " : "", writer->graph->list[span.first + i]);
    text_append(writer->text, "]");
}

static void write_tensor(struct writer *writer, uint32_t index)
{
    const struct graph_tensor *tensor = &writer->graph->tensor[index];
    const struct placement *placement = writer->placement;
    struct text *text = writer->text;
    write_tensor_name(writer, "    {\"name\": ", index);
    if (tensor->has_shape) {
        text_append(text, ", \"shape\": [");
        for (uint32_t i = 0; i < tensor->rank; i++)
            text_append(text, "%s%" PRIu64, i ? ", " : "", tensor->dimension[i]);
        text_append(text, "], \"dtype\": \"%s\"", graph_dtype_name(tensor->dtype));
    } else {
        text_append(text, ", \"bytes\": %" PRIu64, tensor->bytes);
    }
    if (tensor->external)
        text_append(text, ", \"memory\": \"external\"");
    if (tensor->device)
        text_append(text, ", \"device\": %u", tensor->device);
    if (placement && placement->offset[index] != PROBLEM_FREE) {
        const struct extents *extents = placement->extents;
        uint32_t id = storage_ids_get(placement->storage_id, index), over;
        uint32_t pieces = extents_count(extents, index);
        text_append(text, ", \"planned\": {\"offset\": %" PRIu64, placement->offset[index]);
        for (uint32_t i = 0; i < pieces; i++) {
            const struct extent *extent = &extents->extent[extents->of[index].first + i];
            text_append(text, "%s[%" PRIu64 ", %" PRIu64 "]", i ? ", " : ", \"extents\": [",
                        extent->offset, extent->bytes);
        }
        text_append(text, pieces ? "]" : "");
        if (id != STORAGE_IDS_NONE)
            text_append(text, ", \"storage_id\": %u", id);
        over = placement->overwrites[index];
        if (over != GRAPH_NONE)
            write_tensor_name(writer,
                              placement->is_view[index] ? ", \"view_of\": " : ", \"over\": ", over);
        text_append(text, "}");
    }
    text_append(text, "}");
    forget_text(writer, PIECE_BYTES);
}

/* Writes the weights, costs, in-place pairs and carried values of an operator. */
static void write_facts(struct writer *writer, const struct graph_operator *op)
{
    const struct graph *graph = writer->graph;
    struct text *text = writer->text;
    for (uint32_t i = 0; i < op->weights.count; i++) {
        const struct graph_weight *weight = &graph->weight[op->weights.first + i];
        json_text_after(text, i ? ", {\"name\": " : ", \"weights\": [{\"name\": ",
                        graph_label(graph, weight->name));
        text_append(text, ", \"bytes\": %" PRIu64 ", \"dtype\": \"%s\"}", weight->bytes,
                    graph_dtype_name(weight->dtype));
    }
    text_append(text, op->weights.count ? "]" : "");
    if (op->compute_ns >= 0)
        text_append(text, ", \"compute_ns\": %" PRId64, op->compute_ns);
    if (op->flops >= 0)
        text_append(text, ", \"flops\": %" PRId64, op->flops);
    for (uint32_t i = 0; i < op->inplace.count; i += 2) {
        const uint32_t *pair = &graph->list[op->inplace.first + i];
        text_append(text, "%s[%u, %u]", i ? ", " : ", \"inplace\": [", pair[0], pair[1]);
    }
    text_append(text, op->inplace.count ? "]" : "");
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        write_tensor_name(writer,
                          i ? ", {\"init\": " : ", \"carried\": [{\"init\": ", carried->init);
        write_tensor_name(writer, ", \"argument\": ", carried->argument);
        write_tensor_name(writer, ", \"yield\": ", carried->yield);
        write_tensor_name(writer, ", \"result\": ", carried->result);
        text_append(text, "}");
    }
    text_append(text, op->carried.count ? "]" : "");
    if (op->loop && op->trip_count < 0)
        text_append(text, ", \"trip_count\": null");
    else if (op->loop)
        text_append(text, ", \"trip_count\": %" PRId64, op->trip_count);
}

static void write_operators(struct writer *writer, uint32_t region, unsigned depth);

static void write_operator(struct writer *writer, uint32_t index, unsigned depth)
{
    const struct graph *graph = writer->graph;
    const struct graph_operator *op = &graph->op[index];
    struct text *text = writer->text;
    write_indent(writer, depth);
    json_text_after(text, "{\"name\": ", graph_label(graph, op->name));
    json_text_after(text, ", \"type\": ", graph_label(graph, op->type));
    /* The stream, if it is not that of the operator around it, and what the operator waits for. */
    uint32_t owner = graph->region[op->region].owner;
    uint32_t around = owner == GRAPH_NONE ? 0 : graph->op[owner].stream;
    if (op->stream != around && !writer->without_streams)
        json_text_after(text, ", \"stream\": ", names_get(&graph->streams, op->stream));
    for (uint32_t i = 0; i < op->after.count; i++)
        json_text_after(text, i ? ", " : ", \"after\": [",
                        graph_label(graph, graph->op[graph->list[op->after.first + i]].name));
    text_append(text, op->after.count ? "]" : "");
    write_tensor_names(writer, ", \"inputs\": ", op->inputs);
    write_tensor_names(writer, ", \"outputs\": ", op->outputs);
    if (op->ignored.count)
        write_tensor_names(writer, ", \"ignored\": ", op->ignored);
    write_facts(writer, op);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        const struct graph_region *region = &graph->region[r];
        text_append(text, r == op->first_region ? ", \"regions\": [\n" : ",\n");
        write_indent(writer, depth + 1);
        json_text_after(text, "{\"name\": ", graph_label(graph, region->name));
        if (region->probability >= 0) {
            text_append(text, ", \"probability\": ");
            json_text_double(text, region->probability);
        }
        text_append(text, ", \"ops\": [");
        write_operators(writer, r, depth + 2);
        write_tensor_names(writer, "], \"yields\": ", region->yields);
        text_append(text, "}");
    }
    if (op->first_region != GRAPH_NONE) {
        text_append(text, "\n");
        write_indent(writer, depth);
        text_append(text, "]");
    }
    text_append(text, "}");
    forget_text(writer, PIECE_BYTES);
}

static void write_operators(struct writer *writer, uint32_t region, unsigned depth)
{
    const struct graph *graph = writer->graph;
    uint32_t begin = graph->region[region].begin, end = graph->region[region].end;
    for (uint32_t o = begin; o < end; o = graph->op[o].end) {
        text_append(writer->text, o == begin ? "\n" : ",\n");
        write_operator(writer, o, depth);
    }
    if (begin == end)
        return;
    text_append(writer->text, "\n");
    write_indent(writer, depth - 1);
}

/* Writes the streams; nothing for a graph that has only the stream of operators which name none. */
static void write_streams(struct writer *writer)
{
    const struct graph *graph = writer->graph;
    bool declared = graph->streams.count > 1 || *names_get(&graph->engines, 0) ||
                    strcmp(names_get(&graph->streams, 0), GRAPH_MAIN_STREAM);
    for (uint32_t s = 0; s < graph->streams.count && declared; s++) {
        json_text_after(writer->text, s ? ", {\"name\": " : "  \"streams\": [{\"name\": ",
                        names_get(&graph->streams, s));
        if (*names_get(&graph->engines, s)) {
            json_text_after(writer->text, ", \"engine\": ", names_get(&graph->engines, s));
        }
        text_append(writer->text, "}");
    }
    text_append(writer->text, declared ? "],\n" : "");
    if (graph->waits_implied)
        text_append(writer->text, "  \"waits\": \"auto\",\n");
}

static enum status write_graph(struct writer writer, bool with_title, struct error *error)
{
    const struct graph *graph = writer.graph;
    struct text *text = writer.text;
    size_t start = text->length;
    writer.error = error;
    text_append(text, "{\n  \"format\": \"%s\",\n", GRAPH_JSON_FORMAT);
    if (with_title) {
        json_text_after(text, "  \"name\": ", graph_name(graph));
        if (graph->note)
            json_text_after(text, ",\n  \"note\": ", graph->note);
        text_append(text, ",\n");
    }
    if (!writer.without_streams)
        write_streams(&writer);
    text_append(text, "  \"tensors\": [");
    for (uint32_t i = 0; i < graph->tensors; i++) {
        text_append(text, i ? ",\n" : "\n");
        write_tensor(&writer, i);
    }
    write_tensor_names(&writer, "\n  ],\n  \"inputs\": ", graph->inputs);
    write_tensor_names(&writer, ",\n  \"outputs\": ", graph->region[0].yields);
    text_append(text, ",\n  \"ops\": [");
    write_operators(&writer, 0, 2);
    text_append(text, "]\n}\n");
    if (writer.digest) {
        forget_text(&writer, 0);
        return writer.status;
    }
    return json_text_check(text, start, "graph", graph_name(graph), error);
}

enum status graph_json_write(const struct graph *graph, struct text *text, struct error *error)
{
    return write_graph((struct writer){.graph = graph, .text = text}, true, error);
}

enum status graph_json_write_planned(const struct graph *graph, const struct placement *placement,
                                     struct text *text, struct error *error)
{
    assert(placement->tensors == graph->tensors);
    return write_graph((struct writer){.graph = graph, .placement = placement, .text = text}, true,
                       error);
}

enum status graph_json_write_content(const struct graph *graph, struct text *text,
                                     struct error *error)
{
    const struct writer writer = {
        .graph = graph, .text = text, .without_streams = !graph_has_streams(graph)};
    return write_graph(writer, false, error);
}

enum status graph_json_digest(const struct graph *graph, char digest[DIGEST_TEXT_BYTES],
                              struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    struct writer writer = {
        .graph = graph, .text = &text, .without_streams = !graph_has_streams(graph)};
    TRY(digest_create(&writer.digest, error));
    enum status status = write_graph(writer, false, error);
    if (!status)
        digest_finish(writer.digest, digest);
    digest_free(writer.digest);
    return status;
}
