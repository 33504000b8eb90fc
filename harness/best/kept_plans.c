#include "harness/best/kept_plans.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "core/quick_hash.h"
#include "datasets/memplan_json/plan.h"
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
    TRY(folder_create(folder, error));
    if (stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode))
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, folder, 0, "found a file, expected a folder");
}

void kept_plans_close(struct kept_plans *kept)
{
    names_free(&kept->problem);
    memory_free(kept->peak_bytes);
    memory_free(kept->folder);
    *kept = (struct kept_plans){0};
}

/* A plan that is offered, and the file in which it would be kept. */
struct offer {
    const struct job *job;
    const struct outcome *outcome;
    struct text options, path;
    size_t name; /* where in path the file's name begins */
};

static const char *get_name(const struct offer *offer)
{
    return offer->path.bytes + offer->name;
}

static enum status read_kept(const char *path, uint64_t *peak_bytes, struct error *error)
{
    SCOPED(plan_document_release) struct plan_document *document = NULL;
    SCOPED(text_free) struct text text = {0};
    *peak_bytes = UINT64_MAX;
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    TRY(gzip_read_file(path, &text, error));
    TRY(plan_json_read(&text, path, &document, error));
    *peak_bytes = document->measures.peak_bytes;
    return STATUS_OK;
}

/* Finds the peak below which a plan has to be to be kept, if none has been kept of the problem in
   this run. */
static enum status find_limit(const struct kept_plans *kept, const struct offer *offer,
                              uint64_t *peak_bytes, struct error *error)
{
    const struct job *job = offer->job;
    const struct best_known *known = best_list_find(kept->known, job->instance->digest,
                                                    job_policy_name(job), offer->options.bytes);
    TRY(read_kept(offer->path.bytes, peak_bytes, error));
    if (known && known->peak_bytes && known->peak_bytes < *peak_bytes)
        *peak_bytes = known->peak_bytes;
    return STATUS_OK;
}

static enum status find_problem(struct kept_plans *kept, const struct offer *offer,
                                uint32_t *problem, struct error *error)
{
    uint64_t limit;
    *problem = names_find(&kept->problem, get_name(offer));
    if (*problem != NAMES_NONE)
        return STATUS_OK;
    TRY(find_limit(kept, offer, &limit, error));
    TRY(memory_reserve(&kept->peak_bytes, &kept->capacity, (size_t)kept->problem.count + 1,
                       sizeof *kept->peak_bytes, error));
    TRY(names_add(&kept->problem, get_name(offer), error));
    *problem = kept->problem.count - 1;
    kept->peak_bytes[*problem] = limit;
    return STATUS_OK;
}

static enum status keep_if_better(struct kept_plans *kept, const struct offer *offer,
                                  struct error *error)
{
    uint64_t peak_bytes = offer->outcome->measures.peak_bytes;
    uint32_t problem;
    TRY(find_problem(kept, offer, &problem, error));
    if (peak_bytes >= kept->peak_bytes[problem])
        return STATUS_OK;
    SCOPED(text_free) struct text text = {0};
    TRY(plan_file_write(offer->job, offer->outcome, "plan.json", &text, error));
    TRY(gzip_write_file(offer->path.bytes, &text, error));
    kept->peak_bytes[problem] = peak_bytes;
    return STATUS_OK;
}

static bool is_whole(const struct outcome *outcome)
{
    const struct extents *extents =
        outcome->plan ? outcome->plan->extents : outcome->placement->extents;
    return extents_split_items(extents) == 0;
}

/* Whether the policy is unsafe. A plan that only an unsafe policy allows must not be compared with
   others. */
static bool is_unsafe(const struct job *job)
{
    return job->policy && job->policy->flags & POLICY_UNSAFE;
}

static enum status name_offer(const struct kept_plans *kept, struct offer *offer,
                              struct error *error)
{
    const struct job *job = offer->job;
    text_append(&offer->options, "%s", "");
    options_add_of_problem(&offer->options, job->options);
    TRY(text_check(&offer->options, error));
    text_append(&offer->path, "%s/", kept->folder);
    offer->name = offer->path.length;
    kept_plans_append_name(&offer->path, job->instance->digest, job_policy_name(job),
                           offer->options.bytes);
    return text_check(&offer->path, error);
}

enum status kept_plans_offer(struct kept_plans *kept, const struct job *job,
                             const struct outcome *outcome, struct error *error)
{
    struct offer offer = {.job = job, .outcome = outcome};
    if (!outcome_is_good(outcome) || !is_whole(outcome) || !outcome->measures.peak_bytes ||
        is_unsafe(job))
        return STATUS_OK;
    enum status status = name_offer(kept, &offer, error);
    if (!status)
        status = keep_if_better(kept, &offer, error);
    text_free(&offer.options);
    text_free(&offer.path);
    return status;
}
