#include "harness/proofs/prove.h"

#include <assert.h>
#include <inttypes.h>

#include "core/clock.h"
#include "datasets/memplan_json/problem.h"
#include "harness/explanation/whole_problem.h"

const char *prove_obstacle(const struct job *job, const struct outcome *outcome)
{
    bool is_graph = job->instance->graph;
    if (outcome->status != PLAN_OPTIMAL && outcome->status != PLAN_INFEASIBLE)
        return "the planner proved nothing";
    if (outcome->status == PLAN_OPTIMAL && !outcome->measures.peak_bytes)
        return "no peak is below 0";
    if (is_graph && job->policy != &policy_flat)
        return "only the policy flat makes one problem that has to be refused";
    if (is_graph && (job->pin_io || job->inplace.rules || job->alignment_bytes ||
                     graph_has_devices(job->instance->graph)))
        return "the problem of pinned tensors, in-place rules, alignments and devices has no file";
    return NULL;
}

uint64_t prove_capacity(const struct job *job, const struct outcome *outcome)
{
    assert(outcome->status == PLAN_INFEASIBLE || outcome->measures.peak_bytes);
    return outcome->status == PLAN_OPTIMAL ? outcome->measures.peak_bytes - 1 : job->capacity_bytes;
}

enum status prove_outcome(const struct job *job, const struct outcome *outcome,
                          enum proof_form form, struct text *problem, struct proof *proof,
                          struct error *error)
{
    SCOPED(whole_problem_clear) struct whole_problem whole = {0};
    *proof = (struct proof){.why_not = prove_obstacle(job, outcome)};
    if (proof->why_not)
        return STATUS_OK;
    uint64_t capacity_bytes = prove_capacity(job, outcome);
    TRY(whole_problem_create(job, &whole, error));
    if (problem)
        TRY(problem_json_write(whole.problem, problem, error));
    const struct proof_request request = {capacity_bytes, clock_deadline_ns(job->time_limit_ns),
                                          form};
    TRY(proof_create(whole.problem, &request, proof, error));
    if (proof->fits)
        return error_set(error, STATUS_INTERNAL,
                         "%s was called %s, but some plan fits %" PRIu64 " bytes",
                         job->instance->name, plan_status_name(outcome->status), capacity_bytes);
    return STATUS_OK;
}
