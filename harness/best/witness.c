#include "harness/best/witness.h"

#include "core/file.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/plan_read.h"
#include "harness/job/fault.h"
#include "harness/job/run.h"
#include "planning/verify/memories/memories.h"
#include "results/store/options.h"

void witness_free(struct witness *witness)
{
    text_free(&witness->content);
    memory_free(witness->policy);
    text_free(&witness->options);
    memory_free(witness->planner);
    *witness = (struct witness){0};
}

static enum status read_content(struct witness *witness, struct error *error)
{
    return file_name_has_extension(witness->path, ".gz")
               ? gzip_read_file(witness->path, &witness->content, error)
               : text_read_file(witness->path, &witness->content, error);
}

enum status witness_read_memories(const struct memory_file *file, const char *path,
                                  struct witness *witness, struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    struct memory_verdict verdict;
    *witness = (struct witness){.path = path};
    TRY(read_content(witness, error));
    TRY(memory_file_read_plan(file, &witness->content, path, &plan, error));
    TRY(verify_memories(file->problem, plan, &verdict, error));
    witness->cost = verdict.cost;
    return verdict.valid ? STATUS_OK : error_set_at(error, STATUS_NO, path, 0, "%s", verdict.text);
}

enum status witness_read(const struct instance *instance, const char *path, struct witness *witness,
                         struct error *error)
{
    SCOPED(plan_document_release) struct plan_document *document = NULL;
    SCOPED(outcome_clear) struct outcome outcome = {.status = PLAN_FEASIBLE};
    const struct inplace_choice as_in_file = {0};
    SCOPED(plan_file_free) struct plan_file file = {0};
    *witness = (struct witness){.instance = instance, .path = path};
    TRY(read_content(witness, error));
    TRY(plan_json_read(&witness->content, path, &document, error));
    /* The file says who made the plan of what. */
    witness->policy = memory_copy_text(document->policy);
    witness->planner = memory_copy_text(document->planner);
    text_append(&witness->options, "%s", "");
    options_add_of_problem(&witness->options, document->options);
    if (!witness->policy || !witness->planner)
        return error_no_memory(error);
    TRY(text_check(&witness->options, error));
    const struct planner source = {.name = witness->planner};
    TRY(plan_file_read(instance, path, &as_in_file, NULL, &file, error));
    const struct job job = job_make(instance, file.policy, &source);
    outcome.plan = file.plan;
    outcome.placement = file.placement;
    file.plan = NULL;
    file.placement = NULL;
    TRY(job_check(&job, &outcome, error));
    if (!outcome_is_good(&outcome)) {
        char fault[512];
        TRY(fault_describe(&job, &outcome, fault, sizeof fault, error));
        return error_set_at(error, STATUS_NO, path, 0, "%s", fault);
    }
    if (extents_split_items(*outcome_places(&outcome).extents))
        return error_set_at(error, STATUS_NO, path, 0,
                            "found split buffers, expected each in one piece");
    /* The peak that the file claims has to be that of its plan. */
    uint64_t said = outcome.measures.peak_bytes;
    witness->peak_bytes = said;
    if (outcome.placement)
        TRY(placement_find_peak(instance->graph, outcome.placement, &witness->peak_bytes, error));
    if (witness->peak_bytes == said)
        return STATUS_OK;
    return error_set_at(error, STATUS_NO, path, 0,
                        "found a peak of %llu, expected %llu, where the highest tensor ends",
                        (unsigned long long)said, (unsigned long long)witness->peak_bytes);
}
