/* Order and placement together: proofs where a peak meets the bound of all orders, and moves of
   single operators. */

#include "harness/catalogue/planners.h"
#include "harness/jobs.h"
#include "harness/joint/joint.h"
#include "harness/joint/moves.h"
#include "support/fail_each.h"
#include "support/must.h"

static void test_proofs(void)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } proved[] = {{"wired/liberis_lane", 4960},
                  {"wired/model_simple", 70},
                  {"wired/model_diamond", 130},
                  {"wired/model_fan_in", 110},
                  {"wired/darts_cell", 903168}};
    for (size_t i = 0; i < sizeof proved / sizeof *proved; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(proved[i].name);
        const struct job job = jobs_name(instance, "flat", "exact");
        SCOPED(joint_clear) struct joint joint = {0};
        must(joint_plan(&job, &joint, &error));
        CU_ASSERT_EQUAL(joint.bound_bytes, proved[i].bytes);
        CU_ASSERT_EQUAL(joint.outcome.measures.peak_bytes, proved[i].bytes);
        CU_ASSERT(outcome_is_good(&joint.outcome));
    }
    /* A problem has no order. */
    SCOPED(instance_release) struct instance *problem = jobs_load("minimalloc/A");
    const struct job job = jobs_name(problem, "flat", "large_first");
    struct joint joint;
    CU_ASSERT_EQUAL(joint_plan(&job, &joint, &error), STATUS_USAGE);
}

/* Twice the same, and never worse than where it began. */
static void test_moves(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("wired/liberis_lane");
    const struct job job = jobs_name(instance, "flat", "large_first");
    const struct moves_request request = {
        .job = &job, .bound_bytes = 4960, .deadline_ns = UINT64_MAX, .most = 1000};
    struct graph_order *order[2];
    uint64_t peak[2];
    uint32_t tried[2];
    for (int i = 0; i < 2; i++) {
        must(graph_order_create(instance->graph, &order[i], &error));
        must(moves_quick_peak(&job, instance, &peak[i], &error));
        CU_ASSERT_EQUAL(peak[i], 5216);
        must(moves_improve(&request, order[i], &peak[i], &tried[i], &error));
        CU_ASSERT_EQUAL(peak[i], 4960);
    }
    CU_ASSERT_EQUAL(tried[0], tried[1]);
    for (uint32_t o = 0; o < instance->graph->operators; o++)
        CU_ASSERT_EQUAL(order[0]->op[o], order[1]->op[o]);
    graph_order_free(order[0]);
    graph_order_free(order[1]);
}

static enum status move_some(const void *input, struct error *fault)
{
    const struct job *job = input;
    const struct moves_request request = {.job = job, .deadline_ns = UINT64_MAX, .most = 3};
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    uint64_t peak = 5216;
    uint32_t tried;
    TRY(graph_order_create(job->instance->graph, &order, fault));
    return moves_improve(&request, order, &peak, &tried, fault);
}

static void test_allocations(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("wired/liberis_lane");
    const struct job job = jobs_name(instance, "flat", "large_first");
    fail_each(move_some, &job);
}

static const struct test_case cases[] = {
    {"proofs", test_proofs},
    {"moves", test_moves},

    {"allocations", test_allocations},
};

TESTING_MAIN("harness/joint", cases)
