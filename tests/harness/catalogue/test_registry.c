#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "harness/catalogue/groups.h"
#include "harness/catalogue/planners.h"
#include "harness/catalogue/registry.h"
#include "planning/policies/policy.h"
#include "results/views/policies.h"
#include "results/views/roles.h"
#include "results/views/streams.h"

#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"

/* Programs by the words of a shell, which every machine has. */
#define ZEROES                                                                                     \
    "sh -c 'while read row; do if [ -z \"$all\" ]; then echo \"$row,offset\"; all=1; else echo "   \
    "\"$row,0\"; fi; done <\"$0\" >\"$1\"' {in} {out}"

static void test_built_in(void)
{
    const struct registry registry = {0};
    CU_ASSERT_EQUAL(registry_count(&registry), planners_count());
    for (uint32_t i = 0; i < planners_count(); i++) {
        const struct planner *planner = planners_at(i);
        CU_ASSERT_PTR_EQUAL(registry_at(&registry, i), planner);
        CU_ASSERT_PTR_EQUAL(registry_find(&registry, planner->name, strlen(planner->name)),
                            planner);
    }
    CU_ASSERT_PTR_NULL(registry_find(&registry, "naive", 4));
    CU_ASSERT_PTR_NULL(registry_find(&registry, "", 0));
}

/* The results know planners and policies by name only. */
static void test_results(void)
{
    uint32_t exact = 0;
    unsigned named = 0, of_streams = 0;
    for (uint32_t i = 0; i < planners_count(); i++) {
        bool proves = planners_at(i)->flags & PLANNER_EXACT;
        CU_ASSERT_EQUAL(roles_is_prover(planners_at(i)->name), proves);
        exact +=
            proves && strncmp(planners_at(i)->name, ROLES_PROGRAMS, strlen(ROLES_PROGRAMS)) != 0;
    }
    CU_ASSERT_EQUAL(exact, ROLES_PROVERS);
    for (unsigned i = 0; i < ROLES_STRATEGIES; i++)
        CU_ASSERT_PTR_NOT_NULL(planners_find(roles_strategy(i)));
    for (uint32_t i = 0; i < policy_count(); i++) {
        of_streams += (policy_at(i)->flags & POLICY_STREAMS) != 0;
        if (policy_at(i)->flags & POLICY_STREAMS)
            continue;
        CU_ASSERT_FATAL(named < POLICIES_COUNT);
        CU_ASSERT_STRING_EQUAL(policies_name(named++), policy_at(i)->name);
    }
    CU_ASSERT(named == POLICIES_COUNT && of_streams == STREAMS_COUNT);
    for (unsigned p = 0; p < STREAMS_COUNT; p++) {
        const struct policy *policy = policy_find(streams_policy(p));
        CU_ASSERT(policy && policy->flags & POLICY_STREAMS);
    }
}

/* No search lists a million pairs of buffers, which takes 8 MB and some time, where there is no
   time at all. */
static void test_no_time(void)
{
    enum { BUFFERS = 2000, LIFE = 900, MOST_BYTES = 4000000 };
    SCOPED(problem_release) struct problem *problem = NULL;
    must(problem_create(&problem, "many pairs", &error));
    for (uint32_t b = 0; b < BUFFERS; b++) {
        const struct problem_buffer buffer = {
            .name = "", .size = 1 + b % 7, .alignment = 1, .fixed_offset = PROBLEM_FREE};
        const struct problem_segment segment = {
            .lower = b, .upper = b + LIFE, .window_upper = buffer.size};
        must(problem_add_buffer(problem, &buffer, &error));
        must(problem_add_segment(problem, segment, &error));
    }
    must(problem_finish(problem, &error));
    struct planner_task task = planned_task(problem);
    task.time_limit_ns = 0;
    for (uint32_t i = 0; i < planners_count(); i++) {
        const struct planner *planner = planners_at(i);
        if (!(planner->flags & PLANNER_SEARCHES))
            continue;
        memory_begin_peak();
        SCOPED(plan_release) struct plan *plan = planned(planner, &task);
        CU_ASSERT_TRUE(memory_peak_bytes() <= MOST_BYTES);
    }
}

