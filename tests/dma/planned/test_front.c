#include "dma/planned/front.h"

#include <string.h>

#include "core/memory.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"
#include "dma/planned/search.h"
#include "dma/program/check.h"
#include "dma/timing/bound.h"
#include "planning/graph/build.h"
#include "planning/problem/bounds.h"
#include "planning/verify/problem/plan.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/verify_pairwise.h"

static struct planned_front *create_front(const struct random_transfers *transfers)
{
    struct planned_task task = random_transfers_task(transfers);
    struct planned_front *front;
    must(planned_front_create(&task, &front, &error));
    return front;
}

/* Each operator takes 10 ns, each weight 10 bytes and 10 ns, each tensor 1 byte. Synchronous
   transfers take 60 ns and 10 bytes beside two tensors; loading the next while one computes takes
   40 ns and 20 bytes. */
static void test_by_hand(void)
{
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    struct graph *graph;
    uint32_t tensor[4], opened;
    must(graph_create(&graph, "by hand", &error));
    for (int i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        must(graph_add_tensor(graph, &(struct graph_tensor_spec){.name = name, .bytes = 1},
                              &tensor[i], &error));
    }
    must(graph_set_inputs(graph, tensor, 1, &error));
    for (int i = 0; i < 3; i++) {
        char name[4] = {'o', 'p', (char)('0' + i), '\0'};
        must(graph_open_operator(graph, name, "Any", &opened, &error));
        must(graph_operator_inputs(graph, &tensor[i], 1, &error));
        must(graph_operator_outputs(graph, &tensor[i + 1], 1, &error));
        must(graph_operator_weight(graph, "w", 0, 10, &error));
        graph_close_operator(graph);
        graph->op[opened].compute_ns = 10;
    }
    must(graph_finish(graph, &tensor[3], 1, NULL, &error));
    random_transfers_of(graph, &transfers);
    SCOPED(planned_front_release) struct planned_front *front = create_front(&transfers);
    CU_ASSERT_EQUAL_FATAL(front->count, 2);
    CU_ASSERT_EQUAL(front->point[0].times.expected_ns, 40);
    CU_ASSERT_EQUAL(front->point[0].on_chip_bytes, 22);
    static const uint32_t starts[] = {0, 0, 1};
    CU_ASSERT_EQUAL(memcmp(front->point[0].start, starts, sizeof starts), 0);
    CU_ASSERT_EQUAL(front->point[1].times.expected_ns, 60);
    CU_ASSERT_EQUAL(front->point[1].on_chip_bytes, 12);
    CU_ASSERT_PTR_EQUAL(planned_front_pick(front, 22), &front->point[0]);
    CU_ASSERT_PTR_EQUAL(planned_front_pick(front, 21), &front->point[1]);
    CU_ASSERT_PTR_NULL(planned_front_pick(front, 11));
    CU_ASSERT_TRUE(front->complete);
    planned_front_free(NULL);
}

/* The program runs on the machine, takes the time that the point says, and the plan is valid for
   the problem of that schedule. */
static void check_point(const struct random_transfers *transfers, const struct planned_front *front,
                        const struct planned_point *point)
{
    SCOPED(transfer_program_release) struct transfer_program *program = NULL;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    must(schedule_program(front->space, point->start, &program, &error));
    must(transfer_check(program, &error));
    CU_ASSERT_EQUAL(random_transfers_measure(transfers, program).expected_ns,
                    point->times.expected_ns);
    must(schedule_problem(front->space, point->start, &problem, &error));
    must(plan_create(problem, &plan, &error));
    memcpy(plan->offset, point->offset, problem->buffers * sizeof *plan->offset);
    plan->measures.peak_bytes = point->on_chip_bytes;
    verify_plan_pairwise(problem, plan, &verdict);
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    CU_ASSERT_TRUE(point->load_bytes <= point->on_chip_bytes);
}

