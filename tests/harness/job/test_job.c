#include <stdio.h>
#include <string.h>

#include "harness/catalogue/planners.h"
#include "harness/job/fault.h"
#include "harness/job/run.h"
#include "harness/jobs.h"
#include "harness/layout/outcome_layout.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"

static void check_graph(const struct instance *instance, uint64_t seed, const char *policy,
                        const char *planner, uint64_t alignment_bytes)
{
    struct job job = jobs_name(instance, policy, planner);
    job.alignment_bytes = alignment_bytes;
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    bool safe = outcome_is_good(&outcome) || job.policy->flags & POLICY_UNSAFE;
    bool right = safe && outcome.measures.lower_bound_bytes <= outcome.measures.peak_bytes &&
                 outcome.measures.load_bytes <= outcome.measures.lower_bound_bytes;
    for (uint32_t t = 0; t < outcome.placement->tensors; t++)
        if (outcome.placement->offset[t] != PROBLEM_FREE)
            right &= outcome.placement->offset[t] % alignment_bytes == 0;
    if (!right)
        printf("seed %llu, %s, %s\n", (unsigned long long)seed, policy, planner);
    CU_ASSERT_TRUE(right);
}

/* verify_paths and execute share nothing with liveness and policies, so agreement means that the
   lifetimes are right. */
static void test_random_graphs(void)
{
    static const char *const planners[] = {"naive", "sequential", "large_first", "short_first",
                                           "exclusive"};
    for (uint64_t seed = 0; seed < TESTING_COUNT(300, 4); seed++) {
        struct random_state random = random_seed(seed);
        const struct random_graph_shape shape = {
            .operators = 4 + (uint32_t)(seed % 12), .depth = 3, .loops = seed % 2};
        SCOPED(instance_release)
        struct instance *instance = jobs_own(random_graph_create(&random, &shape), NULL);
        for (uint32_t q = 0; q < policy_count(); q++)
            for (int p = 0; p < 5; p++)
                check_graph(instance, seed, policy_at(q)->name, planners[p], seed % 3 ? 1 : 8);
    }
}

/* Blocks that live longer, or hold more, need no less. */
static void test_loads_of_blocks(void)
{
    static const char *const policies[] = {"max", "recursive", "sum"};
    unsigned differ = 0;
    for (uint64_t seed = 0; seed < TESTING_COUNT(300, 60); seed++) {
        struct random_state random = random_seed(seed);
        const struct random_graph_shape shape = {
            .operators = 4 + (uint32_t)(seed % 20), .depth = 4, .loops = seed % 2};
        SCOPED(instance_release)
        struct instance *instance = jobs_own(random_graph_create(&random, &shape), NULL);
        uint64_t load[3];
        for (int i = 0; i < 3; i++) {
            const struct job job = jobs_name(instance, policies[i], "naive");
            SCOPED(outcome_clear) struct outcome outcome = {0};
            must(job_plan(&job, &outcome, &error));
            load[i] = outcome.placement->measures.load_bytes;
        }
        CU_ASSERT_TRUE(load[0] <= load[1] && load[1] <= load[2]);
        differ += load[0] < load[1] && load[1] < load[2];
    }
    CU_ASSERT_TRUE(differ > 5);
}

