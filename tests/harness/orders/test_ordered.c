/* Graphs in another order are named after it; orders that lie or break an edge are found out. */

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/process/subprocess.h"
#include "harness/catalogue/orders.h"
#include "harness/jobs.h"
#include "harness/orders/order_bound.h"
#include "harness/orders/ordered_set.h"
#include "support/fail_each.h"
#include "support/must.h"

/* What an order does, by the name of its row. */
static enum status misbehave(const struct order_row *row, const struct order_task *task,
                             uint32_t *permutation, struct order_report *report,
                             struct error *fault)
{
    uint32_t operators = task->view->operators;
    SCOPED(memory_release) void *block = NULL;
    for (uint32_t v = 0; v < operators; v++)
        permutation[v] = v;
    TRY(order_report_feasible(task->view, permutation, report, fault));
    if (strcmp(row->name, "bound") == 0) {
        /* Says that nothing is below what the stored order needs. */
        report->status = PLAN_OPTIMAL;
        report->bound_bytes = report->load_bytes;
    } else if (strcmp(row->name, "load") == 0) {
        report->load_bytes--;
    } else if (strcmp(row->name, "edges") == 0) {
        for (uint32_t v = 0; v < operators; v++)
            permutation[v] = operators - 1 - v;
    } else if (strcmp(row->name, "late") == 0) {
        *report = (struct order_report){.status = PLAN_TIMEOUT};
    } else if (strcmp(row->name, "leaves") == 0) {
        _exit(7);
    } else if (strcmp(row->name, "crashes") == 0) {
        signal(SIGFPE, SIG_DFL);
        raise(SIGFPE);
    } else if (strcmp(row->name, "greedy") == 0) {
        /* Asks for more than it may. */
        TRY(memory_create(&block, 1, 2 * task->memory_limit_bytes, fault));
        memset(block, 1, 2 * task->memory_limit_bytes);
    }
    while (strcmp(row->name, "hangs") == 0)
        pause();
    return STATUS_OK;
}

static const struct order_row bound = {.name = "bound", .order = misbehave},
                              load = {.name = "load", .order = misbehave},
                              edges = {.name = "edges", .order = misbehave},
                              late = {.name = "late", .order = misbehave},
                              leaves = {.name = "leaves", .order = misbehave},
                              crashes = {.name = "crashes", .order = misbehave},
                              hangs = {.name = "hangs", .order = misbehave},
                              greedy = {.name = "greedy", .order = misbehave};

static struct ordered_request request_of(const struct instance *instance)
{
    return (struct ordered_request){
        .instance = instance, .time_limit_ns = UINT64_MAX, .memory_limit_bytes = UINT64_MAX};
}

static void test_faults_cost_their_own_entry(void)
{
    const struct order_row *rows[] = {&bound, &load, &edges, &late, orders_find("inductor_lpmf")};
    SCOPED(instance_release) struct instance *instance = jobs_load("wired/liberis_lane");
    SCOPED(ordered_set_free) struct ordered_set set = {0};
    const struct ordered_request request = request_of(instance);
    must(ordered_set_add(&set, &request, (struct ordered_rows){rows, 5}, &error));
    CU_ASSERT_EQUAL_FATAL(set.count, 5);
    CU_ASSERT_STRING_EQUAL(
        set.entry[0].error.text,
        "order bound says that no load is below 5216 bytes, but inductor_lpmf has one of 4960");
    CU_ASSERT_STRING_EQUAL(set.entry[1].error.text,
                           "order load says that its load is 5215 bytes, found 5216");
    CU_ASSERT_PTR_NOT_NULL(strstr(set.entry[2].error.text, "which has to come first"));
    CU_ASSERT_EQUAL(set.entry[2].error.status, STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(set.entry[3].error.text, "order late found none: timeout");
    CU_ASSERT_EQUAL(set.entry[4].error.status, STATUS_OK);
    CU_ASSERT_STRING_EQUAL(set.entry[4].ordered.instance->name, "wired/liberis_lane@inductor_lpmf");
    CU_ASSERT_STRING_NOT_EQUAL(set.entry[4].ordered.instance->digest, instance->digest);
}

/* What ends its process, or does not end, costs itself and nothing else. */
static void test_processes(void)
{
    static const struct {
        const struct order_row *row;
        enum status status;
        enum plan_status end;
        const char *text;
    } known[] = {
        {&leaves, STATUS_NO, PLAN_CRASH, "order leaves: ended without an answer, exit code 7"},
        {&crashes, STATUS_NO, PLAN_CRASH, "order crashes: signal 8 (Floating point exception)"},
        {&hangs, STATUS_LIMIT, PLAN_TIMEOUT, "order hangs: killed after the time limit"},
        {&greedy, STATUS_LIMIT, PLAN_MEMOUT, "order greedy: memory limit"},
    };
    SCOPED(instance_release) struct instance *instance = jobs_load("wired/liberis_lane");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct ordered_request request = request_of(instance);
        struct ordered ordered;
        struct error fault = ERROR_NONE;
        if (known[i].end == PLAN_MEMOUT && !subprocess_can_limit_memory())
            continue;
        request.row = known[i].row;
        request.time_limit_ns = known[i].end == PLAN_TIMEOUT ? 0 : UINT64_MAX;
        request.memory_limit_bytes = known[i].end == PLAN_MEMOUT ? UINT64_C(256) << 20 : UINT64_MAX;
        CU_ASSERT_EQUAL(ordered_create(&request, &ordered, &fault), known[i].status);
        CU_ASSERT_STRING_EQUAL(fault.text, known[i].text);
        CU_ASSERT_EQUAL(ordered.report.status, known[i].end);
        CU_ASSERT_PTR_NULL(ordered.order);
    }
}

