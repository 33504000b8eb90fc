#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "datasets/suite.h"
#include "harness/catalogue/planners.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "planning/policies/policy.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"

/* The table of docs/known-bugs.md: peaks of large_first, and a plan that has the bug: `moved` at
   the place of `onto`, all else apart. A problem has one peak; a graph on several streams has the
   least one under the policy streams instead, and 0 for recursive. These come last. */
static struct bug {
    char name[48];
    uint64_t peak, recursive; /* peak: under flat */
    char moved[16], onto[16]; /* moved "-": no plan is wrong; onto "-": moved elsewhere */
} bugs[64];

static uint32_t bugs_count;

static void read_bugs(void)
{
    SCOPED(text_free) struct text text = {0};
    struct text_line line = {0};
    must(text_read_file(GOLDEN_BUGS, &text, &error));
    CU_ASSERT_FATAL(text_next_line(&text, &line)); /* the heading */
    while (text_next_line(&text, &line)) {
        CU_ASSERT_FATAL(bugs_count < sizeof bugs / sizeof *bugs);
        struct bug *bug = &bugs[bugs_count++];
        char row[128];
        snprintf(row, sizeof row, "%.*s", (int)line.length, line.start);
        CU_ASSERT_EQUAL_FATAL(sscanf(row, "%47[^,],%" SCNu64 ",%" SCNu64 ",%15[^,],%15s", bug->name,
                                     &bug->peak, &bug->recursive, bug->moved, bug->onto),
                              5);
    }
}

static bool is_named(const char *tensor)
{
    return strcmp(tensor, "-") != 0;
}

static struct outcome run(const struct instance *instance, const char *policy, const char *planner)
{
    const struct job job = jobs_name(instance, instance->graph ? policy : NULL, planner);
    return jobs_run(&job);
}

/* Of graphs of several streams it is the least peak, which this program once called another
   number. */
static void test_peaks(void)
{
    const struct suite *suite = suite_find("bugs");
    CU_ASSERT_EQUAL_FATAL(suite_instances(suite), bugs_count);
    for (uint32_t i = 0; i < bugs_count; i++) {
        const struct bug *bug = &bugs[i];
        SCOPED(instance_release) struct instance *instance = jobs_load(bug->name);
        CU_ASSERT_STRING_EQUAL(suite_instance(suite, i), bug->name);
        for (int recursive = 0; recursive < (bug->recursive ? 2 : 1); recursive++) {
            const char *policy = !bug->recursive ? "streams" : recursive ? "recursive" : "flat";
            uint64_t expected = recursive ? bug->recursive : bug->peak;
            SCOPED(outcome_clear)
            struct outcome outcome =
                run(instance, policy, bug->recursive ? "large_first" : "exact");
            if (outcome.measures.peak_bytes != expected)
                printf("\n    %s: %s %llu, expected %llu\n", bug->name, policy,
                       (unsigned long long)outcome.measures.peak_bytes,
                       (unsigned long long)expected);
            CU_ASSERT_EQUAL(outcome.measures.peak_bytes, expected);
            CU_ASSERT(bug->recursive || outcome.status == PLAN_OPTIMAL);
        }
    }
}

/* Of how many planners one plans each instance, a different one each time. */
enum { SHARE = TESTING_COUNT(1, 18) };

static void test_all_planners_are_safe(void)
{
    for (uint32_t i = 0; i < bugs_count && bugs[i].recursive; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(bugs[i].name);
        uint32_t policies = instance->graph ? policy_count() : 1;
        for (uint32_t p = i % SHARE; p < planners_count(); p += SHARE)
            for (uint32_t q = 0; q < policies; q++) {
                if (planners_at(p)->flags & PLANNER_UNSAFE || policy_at(q)->flags & POLICY_UNSAFE)
                    continue;
                SCOPED(outcome_clear)
                struct outcome outcome = run(instance, policy_at(q)->name, planners_at(p)->name);
                CU_ASSERT_TRUE(outcome.status == PLAN_UNSUPPORTED || outcome_is_good(&outcome));
            }
    }
}

