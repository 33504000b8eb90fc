#include "harness/joint/alternatives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "harness/job/workers.h"
#include "harness/joint/joint.h"

/* A search for alternatives, of which `left` have not been planned yet. */
struct search {
    struct alternatives *found;
    uint64_t deadline_ns;
    uint32_t left;
};

/* The job with an equal share of the time that is left, and without a capacity. */
static struct job take_share(struct search *search, const struct job *job)
{
    struct job one = *job;
    uint64_t left = clock_left_ns(search->deadline_ns);
    one.time_limit_ns = left == UINT64_MAX ? left : left / search->left--;
    one.capacity_bytes = UINT64_MAX;
    return one;
}

/* An alternative that fails, or has no good plan, is left out. */
static enum status add(struct search *search, const char *option, const char *value,
                       const struct outcome *outcome, struct error *error)
{
    struct alternatives *found = search->found;
    if (!outcome_found(outcome) || !outcome_is_good(outcome))
        return STATUS_OK;
    TRY(memory_reserve(&found->row, &found->capacity, (size_t)found->count + 1, sizeof *found->row,
                       error));
    struct alternative *row = &found->row[found->count++];
    *row =
        (struct alternative){.peak_bytes = outcome->measures.peak_bytes, .status = outcome->status};
    snprintf(row->option, sizeof row->option, "--%s %s", option, value);
    return STATUS_OK;
}

static enum status plan_one(struct search *search, const struct job *job, const char *option,
                            const char *value, struct error *error)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    TRY(workers_run(job, &outcome, error));
    return add(search, option, value, &outcome, error);
}

COMPARE_BY(compare_rows, struct alternative, compare_numbers(a->peak_bytes, b->peak_bytes),
           strcmp(a->option, b->option))

static bool is_policy_tried(const struct job *job, const struct policy *policy)
{
    const struct graph *graph = job->instance->graph;
    return policy != job->policy && !(policy->flags & POLICY_UNSAFE) &&
           (graph_has_control_flow(graph) || graph_has_streams(graph)) &&
           policy_suits(policy, graph);
}

enum status alternatives_find(const struct job *job, struct alternatives *found,
                              struct error *error)
{
    struct search search = {.found = found, .deadline_ns = clock_deadline_ns(job->time_limit_ns)};
    SCOPED(joint_clear) struct joint joint = {0};
    struct error fault = ERROR_NONE;
    *found = (struct alternatives){0};
    search.left = inplace_count() + policy_count() + 1;
    for (uint32_t i = 0; i < inplace_count(); i++) {
        struct job one = take_share(&search, job);
        one.inplace.rules = inplace_at(i);
        if (one.inplace.rules != (job->inplace.rules ? job->inplace.rules : inplace_at(0)))
            TRY(plan_one(&search, &one, "inplace", inplace_at(i)->name, error));
    }
    for (uint32_t i = 0; i < policy_count(); i++) {
        struct job one = take_share(&search, job);
        one.policy = policy_at(i);
        if (is_policy_tried(job, one.policy))
            TRY(plan_one(&search, &one, "policy", one.policy->name, error));
    }
    const struct job one = take_share(&search, job);
    if (!joint_plan(&one, &joint, &fault))
        TRY(add(&search, "order", "best", &joint.outcome, error));
    else if (error_is_no_memory(&fault)) {
        *error = fault;
        return fault.status;
    }
    if (found->count)
        qsort(found->row, found->count, sizeof *found->row, compare_rows);
    return STATUS_OK;
}

void alternatives_clear(struct alternatives *found)
{
    memory_free(found->row);
    *found = (struct alternatives){0};
}
