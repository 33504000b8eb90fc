#include "cli/output/explain.h"

#include <string.h>

#include "cli/output/explanation.h"
#include "harness/job/fault.h"

static enum status explain_capacity(const struct job *job, const struct outcome *outcome,
                                    const struct explanation *explanation, struct error *error)
{
    struct explanation section;
    if (explanation)
        return explanation_refuse(explanation, job, outcome, error);
    enum status status = explanation_find_section(job, &section, error);
    if (!status)
        status = explanation_refuse(&section, job, outcome, error);
    explanation_clear(&section);
    return status;
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
    if (outcome->verdict.fault == VERIFY_SAMPLED && outcome->execution.intact)
        return error_set(error, STATUS_LIMIT, "the plan is %s", text);
    return error_set(error, STATUS_NO, "the plan is wrong: %s", text);
}

/* Whether the planner is one that the user brought along. */
static bool is_brought(const struct job *job)
{
    return strcmp(job->planner->family, "plugin") == 0;
}

enum status explain_outcome(const struct job *job, const struct outcome *outcome,
                            const struct explanation *explanation, struct error *error)
{
    if (outcome->status == PLAN_UNSUPPORTED && *outcome->stop_reason)
        return error_set(error, STATUS_LIMIT, "%s cannot plan this instance: %s",
                         job->planner->name, outcome->stop_reason);
    if (outcome->status == PLAN_UNSUPPORTED)
        return error_set(error, STATUS_LIMIT,
                         "%s cannot plan this instance: it was built without "
                         "it, or the instance is too large",
                         job->planner->name);
    if (outcome->status == PLAN_GAVE_UP && !outcome->measures.peak_bytes)
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
    if (!outcome_found(outcome) && !outcome->measures.peak_bytes && *outcome->stop_reason)
        return explain_fixed(job, outcome, error);
    if (!outcome_found(outcome))
        return explain_capacity(job, outcome, explanation, error);
    return outcome_is_good(outcome) ? STATUS_OK : report_fault(job, outcome, error);
}
