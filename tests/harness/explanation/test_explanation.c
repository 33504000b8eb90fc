#include <stdio.h>
#include <string.h>

#include "datasets/side_by_side/assign_streams.h"
#include "harness/catalogue/planners.h"
#include "harness/explanation/explanation.h"
#include "harness/job/run.h"
#include "harness/jobs.h"
#include "planning/policies/policy.h"
#include "planning/problem/copy.h"
#include "planning/random_graph.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"

enum { GRAPHS = TESTING_COUNT(400, 20), PROBLEMS = TESTING_COUNT(400, 70) };

/* The least capacity, or 0 where it is not proved. */
static uint64_t find_least(const struct job *job)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    must(job_run(job, &outcome, &error));
    return outcome.status == PLAN_OPTIMAL ? outcome.measures.peak_bytes : 0;
}

/* Whether a section has the load that is said of it, or the buffers of the subset alone need more
   than the capacity. */
static bool is_reason(const struct explanation *explanation, uint64_t capacity_bytes)
{
    const struct problem *whole = explanation->problem;
    SCOPED(problem_release) struct problem *problem = NULL;
    enum explanation_finding finding = explanation_finding(explanation, capacity_bytes);
    uint64_t sum = 0;
    if (finding == EXPLANATION_SECTION) {
        for (uint32_t b = 0; b < whole->buffers; b++)
            sum += explanation_live_bytes(whole, b, explanation->load_step);
        return sum == explanation->load_bytes;
    }
    if (finding != EXPLANATION_SUBSET)
        return false;
    must(problem_copy_part(whole, "subset", explanation->subset.buffer, explanation->subset.count,
                           &problem, &error));
    const struct planner_task task = planned_task(problem);
    SCOPED(plan_release) struct plan *plan = planned(planners_find("exact"), &task);
    return plan->status == PLAN_OPTIMAL && plan->measures.peak_bytes > capacity_bytes;
}

/* Just below the least capacity there is a reason, at it there is none. */
static bool explains(struct job job, enum explanation_finding *finding)
{
    SCOPED(explanation_clear) struct explanation below = {0};
    SCOPED(explanation_clear) struct explanation enough = {0};
    uint64_t least_bytes = find_least(&job);
    if (!least_bytes)
        return true;
    job.capacity_bytes = least_bytes - 1;
    must(explanation_find(&job, &below, &error));
    bool right = below.least_bytes == least_bytes && below.bound_bytes == least_bytes &&
                 is_reason(&below, job.capacity_bytes);
    *finding = explanation_finding(&below, job.capacity_bytes);
    job.capacity_bytes = least_bytes;
    must(explanation_find(&job, &enough, &error));
    return right && explanation_finding(&enough, least_bytes) == EXPLANATION_FITS;
}

/* Every third one on up to three streams. */
static struct instance *draw_graph(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    const struct random_graph_shape shape = {
        .operators = 10, .depth = 1 + (uint32_t)(seed % 3), .loops = seed % 2};
    struct graph *graph = random_graph_create(&random, &shape);
    if (seed % 3 == 2)
        must(graph_assign_streams(graph, 3, &error));
    return jobs_own(graph, NULL);
}

static void test_graphs(void)
{
    uint32_t found[EXPLANATION_NOTHING + 1] = {0}, side_by_side = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        SCOPED(instance_release) struct instance *instance = draw_graph(seed);
        side_by_side += graph_has_streams(instance->graph);
        for (uint32_t i = 0; i < policy_count(); i++) {
            enum explanation_finding finding = EXPLANATION_NOTHING;
            if (!explains(job_make(instance, policy_at(i), planners_find("exact")), &finding)) {
                printf("seed %llu, %s\n", (unsigned long long)seed, policy_at(i)->name);
                CU_FAIL("not explained");
            }
            found[finding]++;
        }
    }
    CU_ASSERT_TRUE(found[EXPLANATION_SECTION] > GRAPHS);
    CU_ASSERT_TRUE(side_by_side > GRAPHS / 6);
}

static void test_problems(void)
{
    uint32_t found[EXPLANATION_NOTHING + 1] = {0};
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {
            .most_buffers = 8, .steps = 6, .most_size = 9, .alignment = true, .holes = true};
        SCOPED(instance_release)
        struct instance *instance = jobs_own(NULL, random_problem_create(&kind, &random));
        enum explanation_finding finding = EXPLANATION_NOTHING;
        if (!explains(job_make(instance, NULL, planners_find("exact")), &finding)) {
            printf("seed %llu\n", (unsigned long long)seed);
            CU_FAIL("not explained");
        }
        found[finding]++;
    }
    CU_ASSERT_TRUE(found[EXPLANATION_SECTION] > 0 && found[EXPLANATION_SUBSET] > 0);
}

/* A branch that is too large by itself, and a block that is too large beside what surrounds it. */
static void test_regions(void)
{
    static const struct {
        const char *policy;
        uint64_t capacity_bytes;
        uint32_t region;
        const char *first;
    } rows[] = {
        {"recursive", 95231, 2, NULL},
        {"sum", 95231, 2, NULL},
        {"max", 95231, 2, NULL},
        {"hoist", 95231, 2, NULL},
        {"sum", 98351, 0, "block of gate"},
        {"hoist", 96767, 0, "block of gate"},
    };
    SCOPED(instance_release) struct instance *instance = jobs_load("luna/denoise");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(explanation_clear) struct explanation explanation = {0};
        struct job job = job_make(instance, policy_find(rows[i].policy), planners_find("exact"));
        job.capacity_bytes = rows[i].capacity_bytes;
        must(explanation_find(&job, &explanation, &error));
        CU_ASSERT_EQUAL(explanation.region, rows[i].region);
        CU_ASSERT_TRUE(explanation.blocks_are_least);
        CU_ASSERT_EQUAL(explanation.load_bytes, rows[i].capacity_bytes + 1);
        if (rows[i].first)
            CU_ASSERT_STRING_EQUAL(names_get(&explanation.problem->names, 0), rows[i].first);
    }
}

static enum status find_below_least(const void *input, struct error *found)
{
    const struct job *job = input;
    SCOPED(explanation_clear) struct explanation explanation = {0};
    return explanation_find(job, &explanation, found);
}

static void test_allocations(void)
{
    SCOPED(instance_release) struct instance *instance = draw_graph(7);
    for (uint32_t i = 0; i < policy_count(); i++) {
        struct job job = job_make(instance, policy_at(i), planners_find("exact"));
        job.capacity_bytes = find_least(&job) - 1;
        fail_each(find_below_least, &job);
    }
}

static const struct test_case cases[] = {
    {"graphs under every policy", test_graphs},
    {"problems", test_problems},
    {"the region that is too large", test_regions},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("harness/explanation", cases)
