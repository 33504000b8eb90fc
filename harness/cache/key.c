#include "harness/cache/key.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/build.h"
#include "datasets/json/text.h"
#include "datasets/json/write.h"
#include "harness/cache/structure.h"
#include "planning/graph/dtype.h"

/* Writes everything besides the instance on which a result or its time can depend. */
static enum status write_environment(const struct cache_process *process, const struct job *job,
                                     struct text *text, struct error *error)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    char settings[JOB_SETTINGS_BYTES];
    job_write_settings(job, settings);
    json_build_open(&tree, NULL, JSON_OBJECT);
    json_build_text(&tree, "format", "memplan-environment/1");
    json_build_text(&tree, "version", MEMPLAN_VERSION);
    json_build_text(&tree, "program", process->program);
    json_build_text(&tree, "hardware", process->hardware);
    /* A planner that a user brought along may look at names, which are not part of the structure,
       so the digest of the instance is added for it. */
    const struct planner *planner = job->planner;
    json_build_text(&tree, "planner", planner->name);
    if (planner->version)
        json_build_text(&tree, "solver", planner->version(planner));
    if (planner->content)
        json_build_text(&tree, "instance", job->instance->digest);
    json_build_text(&tree, "policy", job_policy_name(job));
    if (job->inplace.rules)
        json_build_text(&tree, "inplace", job->inplace.rules->name);
    if (job->inplace.rules && job->inplace.disabled)
        json_build_text(&tree, "disable_inplace", job->inplace.disabled);
    if (job->capacity_bytes != UINT64_MAX)
        json_build_count(&tree, "capacity", job->capacity_bytes);
    json_build_count(&tree, "alignment", job->alignment_bytes);
    json_build_boolean(&tree, "pin_io", job->pin_io);
    json_build_count(&tree, "seed", job->seed);
    json_build_count(&tree, "repetition", job->repetition);
    json_build_count(&tree, "least_sampled_ns", job->least_sampled_ns);
    json_build_text(&tree, "settings", settings);
    json_build_close(&tree);
    TRY(json_build_check(&tree, error));
    json_write(&tree, text);
    return text_check(text, error);
}

static enum status refuse_length(const struct graph *graph, const char *path, const char *what,
                                 struct error *error)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < graph->weights; w++)
        sum += graph->weight[w].bytes;
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "%s, expected the %" PRIu64 " bytes of the graph's weights", what, sum);
}

/* Reads the next values from the file and finds their digest. */
static enum status digest_values(FILE *values, const struct graph *graph, const char *path,
                                 uint64_t bytes, char digest[DIGEST_TEXT_BYTES],
                                 struct error *error)
{
    SCOPED(memory_release) void *block = NULL;
    if (bytes > SIZE_MAX / 2)
        return refuse_length(graph, path, "shorter", error);
    TRY(memory_create(&block, (size_t)bytes, 1, error));
    if (fread(block, 1, (size_t)bytes, values) != bytes)
        return refuse_length(graph, path, "shorter", error);
    digest_bytes(block, (size_t)bytes, digest);
    return STATUS_OK;
}

static void close_values(FILE **values)
{
    if (*values)
        fclose(*values);
}

/* Appends the weights of a graph as JSON ("memplan-weights/1", docs/formats.md): operator, name,
   type and bytes of each and, where `path` is a raw file of all of them as the graph lists them,
   the digest of its values (Xu 2019, section 4.2.4). graph may be NULL, and has no weights then.
   STATUS_BAD_INPUT where the file cannot be read or is not as long as the weights are. O(weights +
   values). */
static enum status write_weights(const struct graph *graph, const char *path, struct text *text,
                                 struct error *error)
{
    SCOPED(close_values) FILE *values = NULL;
    if (path && graph && !(values = fopen(path, "rb")))
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    text_append(text, "{\"format\": \"memplan-weights/1\", \"weights\": [");
    for (uint32_t o = 0; graph && o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].weights.count; i++) {
            uint32_t index = graph->op[o].weights.first + i;
            const struct graph_weight *weight = &graph->weight[index];
            text_append(text, "%s\n{\"operator\": ", index ? "," : "");
            json_text_string(text, graph_label(graph, graph->op[o].name));
            text_append(text, ", \"weight\": ");
            json_text_string(text, graph_label(graph, weight->name));
            text_append(text, ", \"dtype\": \"%s\", \"bytes\": %" PRIu64,
                        graph_dtype_name(weight->dtype), weight->bytes);
            if (values) {
                char digest[DIGEST_TEXT_BYTES];
                TRY(digest_values(values, graph, path, weight->bytes, digest, error));
                text_append(text, ", \"digest\": \"%s\"", digest);
            }
            text_append(text, "}");
        }
    if (values && fgetc(values) != EOF)
        return refuse_length(graph, path, "longer", error);
    text_append(text, "]}\n");
    return text_check(text, error);
}

enum status cache_key_create(const struct cache_process *process, const struct job *job,
                             const char *values, struct cache_key *key, struct error *error)
{
    SCOPED(text_free) struct text structure = {0};
    memset(key, 0, sizeof *key);
    TRY(write_environment(process, job, &key->environment, error));
    TRY(structure_write(job->instance, &structure, error));
    TRY(write_weights(job->instance->graph, values, &key->weights, error));
    const struct text *const texts[CACHE_PARTS] = {[CACHE_ENVIRONMENT] = &key->environment,
                                                   [CACHE_STRUCTURE] = &structure,
                                                   [CACHE_WEIGHTS] = &key->weights};
    for (int i = 0; i < CACHE_PARTS; i++)
        digest_bytes(texts[i]->bytes, texts[i]->length, key->digests.of[i]);
    return STATUS_OK;
}

void cache_key_free(struct cache_key *key)
{
    text_free(&key->environment);
    text_free(&key->weights);
}