/* A good plan in which one thing is moved, as the bug would have moved it, is refused. */
static void test_plans_with_the_bug(void)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    for (uint32_t i = 0; i < bugs_count; i++) {
        const struct bug *bug = &bugs[i];
        SCOPED(instance_release) struct instance *instance = jobs_load(bug->name);
        SCOPED(outcome_clear)
        struct outcome outcome =
            bug->recursive ? run(instance, "flat", "naive") : run(instance, "streams", "exact");
        const struct graph *graph = instance->graph;
        const struct names *names = graph ? &graph->tensor_names : &instance->problem->names;
        struct execution execution;
        struct verdict verdict;
        CU_ASSERT_TRUE(outcome_is_good(&outcome));
        if (!is_named(bug->moved))
            continue;
        uint64_t *offset = outcome_places(&outcome).offset;
        uint32_t moved = names_find(names, bug->moved);
        CU_ASSERT_FATAL(moved != NAMES_NONE);
        offset[moved] = is_named(bug->onto) ? offset[names_find(names, bug->onto)]
                                            : outcome.measures.peak_bytes;
        if (outcome.plan) {
            must(plan_set_peak(outcome.plan, instance->problem, &error));
            must(verify_plan(instance->problem, outcome.plan, &verdict, &error));
            CU_ASSERT_EQUAL(verdict.fault, is_named(bug->onto) ? VERIFY_OVERLAP : VERIFY_NOT_FIXED);
            continue;
        }
        must(verify_paths(graph, outcome.placement, &verdict, &error));
        must(execute_placement(graph, outcome.placement, &options, &execution, &error));
        if (verdict.fault != VERIFY_OVERLAP || execution.intact)
            printf("\n    %s: %s, %s\n", bug->name, verify_fault_name(verdict.fault),
                   execution.intact ? "intact" : "damaged");
        CU_ASSERT(verdict.fault == VERIFY_OVERLAP && !execution.intact);
    }
}

static void test_special_outcomes(void)
{
    SCOPED(instance_release) struct instance *constants = jobs_load("bugs/constants_planned");
    SCOPED(instance_release) struct instance *ties = jobs_load("bugs/unstable_ties");
    SCOPED(outcome_clear) struct outcome naive = run(constants, "flat", "naive");
    SCOPED(outcome_clear) struct outcome large = run(ties, NULL, "large_first");
    CU_ASSERT_EQUAL(naive.measures.naive_bytes, 12);
    for (uint32_t b = 0; b < 3; b++)
        CU_ASSERT_EQUAL(large.plan->offset[b], 4 * b);
}

/* Generated graphs are planned safely under every policy. The generator's proof that the load is
   out of reach is held against the exact planner. */
static void test_generated(void)
{
    char name[128];
    for (int seed = 1; seed <= 12; seed += TESTING_COUNT(1, 6)) {
        snprintf(name, sizeof name,
                 "generate:control_flow?operators=%d&depth=%d&width=3&escape=%d&loops=%d&seed=%d",
                 20 + 5 * seed, 1 + seed % 4, 8 * seed, 10 * (seed % 6), seed);
        SCOPED(instance_release) struct instance *instance = jobs_load(name);
        for (uint32_t q = 0; q < policy_count(); q++) {
            SCOPED(outcome_clear)
            struct outcome outcome = run(instance, policy_at(q)->name, "large_first");
            CU_ASSERT_TRUE(outcome_is_good(&outcome) || policy_at(q)->flags & POLICY_UNSAFE);
        }
    }
    for (int seed = 1; seed <= 5 && planners_find("glpk"); seed += TESTING_COUNT(1, 3)) {
        snprintf(name, sizeof name, "generate:gap?buffers=16&capacity=12&seed=%d", seed);
        SCOPED(instance_release) struct instance *instance = jobs_load(name);
        SCOPED(outcome_clear) struct outcome outcome = run(instance, NULL, "glpk");
        if (outcome.status == PLAN_UNSUPPORTED) {
            testing_skip("the generator's gaps, this build has no GLPK");
            return;
        }
        CU_ASSERT(outcome_is_good(&outcome) && outcome.status == PLAN_OPTIMAL);
        CU_ASSERT(outcome.measures.peak_bytes > outcome.measures.load_bytes);
    }
}

/* As promised for each target: level 2 doubles the load, or needs five thirds of it. */
static void test_traps(void)
{
    static const struct {
        const char *target;
        uint64_t peak;
    } traps[] = {{"sequential", 32 * 1024},
                 {"birth_best_fit", 32 * 1024},
                 {"large_first", UINT64_C(5) << 24},
                 {"size_best_fit", UINT64_C(5) << 24},
                 {"size_duration_first_fit", UINT64_C(5) << 24},
                 {"size_duration_best_fit", UINT64_C(5) << 24},
                 {"short_first", UINT64_C(5) << 24}};
    for (int i = 0; i < 7; i++) {
        char name[96];
        snprintf(name, sizeof name, "generate:adversarial?target=%s&level=2", traps[i].target);
        SCOPED(instance_release) struct instance *instance = jobs_load(name);
        SCOPED(outcome_clear) struct outcome outcome = run(instance, NULL, traps[i].target);
        CU_ASSERT(outcome.measures.peak_bytes <= traps[i].peak &&
                  outcome.measures.peak_bytes + 100 > traps[i].peak);
    }
}

static const struct test_case cases[] = {
    {"the table is read", read_bugs},
    {"peaks", test_peaks},
    {"every planner and policy is safe", test_all_planners_are_safe},
    {"plans with the bug are refused", test_plans_with_the_bug},
    {"constants and ties", test_special_outcomes},
    {"generated graphs and gaps", test_generated},
    {"generated traps", test_traps},
};

TESTING_MAIN("harness/bugs", cases)
