/* differential COUNT SECONDS SEED: random small problems and graphs through all planners, COUNT of
   them or as many as SECONDS allow (0: no limit). Every plan of a planner that is not marked unsafe
   passes both checks, all planners that prove an optimum prove the same one, nothing beats it, and
   no bound is above it. Prints each disagreement with the seed that makes it again (COUNT 1, SEED),
   then the counts; exit code 1 where something disagreed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "harness/catalogue/planners.h"
#include "harness/job/fault.h"
#include "harness/job/run.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const uint64_t planner_limit_ns = 2000000000;

struct counts {
    uint64_t problems, graphs, plans, optima, faults;
};

/* What is known of an instance under a policy. */
struct found {
    uint64_t optimum_bytes; /* proved; UINT64_MAX before that */
    uint64_t peak_bytes;    /* the least of a plan that splits nothing */
    uint64_t bound_bytes;   /* the greatest */
    const char *prover, *least, *bounder;
};

static void complain(struct counts *counts, uint64_t seed, const struct job *job, const char *text)
{
    counts->faults++;
    printf("seed %" PRIu64 ": %s under %s by %s: %s\n", seed, job->instance->name,
           job_policy_name(job), job->planner->name, text);
}

static bool is_safe(const struct job *job)
{
    return !(job->planner->flags & PLANNER_UNSAFE) &&
           !(job->policy && job->policy->flags & POLICY_UNSAFE);
}

static void take_outcome(const struct job *job, const struct outcome *outcome, struct found *found)
{
    const struct measures *measures = &outcome->measures;
    const char *name = job->planner->name;
    if (measures->peak_bytes < found->peak_bytes) {
        found->peak_bytes = measures->peak_bytes;
        found->least = name;
    }
    if (measures->lower_bound_bytes > found->bound_bytes) {
        found->bound_bytes = measures->lower_bound_bytes;
        found->bounder = name;
    }
    if (outcome->status == PLAN_OPTIMAL && found->optimum_bytes == UINT64_MAX) {
        found->optimum_bytes = measures->peak_bytes;
        found->prover = name;
    }
}

static void judge_outcome(const struct job *job, const struct outcome *outcome, struct found *found,
                          struct counts *counts, uint64_t seed)
{
    char text[512];
    struct error error;
    if (!outcome_found(outcome)) {
        if (outcome->status != PLAN_UNSUPPORTED && outcome->status != PLAN_TIMEOUT &&
            outcome->status != PLAN_INFEASIBLE)
            complain(counts, seed, job, plan_status_name(outcome->status));
        return;
    }
    counts->plans++;
    counts->optima += outcome->status == PLAN_OPTIMAL;
    if (fault_found(job, outcome)) {
        if (fault_describe(job, outcome, text, sizeof text, &error))
            snprintf(text, sizeof text, "%.500s", error.text);
        complain(counts, seed, job, text);
    }
    if (outcome->status == PLAN_OPTIMAL && found->optimum_bytes != UINT64_MAX &&
        outcome->measures.peak_bytes != found->optimum_bytes) {
        snprintf(text, sizeof text, "the optimum is %" PRIu64 ", but %" PRIu64 " for %s",
                 outcome->measures.peak_bytes, found->optimum_bytes, found->prover);
        complain(counts, seed, job, text);
    }
    if (outcome_is_good(outcome) && is_safe(job) && !(job->planner->flags & PLANNER_SPLITS))
        take_outcome(job, outcome, found);
}

/* Once all planners have been heard. */
static void judge_found(const struct job *job, const struct found *found, struct counts *counts,
                        uint64_t seed)
{
    char text[512];
    if (found->least && found->bound_bytes > found->peak_bytes) {
        snprintf(text, sizeof text, "its bound is %" PRIu64 ", but %s has %" PRIu64,
                 found->bound_bytes, found->least, found->peak_bytes);
        complain(counts, seed, job, text);
    }
    if (found->optimum_bytes != UINT64_MAX && found->peak_bytes < found->optimum_bytes) {
        snprintf(text, sizeof text, "%s says the optimum is %" PRIu64 ", but %s has %" PRIu64,
                 found->prover, found->optimum_bytes, found->least, found->peak_bytes);
        complain(counts, seed, job, text);
    }
}

