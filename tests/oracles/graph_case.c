#define _GNU_SOURCE /* for mkstemps */

#include "oracles/graph_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/memplan_json/graph.h"
#include "harness/catalogue/planners.h"
#include "oracles/claims.h"

static enum status read_graph(const struct json_reader *reader, const struct json_value *value,
                              struct graph_case *read)
{
    struct json_document part = *reader->document;
    struct graph *graph;
    part.root = value;
    TRY(graph_json_read_document(&part, &graph, reader->error));
    return instance_create("case", graph, NULL, &read->instance, reader->error);
}

static enum status read_settings(const struct json_reader *reader, struct graph_case *read)
{
    const struct json_value *root = reader->document->root;
    const char *policy, *inplace;
    int64_t alignment = 1;
    TRY(json_fields_text(reader, root, "policy", &policy));
    TRY(json_fields_optional_text(reader, root, "inplace", &inplace));
    TRY(json_fields_optional_integer(reader, root, "alignment", json_between(0, 64), &alignment));
    read->job = (struct job){.instance = read->instance,
                             .policy = policy_find(policy),
                             .inplace.rules = inplace ? inplace_find(inplace) : NULL,
                             .planner = planners_find("exact"),
                             .capacity_bytes = UINT64_MAX,
                             .time_limit_ns = 20000000000,
                             .seed = 1,
                             .alignment_bytes = (uint64_t)alignment,
                             .pin_io = json_fields_get(reader, root, "pin_io") != NULL,
                             .options = ""};
    if (!read->job.policy || (inplace && !read->job.inplace.rules))
        return error_set(reader->error, STATUS_USAGE, "no such policy or in-place rules");
    return STATUS_OK;
}

static enum status read_case(const char *text, size_t length, struct graph_case *read,
                             struct error *error)
{
    struct text copy = {0};
    text_append_bytes(&copy, text, length);
    enum status status = text_check(&copy, error);
    if (!status)
        status = json_document_read(&copy, "case", &read->document, error);
    text_free(&copy);
    TRY(status);
    const struct json_reader reader = {.document = read->document, .error = error};
    const struct json_value *graph = json_fields_get(&reader, read->document->root, "graph");
    if (!graph)
        return error_set(error, STATUS_BAD_INPUT, "a case without a graph");
    TRY(read_graph(&reader, graph, read));
    return read_settings(&reader, read);
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    struct graph_case read = {0};
    enum status status = read_case(text, length, &read, error);
    if (!status)
        status = graph_case_answer(&read, out, error);
    instance_free(read.instance);
    json_document_free(read.document);
    return status;
}

void graph_case_write_offsets(const struct graph *graph, const struct placement *placement,
                              FILE *out)
{
    const char *separator = "";
    fputc('{', out);
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (placement->offset[t] != PROBLEM_FREE) {
            fprintf(out, "%s\"%s\": %" PRIu64, separator, names_get(&graph->tensor_names, t),
                    placement->offset[t]);
            separator = ", ";
        }
    fputc('}', out);
}

enum status graph_case_write_profile(const struct json_reader *reader,
                                     char path[GRAPH_CASE_PATH_BYTES])
{
    const char *text;
    TRY(json_fields_text(reader, reader->document->root, "hardware", &text));
    strcpy(path, "/tmp/memplan-oracle-XXXXXX.json");
    int file = mkstemps(path, (int)strlen(".json"));
    bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return written ? STATUS_OK : error_set(reader->error, STATUS_INTERNAL, "cannot write %s", path);
}
