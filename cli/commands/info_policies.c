#include "cli/commands/info_policies.h"

#include <stdio.h>

#include "cli/arguments/select.h"
#include "harness/job/job.h"
#include "planning/plan/addresses.h"
#include "planning/policies/policy.h"

static const uint64_t second_ns = 1000000000;

static enum status make_facts(const struct job *job, const struct outcome *outcome, json_t **made,
                              struct error *error)
{
    bool are_static = false;
    json_t *facts = json_pack("{ss sI sI sI ss}", "policy", job->policy->name, "load",
                              (json_int_t)outcome->measures.load_bytes, "naive",
                              (json_int_t)outcome->measures.naive_bytes, "lower_bound",
                              (json_int_t)outcome->measures.lower_bound_bytes, "status",
                              plan_status_name(outcome->status));
    if (facts && outcome_found(outcome)) {
        enum status status =
            addresses_are_static(job->instance->graph, outcome->placement, &are_static, error);
        json_object_set_new(facts, "peak", json_integer((json_int_t)outcome->measures.peak_bytes));
        json_object_set_new(facts, "safe", json_boolean(outcome_is_good(outcome)));
        json_object_set_new(facts, "addresses", json_string(are_static ? "static" : "run-time"));
        if (status) {
            json_decref(facts);
            return status;
        }
    }
    *made = facts;
    return facts ? STATUS_OK : error_no_memory(error);
}

static enum status add_policy(struct job *job, json_t *policies, struct error *error)
{
    struct outcome outcome;
    json_t *facts = NULL;
    TRY(job_run(job, &outcome, error));
    enum status status = make_facts(job, &outcome, &facts, error);
    outcome_clear(&outcome);
    if (!status && json_array_append_new(policies, facts))
        status = error_no_memory(error);
    return status;
}

static enum status add_policies(struct job *job, json_t *policies, struct error *error)
{
    for (uint32_t i = 0; i < policy_count(); i++) {
        job->policy = policy_at(i);
        TRY(add_policy(job, policies, error));
    }
    return STATUS_OK;
}

enum status info_policies_collect(const struct arguments *arguments,
                                  const struct instance *instance, json_t *facts,
                                  struct error *error)
{
    struct planner *planner;
    if (!instance->graph)
        return error_set(error, STATUS_USAGE,
                         "--policies, but '%s' is a problem, which has no control flow",
                         instance->name);
    json_t *policies = json_array();
    if (!policies || json_object_set_new(facts, "policies", policies))
        return error_no_memory(error);
    TRY(select_planner(arguments->registry, "portfolio", &planner, error));
    struct job job = {.instance = instance,
                      .planner = planner,
                      .capacity_bytes = UINT64_MAX,
                      .time_limit_ns = second_ns,
                      .seed = 1,
                      .alignment_bytes = 1,
                      .options = ""};
    enum status status = add_policies(&job, policies, error);
    planner_free(planner);
    return status;
}

static long long get_bytes(const json_t *facts, const char *key)
{
    return (long long)json_integer_value(json_object_get(facts, key));
}

static void print_policy(const json_t *facts)
{
    const char *policy = json_string_value(json_object_get(facts, "policy"));
    const char *status = json_string_value(json_object_get(facts, "status"));
    const json_t *safe = json_object_get(facts, "safe");
    printf("%-10s %15lld %15lld ", policy, get_bytes(facts, "load"), get_bytes(facts, "naive"));
    if (safe)
        printf("%15lld  %-9s %-9s %s\n", get_bytes(facts, "peak"), status,
               json_string_value(json_object_get(facts, "addresses")),
               json_is_true(safe) ? "yes" : "no: refused by a check");
    else
        printf("%15s  %s\n", "-", status);
}

void info_policies_print(const json_t *policies)
{
    size_t index;
    const json_t *facts;
    printf("\n%-10s %15s %15s %15s  %-9s %-9s %s\n", "policy", "load", "naive", "best plan",
           "status", "addresses", "safe");
    json_array_foreach(policies, index, facts) print_policy(facts);
}