/* Every order of a graph with control flow, under every policy; those for small graphs only may say
   that it is none. */
static void test_regions(void)
{
    uint32_t refused = 0;
    SCOPED(instance_release) struct instance *instance = jobs_load("luna/denoise");
    for (uint32_t p = 0; p < policy_count(); p += TESTING_COUNT(1, 12))
        for (uint32_t i = 0; i < orders_count(); i++) {
            struct ordered_request request = request_of(instance);
            SCOPED(ordered_clear) struct ordered ordered = {0};
            request.row = orders_at(i);
            request.policy = policy_at(p);
            request.time_limit_ns = 1000000000;
            if (ordered_create(&request, &ordered, &error)) {
                CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "found none: unsupported"));
                refused++;
                continue;
            }
        }
    CU_ASSERT(refused <= 2 * policy_count());
}

/* No order beats it; of a graph with control flow nothing is said. */
static void test_bounds(void)
{
    static const struct {
        const char *name;
        uint64_t least_bytes;
    } known[] = {
        {"wired/liberis_lane", 4960}, {"wired/randwire_cell_1", 3669120}, {"luna/denoise", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(known[i].name);
        uint64_t bytes;
        must(order_bound_find(instance->graph, NULL, &bytes, &error));
        CU_ASSERT(!bytes == !known[i].least_bytes && bytes <= known[i].least_bytes);
    }
}

/* The least loads of small graphs that a model of orders once got wrong: of the rules' pairs and
   views, of outputs of the graph, of regions. */
static void test_known_loads(void)
{
    static const struct {
        const char *name, *rules, *policy;
        uint64_t bytes;
    } known[] = {
        {"bugs/order_in_place", "none", "flat", 200},
        {"bugs/order_in_place", "declared", "flat", 110},
        {"bugs/order_in_place", "borders", "flat", 110},
        {"bugs/order_in_place", "nnvm", "flat", 200},
        {"bugs/order_views", "none", "flat", 24},
        {"bugs/order_views", "tflite", "flat", 16},
        {"bugs/order_views", "nnvm", "flat", 16},
        {"bugs/order_regions", "none", "select", 15},
        {"bugs/if_pass_through", "none", "path", 16},
        {"bugs/branches_summed", "none", "path", 17},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(known[i].name);
        SCOPED(ordered_clear) struct ordered ordered = {0};
        struct ordered_request request = request_of(instance);
        request.row = orders_find("exact_order");
        request.policy = policy_find(known[i].policy);
        request.inplace.rules = inplace_find(known[i].rules);
        must(ordered_create(&request, &ordered, &error));
        if (ordered.report.load_bytes != known[i].bytes)
            printf("\n    %s, %s, %s: %llu", known[i].name, known[i].rules, known[i].policy,
                   (unsigned long long)ordered.report.load_bytes);
        CU_ASSERT_EQUAL(ordered.report.load_bytes, known[i].bytes);
        CU_ASSERT_EQUAL(ordered.report.bound_bytes, known[i].bytes);
        CU_ASSERT_EQUAL(ordered.report.status, PLAN_OPTIMAL);
    }
}

/* A plan whose load or peak is not what was said of its order. */
static void test_plans(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("wired/liberis_lane");
    SCOPED(ordered_clear) struct ordered ordered = {0};
    struct ordered_request request = request_of(instance);
    request.row = orders_find("stored");
    must(ordered_create(&request, &ordered, &error));
    struct measures measures = {.load_bytes = 5216, .peak_bytes = 5216};
    must(ordered_check_plan(&ordered, &measures, 5216, &error));
    CU_ASSERT_EQUAL(ordered_check_plan(&ordered, &measures, 5217, &error), STATUS_NO);
    CU_ASSERT_STRING_EQUAL(error.text, "a plan has a peak of 5216 bytes, but no order is said to "
                                       "have a load below 5217");
    measures.load_bytes = 5215;
    CU_ASSERT_EQUAL(ordered_check_plan(&ordered, &measures, 0, &error), STATUS_NO);
    CU_ASSERT_STRING_EQUAL(error.text, "a plan has a load of 5215 bytes, but its order 5216");
}

static enum status find_bound(const void *input, struct error *fault)
{
    uint64_t bytes;
    return order_bound_find(((const struct instance *)input)->graph, NULL, &bytes, fault);
}

static enum status order_twice(const void *input, struct error *fault)
{
    const struct order_row *rows[] = {orders_find("stored"), orders_find("fifo")};
    const struct ordered_request request = request_of(input);
    SCOPED(ordered_set_free) struct ordered_set set = {0};
    return ordered_set_add(&set, &request, (struct ordered_rows){rows, 2}, fault);
}

static void test_allocations(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("patent/figure4");
    fail_each(order_twice, instance);
    fail_each(find_bound, instance);
}

static const struct test_case cases[] = {
    {"faults cost their own entry", test_faults_cost_their_own_entry},
    {"processes", test_processes},
    {"regions", test_regions},
    {"bounds", test_bounds},
    {"known loads", test_known_loads},
    {"plans", test_plans},
    {"allocations", test_allocations},
};

TESTING_MAIN("harness/orders", cases)
