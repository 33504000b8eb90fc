#include "cli/commands/info_policies.h"

#include <stdio.h>

#include "cli/arguments/select.h"
#include "harness/job/job.h"
#include "planning/plan/addresses.h"
#include "planning/policies/policy.h"

static const uint64_t second_ns = 1000000000;

static enum status add_outcome(const struct job *job, const struct outcome *outcome,
                               struct json_tree *facts, struct error *error)
{
    bool are_static = false;
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "policy", job->policy->name);
    json_build_count(facts, "load", outcome->measures.load_bytes);
    json_build_count(facts, "naive", outcome->measures.naive_bytes);
    json_build_count(facts, "lower_bound", outcome->measures.lower_bound_bytes);
    json_build_text(facts, "status", plan_status_name(outcome->status));
    if (outcome_found(outcome)) {
        TRY(addresses_are_static(job->instance->graph, outcome->placement, &are_static, error));
        json_build_count(facts, "peak", outcome->measures.peak_bytes);
        json_build_boolean(facts, "safe", outcome_is_good(outcome));
        json_build_text(facts, "addresses", are_static ? "static" : "run-time");
    }
    json_build_close(facts);
    return STATUS_OK;
}

static enum status add_policy(struct job *job, struct json_tree *facts, struct error *error)
{
    struct outcome outcome;
    TRY(job_run(job, &outcome, error));
    enum status status = add_outcome(job, &outcome, facts, error);
    outcome_clear(&outcome);
    return status;
}

static enum status add_policies(struct job *job, struct json_tree *facts, struct error *error)
{
    json_build_open(facts, "policies", JSON_ARRAY);
    for (uint32_t i = 0; i < policy_count(); i++) {
        job->policy = policy_at(i);
        TRY(add_policy(job, facts, error));
    }
    json_build_close(facts);
    return STATUS_OK;
}

enum status info_policies_add(const struct arguments *arguments, const struct instance *instance,
                              struct json_tree *facts, struct error *error)
{
    struct planner *planner;
    if (!instance->graph)
        return error_set(error, STATUS_USAGE,
                         "--policies, but '%s' is a problem, which has no control flow",
                         instance->name);
    TRY(select_planner(arguments->registry, "portfolio", &planner, error));
    struct job job = {.instance = instance,
                      .planner = planner,
                      .capacity_bytes = UINT64_MAX,
                      .time_limit_ns = second_ns,
                      .seed = 1,
                      .alignment_bytes = 1,
                      .options = ""};
    enum status status = add_policies(&job, facts, error);
    planner_free(planner);
    return status;
}

static void print_policy(const struct json_tree *facts, const struct json_value *policy)
{
    const struct json_value *safe = json_tree_find(facts, policy, "safe");
    const char *status = json_get_text(facts, policy, "status");
    printf("%-10s %15lld %15lld ", json_get_text(facts, policy, "policy"),
           json_get_integer(facts, policy, "load"), json_get_integer(facts, policy, "naive"));
    if (safe)
        printf("%15lld  %-9s %-9s %s\n", json_get_integer(facts, policy, "peak"), status,
               json_get_text(facts, policy, "addresses"),
               json_tree_is(safe, JSON_TRUE) ? "yes" : "no: refused by a check");
    else
        printf("%15s  %s\n", "-", status);
}

void info_policies_print(const struct json_tree *facts)
{
    const struct json_value *policies = json_tree_find(facts, json_tree_root(facts), "policies");
    printf("\n%-10s %15s %15s %15s  %-9s %-9s %s\n", "policy", "load", "naive", "best plan",
           "status", "addresses", "safe");
    for (const struct json_value *policy = json_tree_first(policies); policy;
         policy = json_tree_next(policies, policy))
        print_policy(facts, policy);
}
