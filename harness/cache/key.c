#include "harness/cache/key.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/digest.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/json/build.h"
#include "datasets/json/text.h"
#include "datasets/json/write.h"
#include "harness/cache/structure.h"
#include "harness/job/settings.h"
#include "planning/graph/dtype.h"
#include "planning/graph/graph.h"

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

static enum status add_weight(const struct writer *writer, uint32_t op, uint32_t index)
{
    const struct graph_weight *weight = &writer->graph->weight[index];
    size_t bytes = (size_t)weight->bytes;
    char digest[DIGEST_TEXT_BYTES];
    text_append(writer->text, "%s\n{\"operator\": ", index ? "," : "");
    json_text_string(writer->text, graph_label(writer->graph, writer->graph->op[op].name));
    text_append(writer->text, ", \"weight\": ");
    json_text_string(writer->text, graph_label(writer->graph, weight->name));
    text_append(writer->text, ", \"dtype\": \"%s\", \"bytes\": %" PRIu64,
                graph_dtype_name(weight->dtype), weight->bytes);
    if (writer->values) {
        SCOPED(memory_release) void *block = NULL;
        if (weight->bytes > SIZE_MAX / 2)
            return refuse_length(writer, "shorter");
        TRY(memory_create(&block, bytes, 1, writer->error));
        if (fread(block, 1, bytes, writer->values) != bytes)
            return refuse_length(writer, "shorter");
        TRY(digest_bytes(block, bytes, digest, writer->error));
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

static void add_inplace(const struct inplace_choice *choice, struct json_tree *tree)
{
    if (!choice->rules)
        return;
    json_build_text(tree, "inplace", choice->rules->name);
    if (choice->disabled)
        json_build_text(tree, "disable_inplace", choice->disabled);
}

/* Adds all settings, beside the instance, on which a result or its times can depend. */
static void add_settings(const struct job *job, struct json_tree *tree)
{
    char settings[SETTINGS_BYTES];
    settings_write(job, settings);
    json_build_text(tree, "policy", job_policy_name(job));
    add_inplace(&job->inplace, tree);
    if (job->capacity_bytes != UINT64_MAX)
        json_build_count(tree, "capacity", job->capacity_bytes);
    json_build_count(tree, "alignment", job->alignment_bytes);
    json_build_count(tree, "seed", job->seed);
    json_build_count(tree, "repetition", job->repetition);
    json_build_count(tree, "least_sampled_ns", job->least_sampled_ns);
    json_build_text(tree, "settings", settings);
}

static enum status write_environment(const struct cache_process *process, const struct job *job,
                                     struct text *text, struct error *error)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    json_build_open(&tree, NULL, JSON_OBJECT);
    json_build_text(&tree, "format", "memplan-environment/1");
    json_build_text(&tree, "version", MEMPLAN_VERSION);
    json_build_text(&tree, "program", process->program);
    json_build_text(&tree, "hardware", process->hardware);
    /* Adds what identifies the planner. One that a user brought along may look at names, which are
       not part of the structure, so the digest of the instance is added for it. */
    const struct planner *planner = job->planner;
    json_build_text(&tree, "planner", planner->name);
    if (planner->version)
        json_build_text(&tree, "solver", planner->version());
    if (planner->content)
        json_build_text(&tree, "instance", job->instance->digest);
    add_settings(job, &tree);
    json_build_close(&tree);
    TRY(json_build_check(&tree, error));
    json_write(&tree, text);
    return text_check(text, error);
}

static enum status digest_text(const struct text *text, char digest[DIGEST_TEXT_BYTES],
                               struct error *error)
{
    return digest_bytes(text->bytes, text->length, digest, error);
}

/* Appends the weights of a graph as JSON ("memplan-weights/1", docs/formats.md): operator, name,
   type and bytes of each and, where `values` is a raw file of all of them as the graph lists them,
   the digest of its values (Xu 2019, section 4.2.4). graph may be NULL, and has no weights then.
   STATUS_BAD_INPUT where the file cannot be read or is not as long as the weights are. O(weights +
   values). */
static enum status write_weights(const struct graph *graph, const char *values, struct text *text,
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

enum status cache_key_create(const struct cache_process *process, const struct job *job,
                             const char *values, struct cache_key *key, struct error *error)
{
    SCOPED(text_free) struct text structure = {0};
    memset(key, 0, sizeof *key);
    TRY(write_environment(process, job, &key->environment, error));
    TRY(digest_text(&key->environment, key->digests.of[CACHE_ENVIRONMENT], error));
    TRY(structure_write(job->instance, &structure, error));
    TRY(digest_text(&structure, key->digests.of[CACHE_STRUCTURE], error));
    TRY(write_weights(job->instance->graph, values, &key->weights, error));
    return digest_text(&key->weights, key->digests.of[CACHE_WEIGHTS], error);
}

void cache_key_free(struct cache_key *key)
{
    text_free(&key->environment);
    text_free(&key->weights);
}
