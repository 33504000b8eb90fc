#include "harness/cache/weight_table.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/digest.h"
#include "core/memory.h"
#include "datasets/json/text.h"
#include "planning/graph/dtype.h"

struct writer {
    const struct graph *graph;
    const char *path; /* of the file with the values; NULL for none */
    FILE *values;
    struct text *text;
    struct error *error;
};

static enum status refuse_length(const struct writer *writer, const char *what)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < writer->graph->weights; w++)
        sum += writer->graph->weight[w].bytes;
    return error_set_at(writer->error, STATUS_BAD_INPUT, writer->path, 0,
                        "%s, expected the %" PRIu64 " bytes of the graph's weights", what, sum);
}

/* Finds the digest of the next `bytes` bytes of the file. */
static enum status digest_values(const struct writer *writer, uint64_t bytes,
                                 char digest[DIGEST_TEXT_BYTES])
{
    void *block;
    if (bytes > SIZE_MAX / 2)
        return refuse_length(writer, "shorter");
    TRY(memory_create(&block, (size_t)bytes, 1, writer->error));
    enum status status = fread(block, 1, (size_t)bytes, writer->values) == bytes
                             ? digest_bytes(block, (size_t)bytes, digest, writer->error)
                             : refuse_length(writer, "shorter");
    memory_free(block);
    return status;
}

static enum status add_weight(const struct writer *writer, uint32_t op, uint32_t index)
{
    const struct graph_weight *weight = &writer->graph->weight[index];
    char digest[DIGEST_TEXT_BYTES];
    text_append(writer->text, "%s\n{\"operator\": ", index ? "," : "");
    json_text_string(writer->text, graph_label(writer->graph, writer->graph->op[op].name));
    text_append(writer->text, ", \"weight\": ");
    json_text_string(writer->text, graph_label(writer->graph, weight->name));
    text_append(writer->text, ", \"dtype\": \"%s\", \"bytes\": %" PRIu64,
                graph_dtype_name(weight->dtype), weight->bytes);
    if (writer->values) {
        TRY(digest_values(writer, weight->bytes, digest));
        text_append(writer->text, ", \"digest\": \"%s\"", digest);
    }
    text_append(writer->text, "}");
    return STATUS_OK;
}

static enum status add_weights(const struct writer *writer)
{
    const struct graph *graph = writer->graph;
    for (uint32_t o = 0; graph && o < graph->operators; o++)
        for (uint32_t w = 0; w < graph->op[o].weights.count; w++)
            TRY(add_weight(writer, o, graph->op[o].weights.first + w));
    if (writer->values && fgetc(writer->values) != EOF)
        return refuse_length(writer, "longer");
    return STATUS_OK;
}

static enum status open_values(struct writer *writer)
{
    if (!writer->path || !writer->graph)
        return STATUS_OK;
    writer->values = fopen(writer->path, "rb");
    if (!writer->values)
        return error_set_at(writer->error, STATUS_BAD_INPUT, writer->path, 0, "cannot open: %s",
                            strerror(errno));
    return STATUS_OK;
}

enum status weight_table_write(const struct graph *graph, const char *values, struct text *text,
                               struct error *error)
{
    struct writer writer = {.graph = graph, .path = values, .text = text, .error = error};
    TRY(open_values(&writer));
    text_append(text, "{\"format\": \"memplan-weights/1\", \"weights\": [");
    enum status status = add_weights(&writer);
    text_append(text, "]}\n");
    if (writer.values)
        fclose(writer.values);
    return status ? status : text_check(text, error);
}
