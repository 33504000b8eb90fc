#include "harness/best/witness.h"

#include <string.h>

#include "core/file_name.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/plan_read.h"
#include "harness/job/fault.h"
#include "planning/policies/policy.h"
#include "results/store/options.h"

void witness_free(struct witness *witness)
{
    text_free(&witness->content);
    memory_free(witness->policy);
    text_free(&witness->options);
    memory_free(witness->planner);
    *witness = (struct witness){0};
}

/* Reads what the file says about itself: who made the plan of what. */
static enum status read_document(struct witness *witness, struct error *error)
{
    SCOPED(plan_document_release) struct plan_document *document = NULL;
    TRY(file_name_has_extension(witness->path, ".gz")
            ? gzip_read_file(witness->path, &witness->content, error)
            : text_read_file(witness->path, &witness->content, error));
    TRY(plan_json_read(&witness->content, witness->path, &document, error));
    witness->policy = memory_copy_text(document->policy);
    witness->planner = memory_copy_text(document->planner);
    text_append(&witness->options, "%s", "");
    options_add_of_problem(&witness->options, document->options);
    if (!witness->policy || !witness->planner)
        return error_no_memory(error);
    return text_check(&witness->options, error);
}

enum status witness_read(const struct instance *instance, const char *path, struct witness *witness,
                         struct error *error)
{
    *witness = (struct witness){.instance = instance, .path = path};
    TRY(read_document(witness, error));
    const struct inplace_choice as_in_file = {0};
    const struct planner source = {.name = witness->planner};
    const struct job job = job_make(witness->instance, &policy_flat, &source);
    SCOPED(outcome_clear) struct outcome outcome = {.status = PLAN_FEASIBLE};
    struct plan_file file;
    TRY(plan_file_read(witness->instance, witness->path, &as_in_file, &file, error));
    outcome.plan = file.plan;
    outcome.placement = file.placement;
    TRY(job_check(&job, &outcome, error));
    const struct extents *extents =
        outcome.plan ? outcome.plan->extents : outcome.placement->extents;
    char fault[512];
    if (!outcome_is_good(&outcome)) {
        TRY(fault_describe(&job, &outcome, fault, sizeof fault, error));
        return error_set_at(error, STATUS_NO, witness->path, 0, "%s", fault);
    }
    if (extents_split_items(extents))
        return error_set_at(error, STATUS_NO, witness->path, 0,
                            "found split buffers, expected each in one piece");
    /* Checks that the peak that the file claims is the peak of its plan. */
    uint64_t said = outcome.measures.peak_bytes;
    witness->peak_bytes = said;
    if (outcome.placement)
        TRY(placement_find_peak(witness->instance->graph, outcome.placement, &witness->peak_bytes,
                                error));
    if (witness->peak_bytes == said)
        return STATUS_OK;
    return error_set_at(error, STATUS_NO, witness->path, 0,
                        "found a peak of %llu, expected %llu, where the highest tensor ends",
                        (unsigned long long)said, (unsigned long long)witness->peak_bytes);
}
