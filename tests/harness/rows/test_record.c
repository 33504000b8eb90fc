#include "harness/rows/record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/jobs.h"
#include "results/store/query.h"
#include "results/store/rectangles.h"
#include "support/must.h"

/* results/ knows no planner: the words that it tells apart are held against those that plans,
   verify and jobs use. */
static void words_are_those_of_the_planners(void)
{
    const struct job of_problem = {0};
    CU_ASSERT_STRING_EQUAL(plan_status_name(PLAN_OPTIMAL), RESULT_OPTIMAL);
    CU_ASSERT_STRING_EQUAL(plan_status_name(PLAN_FEASIBLE), RESULT_FEASIBLE);
    CU_ASSERT_STRING_EQUAL(plan_status_name(PLAN_INFEASIBLE), RESULT_INFEASIBLE);
    CU_ASSERT_STRING_EQUAL(verify_fault_name(VERIFY_VALID), RESULT_VALID);
    CU_ASSERT_STRING_EQUAL(proof_state_name(PROOF_NONE), RESULT_PROOF_NONE);
    CU_ASSERT_STRING_EQUAL(proof_state_name(PROOF_LOGGED), RESULT_PROOF_LOGGED);
    CU_ASSERT_STRING_EQUAL(proof_state_name(PROOF_CHECKED), RESULT_PROOF_CHECKED);
    CU_ASSERT_STRING_EQUAL(proof_state_name(PROOF_VERIFIED), RESULT_PROOF_VERIFIED);
    CU_ASSERT_STRING_EQUAL(proof_state_name(PROOF_REFUSED), RESULT_PROOF_REFUSED);
    CU_ASSERT_STRING_EQUAL(job_policy_name(&of_problem), RESULT_PROBLEM);
}

/* The bytes of the row that the job becomes. */
static uint64_t record_bytes(struct store *store, const struct job *job)
{
    struct record_context context;
    SCOPED(query_free) struct result_set set = {0};
    record_context_fill(&context, job->planner->name);
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(job);
    must(record_write(store, &context, job, &outcome, &error));
    const struct result_filter filter = {.planner = job->planner->name};
    must(query_newest(store, &filter, &set, &error));
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    return set.row[0].planner_bytes;
}

/* A plan alone takes 8 bytes for each buffer. Large blocks may be rounded up to whole pages the
   first time, and not later. Of a solver that allocates by itself nothing is known. */
static void memory_is_that_of_the_planner(void)
{
    char path[] = "/tmp/memplan-record-XXXXXX";
    struct store *store;
    struct instance *instance = jobs_load("generate:layered?buffers=10000&live=20");
    close(mkstemp(path));
    must(store_open(path, STORE_WRITE, &store, &error));
    const struct job job = jobs_name(instance, NULL, "large_first");
    uint64_t bytes = record_bytes(store, &job);
    CU_ASSERT_TRUE(bytes > 80000 && bytes < 4000000);
    CU_ASSERT_DOUBLE_EQUAL((double)record_bytes(store, &job), (double)bytes, (double)bytes / 50);
    instance_free(instance);
    instance = jobs_load("generate:layered?buffers=20&live=5");
    const struct job solver = jobs_name(instance, NULL, "glpk");
    CU_ASSERT_EQUAL(record_bytes(store, &solver), 0);
    instance_free(instance);
    store_close(store);
    unlink(path);
}

/* A layout of as many rectangles as are kept at most is kept, a larger one is not. */
static void large_layouts_are_left_out(void)
{
    char path[] = "/tmp/memplan-record-XXXXXX";
    struct store *store;
    struct instance *instance = jobs_load("patent/figure4");
    const struct job job = jobs_name(instance, "flat", "large_first");
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    close(mkstemp(path));
    must(store_open(path, STORE_WRITE, &store, &error));
    for (uint32_t most = 6; most < 10; most++) {
        SCOPED(query_free) struct result_set set = {0};
        SCOPED(rectangles_free) struct rectangle_set kept = {0};
        struct record_context context;
        const struct result_filter filter = {.planner = "large_first"};
        record_context_fill(&context, "layouts");
        context.most_rectangles = most;
        must(record_write(store, &context, &job, &outcome, &error));
        must(query_newest(store, &filter, &set, &error));
        must(rectangles_read(store, set.id[0], &kept, &error));
        CU_ASSERT_EQUAL(kept.count, most < 8 ? 0 : 8);
    }
    store_close(store);
    instance_free(instance);
    unlink(path);
}

static const struct test_case cases[] = {
    {"words are those of the planners", words_are_those_of_the_planners},
    {"memory is that of the planner", memory_is_that_of_the_planner},
    {"large layouts are left out", large_layouts_are_left_out},
};
TESTING_MAIN("harness/rows/record", cases)
