#include "harness/cache/key.h"

#include <string.h>

#include "datasets/json/build.h"
#include "datasets/json/write.h"
#include "harness/cache/structure.h"
#include "harness/cache/weight_table.h"
#include "harness/job/settings.h"

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

enum status cache_key_create(const struct cache_process *process, const struct job *job,
                             const char *values, struct cache_key *key, struct error *error)
{
    memset(key, 0, sizeof *key);
    TRY(write_environment(process, job, &key->environment, error));
    TRY(digest_text(&key->environment, key->digests.of[CACHE_ENVIRONMENT], error));
    SCOPED(text_free) struct text text = {0};
    TRY(structure_write(job->instance, &text, error));
    TRY(digest_text(&text, key->digests.of[CACHE_STRUCTURE], error));
    TRY(weight_table_write(job->instance->graph, values, &key->weights, error));
    return digest_text(&key->weights, key->digests.of[CACHE_WEIGHTS], error);
}

void cache_key_free(struct cache_key *key)
{
    text_free(&key->environment);
    text_free(&key->weights);
}
