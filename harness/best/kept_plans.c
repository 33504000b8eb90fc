#include "harness/best/kept_plans.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "core/quick_hash.h"
#include "datasets/memplan_json/plan.h"
#include "harness/best/witness.h"
#include "harness/files/plan_write.h"
#include "results/store/options.h"

void kept_plans_append_folder(struct text *text, const char *database)
{
    text_append(text, "%s.plans", database);
}

void kept_plans_append_name(struct text *text, const char *digest, const char *policy,
                            const char *options)
{
    text_append(text, "%.16s-%s", digest, policy);
    if (*options)
        text_append(text, "-%016llx", (unsigned long long)quick_hash(options, strlen(options)));
    text_append(text, ".json.gz");
}

enum status kept_plans_open(const char *folder, const struct best_list *known,
                            struct kept_plans *kept, struct error *error)
{
    struct stat facts;
    *kept = (struct kept_plans){.folder = memory_copy_text(folder), .known = known};
    if (!kept->folder)
        return error_no_memory(error);
    TRY(file_create_folder(folder, error));
    if (stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode))
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, folder, 0, "found a file, expected a folder");
}

void kept_plans_close(struct kept_plans *kept)
{
    names_free(&kept->problem);
    memory_free_all(kept->peak_bytes, kept->folder);
    *kept = (struct kept_plans){0};
}

/* Finds the number of the problem whose plan is kept at the path, of which `name` is the end. Where
   none has been kept of it in this run, a plan has to be better than the best known one and than
   what an earlier run kept. */
static enum status find_problem(struct kept_plans *kept, const struct job *job, const char *options,
                                const char *path, const char *name, uint32_t *problem,
                                struct error *error)
{
    SCOPED(plan_document_release) struct plan_document *document = NULL;
    SCOPED(text_free) struct text text = {0};
    uint64_t limit = UINT64_MAX;
    *problem = names_find(&kept->problem, name);
    if (*problem != NAMES_NONE)
        return STATUS_OK;
    if (access(path, F_OK) == 0) {
        TRY(gzip_read_file(path, &text, error));
        TRY(plan_json_read(&text, path, &document, error));
        limit = document->measures.peak_bytes;
    }
    const struct best_known *known =
        best_list_find(kept->known, job->instance->digest, job_policy_name(job), options);
    if (known && known->peak_bytes && known->peak_bytes < limit)
        limit = known->peak_bytes;
    TRY(memory_reserve(&kept->peak_bytes, &kept->capacity, (size_t)kept->problem.count + 1,
                       sizeof *kept->peak_bytes, error));
    TRY(names_add(&kept->problem, name, error));
    *problem = kept->problem.count - 1;
    kept->peak_bytes[*problem] = limit;
    return STATUS_OK;
}

enum status kept_plans_offer(struct kept_plans *kept, const struct job *job,
                             const struct outcome *outcome, struct error *error)
{
    SCOPED(text_free) struct text options = {0};
    SCOPED(text_free) struct text path = {0};
    SCOPED(text_free) struct text text = {0};
    uint64_t peak_bytes = outcome->measures.peak_bytes;
    uint32_t problem;
    if (!outcome_is_good(outcome) || !peak_bytes ||
        extents_split_items(*outcome_places(outcome).extents))
        return STATUS_OK;
    /* A plan that only an unsafe policy allows must not be compared with others. */
    if (job->policy && job->policy->flags & POLICY_UNSAFE)
        return STATUS_OK;
    text_append(&options, "%s", "");
    options_add_of_problem(&options, job->options);
    TRY(text_check(&options, error));
    text_append(&path, "%s/", kept->folder);
    size_t name_at = path.length;
    kept_plans_append_name(&path, job->instance->digest, job_policy_name(job), options.bytes);
    TRY(text_check(&path, error));
    TRY(find_problem(kept, job, options.bytes, path.bytes, path.bytes + name_at, &problem, error));
    if (peak_bytes >= kept->peak_bytes[problem])
        return STATUS_OK;
    TRY(plan_file_write(job, outcome, "plan.json", &text, error));
    TRY(gzip_write_file(path.bytes, &text, error));
    kept->peak_bytes[problem] = peak_bytes;
    return STATUS_OK;
}

enum status kept_plans_offer_cost(const struct kept_plans *kept,
                                  const struct memory_instance *instance,
                                  const struct memory_plan *plan, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    SCOPED(text_free) struct text text = {0};
    SCOPED(witness_free) struct witness there = {0};
    const struct best_known *known =
        best_list_find(kept->known, instance->digest, BEST_MEMORIES, "");
    if (known && best_cost(known) <= plan->cost)
        return STATUS_OK;
    text_append(&path, "%s/", kept->folder);
    kept_plans_append_name(&path, instance->digest, BEST_MEMORIES, "");
    TRY(text_check(&path, error));
    if (access(path.bytes, F_OK) == 0) {
        TRY(witness_read_memories(&instance->file, path.bytes, &there, error));
        if (there.cost <= plan->cost)
            return STATUS_OK;
    }
    TRY(memory_file_write_plan(instance->file.problem, plan, &text, error));
    return gzip_write_file(path.bytes, &text, error);
}