/* No schedule whose transfers stay within their regions beats all points. */
static void check_without_early(const struct random_transfers *transfers,
                                const struct planned_front *front, uint64_t capacity_bytes)
{
    const struct schedule_space *space = front->space;
    const struct schedule_goal goal = {capacity_bytes, UINT64_MAX, NULL, false};
    struct planned_task task = random_transfers_task(transfers);
    SCOPED(schedule_walk_clear) struct schedule_walk walk = {0};
    SCOPED(transfer_program_release) struct transfer_program *program = NULL;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(memory_release) uint32_t *start = NULL;
    must(schedule_walk_create(space, &walk, &error));
    must(memory_create(&start, space->places, sizeof *start, &error));
    for (uint32_t r = 0; r < transfers->regions->count; r++) {
        struct schedule_region region = schedule_region_at(space, r, &walk);
        struct schedule_cost cost;
        uint32_t *own = start + transfers->regions->region[r].weighted.first;
        schedule_region_ring(&region, 1, own);
        must(schedule_search(&region, &goal, own, &cost, &error));
    }
    must(schedule_program(space, start, &program, &error));
    must(schedule_problem(space, start, &problem, &error));
    must(plan_create(problem, &plan, &error));
    must(task.place(NULL, problem, plan, &error));
    const struct planned_point *point = planned_front_pick(front, plan->measures.peak_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(point);
    CU_ASSERT_TRUE(point->times.expected_ns <=
                   random_transfers_measure(transfers, program).expected_ns);
}

static void check_front(const struct random_transfers *transfers)
{
    SCOPED(planned_front_release) struct planned_front *front = create_front(transfers);
    struct transfer_times bound;
    must(transfer_bound_find(transfers->regions, transfers->costs, NULL, &bound, &error));
    CU_ASSERT_FATAL(front->count > 0);
    for (uint32_t i = 0; i < front->count; i++) {
        const struct planned_point *point = &front->point[i];
        check_point(transfers, front, point);
        CU_ASSERT_TRUE(point->times.expected_ns >= bound.expected_ns);
        CU_ASSERT_TRUE(point->times.worst_ns >= bound.worst_ns);
        if (i) {
            CU_ASSERT_TRUE(point->times.expected_ns > point[-1].times.expected_ns);
            CU_ASSERT_TRUE(point->on_chip_bytes < point[-1].on_chip_bytes);
        }
    }
    check_without_early(transfers, front, UINT64_MAX);
    uint64_t least_ns = front->point[0].times.expected_ns;
    CU_ASSERT_TRUE(least_ns <= random_transfers_measure_mode(transfers, "pingpong", 2).expected_ns);
    CU_ASSERT_TRUE(front->point[front->count - 1].times.expected_ns <=
                   random_transfers_measure_mode(transfers, "sync", 2).expected_ns);
}

static void test_fronts(void)
{
    struct random_state random = random_seed(1);
    for (uint32_t i = 0; i < TESTING_COUNT(250, 20); i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        const struct random_transfers_kind kind = {3 + i % 40, i % 4,      i % 3 == 0,
                                                   UINT32_MAX, i % 2 == 0, false};
        random_transfers_create(&random, &kind, &transfers);
        check_front(&transfers);
    }
}

enum { MOST_TRIED = 100000 };

/* Every schedule of a graph that is one region, by counting starts up like digits. */
static uint32_t try_all(const struct random_transfers *transfers,
                        const struct schedule_space *space, struct schedule_cost *costs)
{
    const uint32_t *weighted_op = transfers->regions->weighted_op;
    uint32_t count = transfers->regions->weighted_count, tried = 0, start[8] = {0}, digit;
    do {
        SCOPED(transfer_program_release) struct transfer_program *program = NULL;
        CU_ASSERT_FATAL(tried < MOST_TRIED);
        must(schedule_program(space, start, &program, &error));
        must(schedule_load(space, start, &costs[tried].load_bytes, &error));
        costs[tried++].time_ns = random_transfers_measure(transfers, program).expected_ns;
        for (digit = 0; digit < count && start[digit] == weighted_op[digit]; digit++)
            start[digit] = 0;
        if (digit < count)
            start[digit]++;
    } while (digit < count);
    return tried;
}

/* At every capacity that makes a difference. The region may have less load than the problem, which
   also counts steps in which the region does nothing. */
static void compare_search(const struct schedule_space *space, const struct schedule_cost *costs,
                           uint32_t count)
{
    uint32_t start[8];
    SCOPED(schedule_walk_clear) struct schedule_walk walk = {0};
    must(schedule_walk_create(space, &walk, &error));
    struct schedule_region region = schedule_region_at(space, 0, &walk);
    for (uint32_t i = 0; i < count; i++) {
        const struct schedule_goal goal = {costs[i].load_bytes, UINT64_MAX, NULL, false};
        struct schedule_cost cost;
        uint64_t least_ns = UINT64_MAX;
        for (uint32_t k = 0; k < count; k++)
            if (costs[k].load_bytes <= goal.capacity_bytes && costs[k].time_ns < least_ns)
                least_ns = costs[k].time_ns;
        schedule_region_ring(&region, 1, start);
        must(schedule_search(&region, &goal, start, &cost, &error));
        CU_ASSERT_EQUAL(cost.time_ns, least_ns);
        CU_ASSERT_TRUE(cost.load_bytes <= goal.capacity_bytes);
    }
}

static void test_all_schedules(void)
{
    static struct schedule_cost costs[MOST_TRIED];
    struct random_state random = random_seed(2);
    for (uint32_t i = 0; i < 50; i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        const struct random_transfers_kind kind = {2 + i % 5, 0, false, 4, i % 2 == 0, false};
        random_transfers_create(&random, &kind, &transfers);
        struct schedule_space *space = random_transfers_space(&transfers);
        compare_search(space, costs, try_all(&transfers, space, costs));
    }
}

/* Beyond the size that is searched completely: below the capacity, never slower than what it was
   begun with, and never faster than all schedules tried at random. */
static void test_descent(void)
{
    struct random_state random = random_seed(3);
    for (uint32_t i = 0; i < TESTING_COUNT(40, 4); i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        SCOPED(schedule_walk_clear) struct schedule_walk walk = {0};
        SCOPED(memory_release) uint32_t *start = NULL;
        const struct random_transfers_kind kind = {60, 0, false, UINT32_MAX, i % 2 == 0, false};
        random_transfers_create(&random, &kind, &transfers);
        struct schedule_space *space = random_transfers_space(&transfers);
        must(schedule_walk_create(space, &walk, &error));
        must(memory_create(&start, transfers.regions->weighted_count, sizeof *start, &error));
        struct schedule_region region = schedule_region_at(space, 0, &walk);
        schedule_region_ring(&region, 1, start);
        struct schedule_cost cost = schedule_region_cost(&region, start), last = cost;
        for (uint32_t extra = 0; extra < 30; extra += 5) {
            const struct schedule_goal goal = {cost.load_bytes + extra, UINT64_MAX, NULL, false};
            struct schedule_cost found;
            must(schedule_search(&region, &goal, start, &found, &error));
            CU_ASSERT_TRUE(found.load_bytes <= goal.capacity_bytes);
            CU_ASSERT_TRUE(found.time_ns <= last.time_ns);
            CU_ASSERT_EQUAL(schedule_region_cost(&region, start).time_ns, found.time_ns);
            last = found;
        }
        const struct schedule_goal impossible = {space->load_bytes[0] - 1, UINT64_MAX, NULL, false};
        if (space->load_bytes[0])
            CU_ASSERT_EQUAL(schedule_search(&region, &impossible, start, &last, &error), STATUS_NO);
    }
}

/* No time for any search: still schedules, still in order. */
static void test_no_time(void)
{
    struct random_state random = random_seed(4);
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    const struct random_transfers_kind kind = {80, 0, false, UINT32_MAX, true, false};
    random_transfers_create(&random, &kind, &transfers);
    struct planned_task task = random_transfers_task(&transfers);
    SCOPED(planned_front_release) struct planned_front *front = NULL;
    task.time_limit_ns = 0;
    must(planned_front_create(&task, &front, &error));
    CU_ASSERT_FALSE(front->complete);
    CU_ASSERT_TRUE(front->cut_short);
    for (uint32_t i = 0; i < front->count; i++)
        check_point(&transfers, front, &front->point[i]);
}

static enum status place_on_each_other(void *context, const struct problem *problem,
                                       struct plan *plan, struct error *failed)
{
    (void)context;
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = 0;
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, problem, failed);
}

