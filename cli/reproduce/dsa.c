/* The reproduction dsa: what dsa-solver's rules, and our planners of several memories, cost on the
   suite penalties, as measures of the topic "dsa". */
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "datasets/memory_instance.h"
#include "datasets/suite.h"
#include "harness/memories/memory_planners.h"
#include "harness/memories/run.h"

static const char *const planners[] = {"first_fit", "canonical_greedy", "promote_repair",
                                       "cypress_relaxation", "ruin_recreate"};
enum { ROUNDS = 20000 };

/* Writes what the planner's plan costs, in whole units; writes nothing where it finds none. */
static enum status record_cost(struct recorder *recorder, const struct memory_problem *problem,
                               const char *name, struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct memory_run run = {UINT64_MAX, 1, ROUNDS};
    TRY(memory_plan_create(problem, &plan, error));
    TRY(memory_run_planner(problem, memory_planner_find(name), &run, plan, error));
    if (memory_plan_found(plan))
        recorder_add(recorder, name, "whole_cost", plan->cost / MEMORY_COST_PARTS);
    return recorder->status;
}

static enum status record_problem(struct recorder *recorder, const char *name, struct error *error)
{
    SCOPED(memory_instance_clear) struct memory_instance problem = {.name = NULL};
    TRY(memory_instance_load(name, &problem, error));
    struct instance named = {.name = problem.name};
    memcpy(named.digest, problem.digest, sizeof named.digest);
    recorder->instance = &named;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof planners / sizeof *planners && !status; i++)
        status = record_cost(recorder, problem.file.problem, planners[i], error);
    if (!status && problem.file.problem->problem->buffers < 10)
        status = record_cost(recorder, problem.file.problem, "hitting_set", error);
    recorder->instance = NULL;
    return status;
}

static void conclude(struct recorder *recorder)
{
    const struct suite *suite = suite_find("penalties");
    for (uint32_t i = 0; i < suite_instances(suite) && !recorder->status; i++)
        recorder->status = record_problem(recorder, suite_instance(suite, i), recorder->error);
}

const struct reproduction reproduction_dsa = {
    .name = "dsa",
    .title = "dsa-solver: what reuse costs",
    .paragraph =
        "A peer's planners for problems with reuse penalties, on its lifts of MiniMalloc. Its "
        "rules, written from its words, cost to the unit what it prints.",
    .suite = "penalties",
    .source = "dsa",
    .page = "dsa",
    .tables = NAMES("dsa"),
    .conclude = conclude,
};