/* What was brought along is in its family only. */
static void test_groups(void)
{
    static const struct {
        const char *word, *planner;
        bool has;
    } rows[] = {{"tflite", "tflite_greedy_by_size", true},
                {"tflite", "naive", false},
                {"published", "tflite_greedy_by_size", true},
                {"ours", "tflite_greedy_by_size", false},
                {"ours", "descent", true},
                {"published", "descent", false},
                {"our", "descent", false},
                {"ourselves", "descent", false}};
    const struct planner brought = {.name = "mine",
                                    .family = "external",
                                    .source = "ours, says its author",
                                    .content = "digest"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(
            groups_has(rows[i].word, strlen(rows[i].word), planners_find(rows[i].planner)),
            rows[i].has);
    CU_ASSERT_TRUE(groups_has("external", 8, &brought));
    CU_ASSERT_FALSE(groups_has("ours", 4, &brought));
    CU_ASSERT_FALSE(groups_has("published", 9, &brought));
}

/* A heuristic that asks nobody, by its name in the row. */
static void test_helpers(void)
{
    uint32_t helped = 0;
    for (uint32_t i = 0; i < planners_count(); i++) {
        if (!planners_at(i)->helper)
            continue;
        const struct planner *helper = planners_find(planners_at(i)->helper);
        CU_ASSERT_PTR_NOT_NULL_FATAL(helper);
        CU_ASSERT_PTR_NULL(helper->helper);
        CU_ASSERT_FALSE(helper->flags & (PLANNER_EXACT | PLANNER_SPLITS | PLANNER_UNSAFE));
        helped++;
    }
    CU_ASSERT_TRUE(helped > 0);
}

static void test_names(void)
{
    char name[66] = "";
    CU_ASSERT(planner_is_name("a_1", 3) && planner_is_name("mine=x", 4));
    CU_ASSERT(!planner_is_name("", 0) && !planner_is_name("a b", 3) && !planner_is_name("A", 1));
    memset(name, 'x', sizeof name - 1);
    CU_ASSERT(planner_is_name(name, 64) && !planner_is_name(name, 65));
}

static void test_externals(void)
{
    struct registry registry = {0};
    must(registry_add_external(&registry, "one=a {in} {out}", &error));
    must(registry_add_external(&registry, "two=b {in} {out}", &error));
    CU_ASSERT_EQUAL(registry_add_external(&registry, "one=c {in} {out}", &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(registry_add_external(&registry, "naive=c {in} {out}", &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(registry_add_external(&registry, "three", &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(registry_add_plugin(&registry, "missing.so", &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.file, "missing.so");
    CU_ASSERT_EQUAL(registry_count(&registry), planners_count() + 2);
    const struct planner *two = registry_find(&registry, "two", 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(two);
    CU_ASSERT_STRING_EQUAL(two->family, "external");
    CU_ASSERT_STRING_EQUAL(two->title, "b {in} {out}");
    CU_ASSERT_PTR_EQUAL(registry_at(&registry, planners_count() + 1), two);
    registry_clear(&registry);
    CU_ASSERT_EQUAL(registry_count(&registry), planners_count());
}

static enum status plan_zeroes(const void *problem, struct error *found)
{
    SCOPED(registry_clear) struct registry registry = {0};
    SCOPED(plan_release) struct plan *plan = NULL;
    const struct planner_task task = planned_task(problem);
    TRY(registry_add_external(&registry, "one=a {in} {out}", found));
    TRY(registry_add_external(&registry, "zeroes=" ZEROES, found));
    TRY(plan_create(problem, &plan, found));
    const struct planner *planner = registry_find(&registry, "zeroes", 6);
    TRY(planner_plan(planner, &task, plan, found));
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    for (uint32_t b = 0; b < task.problem->buffers; b++)
        CU_ASSERT_EQUAL(plan->offset[b], 0);
    return STATUS_OK;
}

/* A program's answer is taken as it is; and each allocation fails once, some while the program's
   file is read. */
static void test_program(void)
{
    struct random_state random = random_seed(1);
    const struct random_problem kind = {.most_buffers = 5, .steps = 5, .most_size = 5};
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    must(plan_zeroes(problem, &error));
    uint64_t live = memory_live_blocks(), n = 0;
    for (enum status status = STATUS_INTERNAL; status; n++) {
        memory_fail_after(n);
        status = plan_zeroes(problem, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT(!status || strstr(error.text, "out of memory"));
        CU_ASSERT_EQUAL_FATAL(memory_live_blocks(), live);
    }
    CU_ASSERT_TRUE(n > 20);
}

static const struct test_case cases[] = {
    {"built in", test_built_in},   {"what the results know", test_results},
    {"no time", test_no_time},     {"groups", test_groups},
    {"helpers", test_helpers},     {"names", test_names},
    {"externals", test_externals}, {"program", test_program},
};

TESTING_MAIN("harness/registry", cases)