/* What is refused under an unsafe policy is no fault of the run, and no optimum. */
static void test_unsafe_policy(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("paper/figure1");
    struct job job = jobs_name(instance, "max", "large_first");
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    CU_ASSERT_EQUAL(outcome.status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(outcome.measures.peak_bytes, outcome.measures.lower_bound_bytes);
    CU_ASSERT_EQUAL(outcome.verdict.fault, VERIFY_OVERLAP);
    CU_ASSERT_FALSE(outcome.execution.intact);
    CU_ASSERT_FALSE(fault_found(&job, &outcome));
    job.policy = policy_find("recursive");
    CU_ASSERT_TRUE(fault_found(&job, &outcome));
}

/* The optimum is at most every heuristic's peak and at least every bound. Whether it is proved. */
static bool check_optimum(const struct instance *instance, const struct policy *policy,
                          const char *planner)
{
    struct job exact = jobs_name(instance, policy->name, planner);
    struct job large = jobs_name(instance, policy->name, "large_first");
    SCOPED(outcome_clear) struct outcome best = jobs_run(&exact);
    SCOPED(outcome_clear) struct outcome other = jobs_run(&large);
    bool proved = best.status == PLAN_OPTIMAL;
    if (policy->flags & POLICY_UNSAFE) {
        CU_ASSERT_TRUE(best.measures.peak_bytes <= other.measures.peak_bytes);
    } else if (best.status != PLAN_UNSUPPORTED) {
        CU_ASSERT_TRUE(outcome_is_good(&best));
        CU_ASSERT_TRUE(proved || policy->flags & POLICY_PATHS);
        CU_ASSERT_TRUE(best.measures.peak_bytes <= other.measures.peak_bytes);
        CU_ASSERT_TRUE(other.measures.load_bytes <= best.measures.peak_bytes);
    }
    return proved;
}

/* Under path and select a result may lie where its copy would: of many such results not all ways
   are tried, and then nothing is proved. glpk takes minutes for some of these. */
static void test_optima_of_graphs(void)
{
    const uint32_t graphs = TESTING_COUNT(60, 5), glpk_graphs = TESTING_COUNT(30, 4);
    uint32_t ways = 0, proved = 0;
    for (uint64_t seed = 0; seed < graphs; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_graph_shape shape = {.operators = 8, .depth = 2, .loops = seed % 2};
        SCOPED(instance_release)
        struct instance *instance = jobs_own(random_graph_create(&random, &shape), NULL);
        for (uint32_t q = 0; q < policy_count(); q++) {
            bool has_paths = policy_at(q)->flags & POLICY_PATHS;
            if (planners_find("glpk") && (!has_paths || seed < glpk_graphs))
                check_optimum(instance, policy_at(q), "glpk");
            if (!has_paths)
                continue;
            proved += check_optimum(instance, policy_at(q), "exact");
            ways++;
        }
    }
    CU_ASSERT_TRUE(proved * 10 >= ways * 9);
}

static struct instance *own_sketch(struct sketch sketch)
{
    struct instance *instance = jobs_own(sketch.graph, NULL);
    sketch.graph = NULL;
    sketch_free(&sketch);
    return instance;
}

static struct instance *make_branches(void)
{
    return own_sketch(sketch_read("c:1! x:4 a:6 b:2 e:3 r:3 y:1", "c x",
                                  "choose: c > r {then(conv: x > a; pool: a > b | b) else(skip: x "
                                  "> e | e)}; last: r > y",
                                  "y"));
}

/* flat: x, a and b live together at the pool; recursive: x beside a block of a and b. Nothing fits
   a capacity below the load. */
static void test_two_policies(void)
{
    SCOPED(instance_release) struct instance *instance = make_branches();
    const struct job flat = jobs_name(instance, "flat", "large_first");
    const struct job recursive = jobs_name(instance, "recursive", "large_first");
    struct job small = jobs_name(instance, "flat", "glpk");
    small.capacity_bytes = 9;
    SCOPED(outcome_clear) struct outcome before = jobs_run(&flat);
    SCOPED(outcome_clear) struct outcome after = jobs_run(&recursive);
    SCOPED(outcome_clear) struct outcome none = jobs_run(&small);
    CU_ASSERT_EQUAL(before.measures.naive_bytes, 16);
    CU_ASSERT_EQUAL(before.measures.load_bytes, 12);
    CU_ASSERT_EQUAL(before.measures.peak_bytes, 12);
    CU_ASSERT_EQUAL(after.placement->block_bytes[0], 8);
    CU_ASSERT_EQUAL(after.measures.peak_bytes, 12);
    CU_ASSERT_EQUAL(after.execution.paths_run, 2);
    CU_ASSERT_TRUE(none.status == PLAN_INFEASIBLE || none.status == PLAN_UNSUPPORTED);
}

static void test_fixed_buffers_that_overlap(void)
{
    struct problem *problem = made_problem_start();
    for (int i = 0; i < 2; i++) {
        made_problem_buffer(problem, i ? "b" : "a", 4, 1, 2);
        made_problem_segment(problem, (struct problem_segment){0, 2, 0, 4});
    }
    made_problem_finish(problem);
    SCOPED(instance_release) struct instance *instance = jobs_own(NULL, problem);
    for (uint32_t i = 0; i < planners_count(); i++) {
        struct job job = jobs_name(instance, NULL, planners_at(i)->name);
        SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
        CU_ASSERT_EQUAL(outcome.status, PLAN_INFEASIBLE);
        CU_ASSERT_TRUE(*outcome.stop_reason);
    }
}

/* Every planner on every kind of problem: valid, not below the bound, exact ones not above
   others. */
static void test_random_problems(void)
{
    for (uint64_t seed = 0; seed < TESTING_COUNT(150, 20); seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {.most_buffers = 8,
                                            .steps = 9,
                                            .most_size = 9,
                                            .holes = seed % 2,
                                            .windows = seed % 3 == 0,
                                            .alignment = seed % 5 == 0};
        SCOPED(instance_release)
        struct instance *instance = jobs_own(NULL, random_problem_create(&kind, &random));
        uint64_t least = UINT64_MAX, optimum = UINT64_MAX;
        for (uint32_t i = 0; i < planners_count(); i++) {
            if (planners_at(i)->flags & PLANNER_UNSAFE)
                continue;
            struct job job = jobs_name(instance, NULL, planners_at(i)->name);
            SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
            if (outcome.status != PLAN_UNSUPPORTED) {
                CU_ASSERT_TRUE(outcome_is_good(&outcome));
                CU_ASSERT_TRUE(outcome.measures.lower_bound_bytes <= outcome.measures.peak_bytes);
                if (outcome.measures.peak_bytes < least)
                    least = outcome.measures.peak_bytes;
                if (planners_at(i)->flags & PLANNER_EXACT)
                    optimum = outcome.measures.peak_bytes;
            }
        }
        CU_ASSERT_TRUE(optimum == UINT64_MAX || optimum == least);
    }
}

/* What a published rule does wrong is found by both checks, under every policy, and is no fault of
   ours; nor does it count as optimal where its peak is the bound. The same rule made right says
   what its pools come to; others have none. */
static void test_pools(void)
{
    static const char *const policies[] = {"flat", "recursive"};
    SCOPED(instance_release) struct instance *instance = jobs_load("zoo/alexnet");
    for (int i = 0; i < 2; i++) {
        const struct job published = jobs_name(instance, policies[i], "ge_pool_published");
        const struct job right = jobs_name(instance, policies[i], "ge_pool");
        const struct job other = jobs_name(instance, policies[i], "large_first");
        SCOPED(outcome_clear) struct outcome wrong = jobs_run(&published);
        SCOPED(outcome_clear) struct outcome pooled = jobs_run(&right);
        SCOPED(outcome_clear) struct outcome plain = jobs_run(&other);
        CU_ASSERT_EQUAL(wrong.status, PLAN_FEASIBLE);
        CU_ASSERT_EQUAL(wrong.verdict.fault, VERIFY_OVERLAP);
        CU_ASSERT(!wrong.execution.intact && !outcome_is_good(&wrong));
        CU_ASSERT_FALSE(fault_found(&published, &wrong));
        CU_ASSERT(outcome_is_good(&pooled) && pooled.measures.pools > 0);
        CU_ASSERT_EQUAL(pooled.measures.pool_bytes, pooled.measures.peak_bytes);
        CU_ASSERT_EQUAL(plain.measures.pools + plain.measures.pool_bytes, 0);
    }
}

/* In a block, what one branch left is not drawn over the steps of the other. A result has one
   address from the branches to the last reader, and nothing is drawn over anything else. */
static void test_layouts(void)
{
    SCOPED(instance_release) struct instance *instance = make_branches();
    const struct job recursive = jobs_name(instance, "recursive", "large_first");
    const struct job hoist = jobs_name(instance, "hoist", "large_first");
    SCOPED(outcome_clear) struct outcome blocked = jobs_run(&recursive);
    SCOPED(outcome_clear) struct outcome hoisted = jobs_run(&hoist);
    SCOPED(layout_free) struct layout layout = {0};
    SCOPED(layout_free) struct layout of_results = {0};
    uint32_t parts = 0, blocks = 0;
    must(outcome_layout_fill(&recursive, &blocked, &layout, &error));
    for (uint32_t i = 0; i < layout.count; i++) {
        parts += strcmp(layout.rectangle[i].label, "b") == 0;
        blocks += layout.rectangle[i].block;
    }
    CU_ASSERT(parts == 2 && blocks == 1);
    must(outcome_layout_fill(&hoist, &hoisted, &of_results, &error));
    static const char *const in_place[] = {"b", "e", "r"};
    static const uint32_t lower[] = {2, 3, 4}, upper[] = {3, 4, 6};
    for (int i = 0; i < 3; i++) {
        const struct layout_rectangle *found = NULL;
        for (uint32_t k = 0; k < of_results.count; k++)
            if (strcmp(of_results.rectangle[k].label, in_place[i]) == 0)
                found = &of_results.rectangle[k];
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        CU_ASSERT(found->lower == lower[i] && found->upper == upper[i]);
        CU_ASSERT_EQUAL(found->offset, hoisted.placement->offset[5]);
    }
}

enum { MOST_CALLS = 4 };
static uint64_t limit_ns[MOST_CALLS];
static uint32_t calls;

static enum status keep_limit(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *found)
{
    const struct planner *naive = planners_find("naive");
    (void)planner;
    CU_ASSERT_FATAL(calls < MOST_CALLS);
    limit_ns[calls++] = task->time_limit_ns;
    return naive->plan(naive, task, plan, found);
}

/* The first of two problems gets half of the time, the second what it left. */
static void test_time_is_shared(void)
{
    static const struct planner planner = {.name = "keep_limit", .plan = keep_limit};
    const uint64_t day_ns = UINT64_C(86400000000000);
    /* x is passed on by one branch, so that copying it is planned as well. */
    SCOPED(instance_release)
    struct instance *instance = own_sketch(sketch_read(
        "x:2 e:2 r:2 y:1", "x", "choose: > r {then(| x) else(make: > e | e)}; last: r > y", "y"));
    struct job job = jobs_name(instance, "select", "naive");
    job.planner = &planner;
    job.time_limit_ns = day_ns;
    calls = 0;
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    CU_ASSERT_EQUAL_FATAL(calls, 2);
    CU_ASSERT(outcome.samples > 0);
    CU_ASSERT(limit_ns[0] <= day_ns / 2);
    CU_ASSERT(limit_ns[1] > day_ns / 2 && limit_ns[1] <= day_ns);
}

/* No plan is made within a nanosecond, nor takes a year. */
static void test_samples(void)
{
    static const uint64_t least_ns[] = {0, 1, UINT64_C(1) << 55};
    SCOPED(instance_release) struct instance *instance = jobs_load("patent/figure4");
    struct job job = jobs_name(instance, "flat", "large_first");
    for (int i = 0; i < 3; i++) {
        uint32_t samples = i < 2 ? 1 : OUTCOME_MOST_SAMPLES;
        job.least_sampled_ns = least_ns[i];
        SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
        CU_ASSERT_EQUAL(outcome.samples, samples);
        for (uint32_t s = 1; s < outcome.samples; s++)
            CU_ASSERT_TRUE(outcome.wall_ns[s - 1] <= outcome.wall_ns[s]);
        CU_ASSERT_EQUAL(outcome_median_ns(&outcome), outcome.wall_ns[samples / 2]);
    }
}

/* Without any time both have the first quick rule's plan; exact gets it through its helper. */
static void test_exact_is_helped(void)
{
    SCOPED(instance_release)
    struct instance *instance = jobs_load("generate:layered?buffers=5000&live=2500&seed=1");
    struct job exact = jobs_name(instance, NULL, "exact");
    struct job portfolio = jobs_name(instance, NULL, "portfolio");
    exact.time_limit_ns = portfolio.time_limit_ns = 0;
    SCOPED(outcome_clear) struct outcome one = jobs_run(&exact);
    SCOPED(outcome_clear) struct outcome other = jobs_run(&portfolio);
    CU_ASSERT(outcome_is_good(&one) && one.status == PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(one.measures.peak_bytes, other.measures.peak_bytes);
    CU_ASSERT_EQUAL(one.measures.lower_bound_bytes, other.measures.lower_bound_bytes);
}

static const struct test_case cases[] = {
    {"random graphs under every policy", test_random_graphs},
    {"loads under policies with blocks", test_loads_of_blocks},
    {"an unsafe policy", test_unsafe_policy},
    {"optima of random graphs", test_optima_of_graphs},
    {"two policies by hand", test_two_policies},
    {"two problems share the time", test_time_is_shared},

    {"fixed buffers that overlap", test_fixed_buffers_that_overlap},
    {"every planner on random problems", test_random_problems},
    {"an unsafe planner is caught, and totals of pools", test_pools},
    {"samples of the time", test_samples},
    {"exact is helped with many buffers", test_exact_is_helped},
    {"layouts", test_layouts},
};

TESTING_MAIN("harness/job", cases)