static enum status place_nothing(void *context, const struct problem *problem, struct plan *plan,
                                 struct error *failed)
{
    (void)context;
    (void)problem;
    (void)failed;
    plan->status = PLAN_TIMEOUT;
    return STATUS_OK;
}

static void test_bad_plans(void)
{
    static const struct {
        enum status (*place)(void *context, const struct problem *problem, struct plan *plan,
                             struct error *error);
        const char *words;
    } planners[] = {{place_on_each_other, "share bytes"},
                    {place_nothing, "no plan for tensors and weights: timeout"}};
    const struct random_transfers_kind kind = {10, 0, false, UINT32_MAX, false, false};
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    struct random_state random = random_seed(5);
    random_transfers_create(&random, &kind, &transfers);
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        struct planned_task task = random_transfers_task(&transfers);
        struct planned_front *front;
        task.place = planners[i].place;
        CU_ASSERT_EQUAL(planned_front_create(&task, &front, &error), STATUS_NO);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, planners[i].words));
    }
}

static enum status create_once(const void *input, struct error *failed)
{
    struct planned_task task = random_transfers_task(input);
    SCOPED(planned_front_release) struct planned_front *front = NULL;
    return planned_front_create(&task, &front, failed);
}

static void test_no_memory(void)
{
    struct random_state random = random_seed(6);
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    const struct random_transfers_kind kind = {5, 1, false, 3, true, false};
    random_transfers_create(&random, &kind, &transfers);
    fail_each(create_once, &transfers);
}

static const struct test_case cases[] = {
    {"three operators by hand", test_by_hand},
    {"fronts of random graphs", test_fronts},
    {"small regions as all their schedules", test_all_schedules},
    {"large regions", test_descent},
    {"no time", test_no_time},
    {"plans that are none", test_bad_plans},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/planned", cases)