static void run_planners(struct job *job, uint32_t first, uint32_t stride, uint64_t seed,
                         struct counts *counts)
{
    struct found found = {.optimum_bytes = UINT64_MAX, .peak_bytes = UINT64_MAX};
    static struct outcome outcome;
    for (uint32_t i = first; i < planners_count(); i += stride) {
        struct error error = ERROR_NONE;
        job->planner = planners_at(i);
        if (job_run(job, &outcome, &error)) {
            complain(counts, seed, job, error.text);
            continue;
        }
        judge_outcome(job, &outcome, &found, counts, seed);
        outcome_clear(&outcome);
    }
    judge_found(job, &found, counts, seed);
}

static struct job make_job(const struct instance *instance, uint64_t seed)
{
    return (struct job){.instance = instance,
                        .capacity_bytes = UINT64_MAX,
                        .time_limit_ns = planner_limit_ns,
                        .seed = seed,
                        .alignment_bytes = 1,
                        .options = ""};
}

static struct instance *own(const char *name, struct graph *graph, struct problem *problem)
{
    struct instance *instance;
    struct error error;
    if (instance_create(name, graph, problem, &instance, &error)) {
        fprintf(stderr, "differential: %s\n", error.text);
        exit(EXIT_FAILURE);
    }
    return instance;
}

/* All planners. */
static void try_problem(uint64_t seed, struct counts *counts)
{
    const struct random_problem kind = {.most_buffers = 2 + (uint32_t)(seed % 9),
                                        .steps = 12,
                                        .most_size = seed % 3 ? 9 : 1000,
                                        .holes = seed % 4 == 1,
                                        .many_holes = seed % 8 == 1,
                                        .windows = seed % 16 == 5,
                                        .alignment = seed % 5 == 2,
                                        .fixed = seed % 11 == 3,
                                        .conflicts = seed % 7 == 4};
    struct random_state random = random_seed(seed);
    struct instance *instance = own("problem", NULL, random_problem_create(&kind, &random));
    struct job job = make_job(instance, seed);
    run_planners(&job, 0, 1, seed, counts);
    counts->problems++;
    instance_free(instance);
}

/* All policies, under each a sixth of the planners. */
static void try_graph(uint64_t seed, struct counts *counts)
{
    const struct random_graph_shape shape = {.operators = 3 + (uint32_t)(seed % 8),
                                             .depth = 1 + (uint32_t)(seed % 2),
                                             .loops = seed % 3 == 0,
                                             .plain_bodies = seed % 2};
    enum { SHARE = 6 };
    struct random_state random = random_seed(seed);
    struct instance *instance = own("graph", random_graph_create(&random, &shape), NULL);
    struct job job = make_job(instance, seed);
    for (uint32_t p = 0; p < policy_count(); p++) {
        job.policy = policy_at(p);
        run_planners(&job, (uint32_t)((seed + p) % SHARE), SHARE, seed, counts);
    }
    counts->graphs++;
    instance_free(instance);
}

/* A fifth are graphs. */
static void try_seed(uint64_t seed, struct counts *counts)
{
    if (seed % 5 == 0)
        try_graph(seed, counts);
    else
        try_problem(seed, counts);
}

static struct {
    uint64_t most, seconds, first;
} told;

static void test_all(void)
{
    uint64_t deadline_ns = clock_deadline_ns(told.seconds ? told.seconds * 1000000000 : UINT64_MAX);
    struct counts counts = {0};
    for (uint64_t i = 0; i < told.most && clock_left_ns(deadline_ns); i++)
        try_seed(told.first + i, &counts);
    printf("\ndifferential problems %" PRIu64 "\ndifferential graphs %" PRIu64
           "\ndifferential plans %" PRIu64 "\ndifferential optima %" PRIu64
           "\ndifferential faults %" PRIu64 "\n",
           counts.problems, counts.graphs, counts.plans, counts.optima, counts.faults);
    CU_ASSERT_EQUAL(counts.faults, 0);
}

static const struct test_case cases[] = {{"all planners agree", test_all}};

int main(int count, char **words)
{
    if (count != 4) {
        fprintf(stderr, "Usage: differential COUNT SECONDS SEED\n");
        return 2;
    }
    told.most = strtoull(words[1], NULL, 10);
    told.seconds = strtoull(words[2], NULL, 10);
    told.first = strtoull(words[3], NULL, 10);
    return testing_run("soak/differential", cases, sizeof cases / sizeof *cases);
}
