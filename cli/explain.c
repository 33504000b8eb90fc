#include "cli/explain.h"

#include <string.h>

#include "core/text.h"
#include "harness/fault.h"
#include "harness/plan_buffers.h"

/* What is live at the step with the greatest load, for a capacity below it. */
static void describe_section(const struct problem *problem, uint32_t step, struct text *text)
{
    uint32_t named = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem->lower[s] <= step && step < problem->upper[s] && named++ < 8)
                text_append(
                    text, "%s%s (%llu)", named > 1 ? ", " : "", names_get(&problem->names, b),
                    (unsigned long long)(problem->window_upper[s] - problem->window_lower[s]));
    if (named > 8)
        text_append(text, " and %u more", named - 8);
}

static enum status explain_problem(const struct problem *problem, uint64_t capacity_bytes,
                                   struct error *error)
{
    struct text text = {0};
    uint64_t load_bytes;
    uint32_t step;
    TRY(problem_load(problem, &load_bytes, &step, error));
    if (load_bytes <= capacity_bytes)
        return STATUS_OK;
    describe_section(problem, step, &text);
    enum status status = text_check(&text, error);
    if (!status)
        status = error_set(error, STATUS_NO,
                           "does not fit: the section at step %u needs %llu bytes, %llu over the "
                           "capacity: %s",
                           step, (unsigned long long)load_bytes,
                           (unsigned long long)(load_bytes - capacity_bytes), text.bytes);
    text_free(&text);
    return status;
}

/* Whether the lifetimes that say what is live at a step are those that were planned: a policy other
   than flat changes them where there is control flow. */
static bool has_flat_lifetimes(const struct job *job)
{
    const struct graph *graph = job->instance->graph;
    return !graph || job->policy == &policy_flat || graph->regions == 1;
}

static enum status explain_capacity(const struct job *job, const struct outcome *outcome,
                                    struct error *error)
{
    bool over = outcome->load_bytes > job->capacity_bytes;
    if (over && !has_flat_lifetimes(job))
        return error_set(error, STATUS_NO,
                         "does not fit: under policy %s the load is %llu bytes, %llu over the "
                         "capacity",
                         job_policy_name(job), (unsigned long long)outcome->load_bytes,
                         (unsigned long long)(outcome->load_bytes - job->capacity_bytes));
    if (job->instance->problem || over) {
        struct plan_buffers buffers;
        TRY(plan_buffers_create(job->instance, outcome->placement, &buffers, error));
        enum status status = explain_problem(buffers.problem, job->capacity_bytes, error);
        plan_buffers_clear(&buffers);
        TRY(status);
    }
    if (!outcome->peak_bytes)
        return error_set(error, STATUS_NO, "does not fit: no plan has %llu bytes or less",
                         (unsigned long long)job->capacity_bytes);
    return error_set(
        error, STATUS_NO,
        "does not fit: this plan needs %llu bytes, %llu over the capacity; no section is "
        "over it, the load is %llu",
        (unsigned long long)outcome->peak_bytes,
        (unsigned long long)(outcome->peak_bytes - job->capacity_bytes),
        (unsigned long long)outcome->load_bytes);
}

static enum status explain_fixed(const struct job *job, const struct outcome *outcome,
                                 struct error *error)
{
    const struct names *names = &job->instance->problem->names;
    return error_set(error, STATUS_NO,
                     "no plan: '%s' and '%s' are fixed on the same bytes and live together at step "
                     "%u",
                     names_get(names, outcome->verdict.first),
                     names_get(names, outcome->verdict.second), outcome->verdict.step);
}

static enum status report_fault(const struct job *job, const struct outcome *outcome,
                                struct error *error)
{
    char text[sizeof error->text];
    TRY(fault_describe(job, outcome, text, sizeof text, error));
    return error_set(error, STATUS_NO, "the plan is wrong: %s", text);
}

/* Not one of ours. */
static bool is_brought(const struct job *job)
{
    return strcmp(job->planner->family, "plugin") == 0;
}

enum status explain_outcome(const struct job *job, const struct outcome *outcome,
                            struct error *error)
{
    if (outcome->status == PLAN_UNSUPPORTED)
        return error_set(error, STATUS_LIMIT,
                         "%s cannot plan this instance: it was built without "
                         "it, or the instance is too large",
                         job->planner->name);
    if (outcome->status == PLAN_GAVE_UP && !outcome->peak_bytes)
        return error_set(error, STATUS_LIMIT,
                         "%s found no plan within the capacity and proved nothing",
                         job->planner->name);
    if (outcome->status == PLAN_CRASH)
        return error_set(error, is_brought(job) ? STATUS_BAD_INPUT : STATUS_INTERNAL,
                         "%s crashed: %s", job->planner->name, outcome->stop_reason);
    if (outcome->status == PLAN_MEMOUT)
        return error_set(error, STATUS_LIMIT, "memory limit reached without a plan: %s",
                         outcome->stop_reason);
    if (outcome->status == PLAN_TIMEOUT)
        return error_set(error, STATUS_LIMIT, "time limit reached without a plan");
    if (!outcome_found(outcome) && !outcome->peak_bytes && *outcome->stop_reason)
        return explain_fixed(job, outcome, error);
    if (!outcome_found(outcome))
        return explain_capacity(job, outcome, error);
    return outcome_is_good(outcome) ? STATUS_OK : report_fault(job, outcome, error);
}
