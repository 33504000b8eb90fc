#include "harness/files/quantised_file.h"

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/fields.h"
#include "datasets/json/text.h"
#include "harness/cache/archive.h"
#include "quantise/values.h"

#define FORMAT "memplan-quantised/1"

static const char kind_weights[] = "weights", kind_values[] = "values";

enum status quantised_file_write(const char *path, struct weight_source *source,
                                 const struct quantisation *quantisation, uint64_t *bytes,
                                 struct error *error)
{
    const struct graph *graph = source->graph;
    SCOPED(archive_free) struct archive archive = {0};
    SCOPED(text_free) struct text file = {0};
    snprintf(archive.name, sizeof archive.name, "%s", graph_name(graph));
    struct text *text = archive_add(&archive, kind_weights);
    text_append(text, "{\"format\": \"" FORMAT "\", \"bits\": %" PRIu32 ", \"weights\": [",
                quantisation->bits);
    for (uint32_t w = 0; w < quantisation->weights; w++) {
        const struct quantised_weight *weight = &quantisation->weight[w];
        text_append(text, "%s\n{\"operator\": ", w ? "," : "");
        json_text_string(text, graph_label(graph, graph->op[weight->op].name));
        text_append(text, ", \"weight\": ");
        json_text_string(text, graph_label(graph, graph->weight[w].name));
        if (weight->quantised) {
            text_append(text, ", \"elements\": %" PRIu64 ", \"position\": %d, \"scale\": ",
                        weight->elements, weight->format.position);
            json_text_double(text, weight->format.scale);
        }
        text_append(text, "}");
    }
    text_append(text, "]}\n");
    TRY(values_append(source, quantisation, archive_add(&archive, kind_values), error));
    TRY(archive_write(&archive, &file, error));
    *bytes = file.length;
    return text_write_file(path, &file, error);
}

/* The archive that is being read into a quantisation. */
struct reader {
    struct json_reader json;
    const struct graph *graph;
    struct quantisation *quantisation;
};

static enum status check_name(const struct reader *reader, const struct json_value *object,
                              const char *key, const char *expected)
{
    const char *found;
    TRY(json_fields_text(&reader->json, object, key, &found));
    if (strcmp(found, expected) == 0)
        return STATUS_OK;
    return json_document_fail(&reader->json, object, "found %s '%s', expected '%s' of the graph",
                              key, found, expected);
}

static enum status read_weight(const struct reader *reader, const struct json_value *object,
                               uint32_t op, uint32_t index)
{
    const struct graph *graph = reader->graph;
    const struct json_tree *tree = &reader->json.document->tree;
    struct quantised_weight *weight = &reader->quantisation->weight[index];
    int64_t elements, position;
    TRY(json_fields_check(&reader->json, object, "a weight",
                          "operator weight elements position scale"));
    TRY(check_name(reader, object, "operator", graph_label(graph, graph->op[op].name)));
    TRY(check_name(reader, object, "weight", graph_label(graph, graph->weight[index].name)));
    weight->op = op;
    if (!json_tree_find(tree, object, "elements"))
        return STATUS_OK;
    TRY(json_fields_integer(&reader->json, object, "elements", json_between(0, INT64_MAX),
                            &elements));
    TRY(json_fields_integer(&reader->json, object, "position", json_between(INT16_MIN, INT16_MAX),
                            &position));
    double scale = json_tree_number(json_tree_find(tree, object, "scale"));
    if (!(scale > 0.5 && scale <= 1))
        return json_document_fail(&reader->json, object, "found no scale in (0.5, 1]");
    weight->quantised = true;
    weight->elements = (uint64_t)elements;
    weight->format = (struct fixed_point){
        .position = (int)position, .scale = scale, .bits = reader->quantisation->bits};
    weight->bytes_after = reader->quantisation->bits == 8
                              ? weight->elements
                              : weight->elements / 2 + weight->elements % 2;
    return STATUS_OK;
}

static enum status read_quantisation(const struct reader *reader)
{
    const struct json_value *root = reader->json.document->root, *array;
    int64_t bits;
    TRY(json_document_expect_format(&reader->json, FORMAT));
    TRY(json_fields_check(&reader->json, root, "quantised weights", "format bits weights"));
    TRY(json_fields_integer(&reader->json, root, "bits", json_between(4, 8), &bits));
    TRY(json_fields_array(&reader->json, root, "weights", &array));
    if (bits != 4 && bits != 8)
        return json_document_fail(&reader->json, root, "found %d bits, expected 4 or 8", (int)bits);
    reader->quantisation->bits = (uint32_t)bits;
    const struct graph *graph = reader->graph;
    const struct json_value *value = json_tree_first(array);
    if (json_tree_count(array) != graph->weights)
        return json_document_fail(&reader->json, array,
                                  "found %zu weights, expected the %" PRIu32 " of the graph",
                                  json_tree_count(array), graph->weights);
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t w = 0; w < graph->op[o].weights.count; w++) {
            TRY(read_weight(reader, value, o, graph->op[o].weights.first + w));
            value = json_tree_next(array, value);
        }
    return STATUS_OK;
}

enum status quantised_file_read(const char *path, const struct graph *graph,
                                struct quantised_file *file, struct error *error)
{
    SCOPED(archive_free) struct archive archive = {0};
    SCOPED(text_free) struct text bytes = {0};
    TRY(text_read_file(path, &bytes, error));
    TRY(archive_read(&bytes, path, &archive, error));
    const struct text *weights = archive_find(&archive, kind_weights);
    const struct text *values = archive_find(&archive, kind_values);
    if (!weights || !values)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "an archive of something else, expected quantised weights");
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(memory_create(&file->quantisation, 1, sizeof *file->quantisation, error));
    (file->quantisation)->weights = graph->weights;
    TRY(memory_create(&(file->quantisation)->weight, graph->weights,
                      sizeof *(file->quantisation)->weight, error));
    TRY(json_document_read(weights, path, &document, error));
    const struct reader reader = {{document, error}, graph, file->quantisation};
    TRY(read_quantisation(&reader));
    text_append_bytes(&file->values, values->bytes ? values->bytes : "", values->length);
    return text_check(&file->values, error);
}

void quantised_file_clear(struct quantised_file *file)
{
    quantise_free(file->quantisation);
    text_free(&file->values);
    *file = (struct quantised_file){0};
}
