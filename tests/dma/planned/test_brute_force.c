/* Schedules of small graphs against every one that there is. */
#include <math.h>
#include <stdlib.h>

#include "brute_force.h"
#include "core/memory.h"
#include "dma/planned/all.h"
#include "dma/planned/early.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"
#include "random_transfers.h"
#include "support/must.h"
#include "weighted_graph.h"

/* As many small graphs as an attack on the search once tried. */
enum { GRAPHS = TESTING_COUNT(1500, 20), MOST_RUNS = 60000 };

/* What has been counted: a case is a graph under a capacity. */
struct counts {
    uint32_t graphs, complete, cases, equal, descents_equal, faster_out_of_order;
    double most_gain; /* of those */
};

/* What the search that does not try everything finds within a capacity; -1 for nothing. */
static double descend(const struct schedule_space *space, uint64_t capacity_bytes)
{
    uint64_t left = 20000; /* too little to try whole regions */
    const struct schedule_goal goal = {capacity_bytes, UINT64_MAX, &left, false};
    SCOPED(schedule_walk_clear) struct schedule_walk walk = {0};
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    SCOPED(memory_release) uint32_t *start = NULL;
    struct transfer_times times;
    uint64_t load_bytes;
    bool early, found = true;
    must(memory_create(&start, space->places, sizeof *start, &error));
    must(schedule_walk_create(space, &walk, &error));
    schedule_sync(space, start);
    for (uint32_t r = 0; found && r < space->regions->count; r++) {
        struct schedule_region region = schedule_region_at(space, r, &walk);
        struct schedule_cost cost;
        left = 20000;
        enum status status = schedule_search(
            &region, &goal, start + space->regions->region[r].weighted.first, &cost, &error);
        found = status != STATUS_NO;
        if (found)
            must(status);
    }
    left = 1000000;
    if (found)
        must(schedule_start_early(space, &goal, start, &early, &error));
    must(schedule_load(space, start, &load_bytes, &error));
    must(schedule_run_fill(space, start, &run, &times, &error));
    return found && load_bytes <= capacity_bytes ? (double)times.expected_ns : -1;
}

/* Sorted by time, and none beats another: what takes longer needs less. */
static void check_none_is_beaten(const struct schedule_candidates *candidates)
{
    const struct schedule_candidate *candidate = candidates->candidate;
    for (uint32_t i = 1; i < candidates->count; i++)
        CU_ASSERT(candidate[i - 1].times.expected_ns < candidate[i].times.expected_ns &&
                  candidate[i - 1].load_bytes > candidate[i].load_bytes);
}

static double find_fastest(const struct schedule_candidates *candidates, uint64_t capacity_bytes)
{
    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->candidate[i].load_bytes <= capacity_bytes)
            return (double)candidates->candidate[i].times.expected_ns;
    return -1;
}

static bool is_as_fast(double ns, double least_ns)
{
    CU_ASSERT_TRUE(ns == -1 || ns > least_ns - 1);
    return ns != -1 && ns < least_ns + 1;
}

static void count_case(const struct schedule_space *space, const struct brute_answer *answer,
                       const struct schedule_candidates *candidates, uint64_t capacity_bytes,
                       struct counts *counts)
{
    double least_ns = brute_fastest(&answer->any, capacity_bytes);
    double in_order_ns = brute_fastest(&answer->in_order, capacity_bytes);
    double descended_ns = descend(space, capacity_bytes);
    counts->cases++;
    counts->descents_equal += is_as_fast(descended_ns, least_ns);
    if (candidates->complete) {
        /* Without any tolerance: an order that is missing may cost a single ns. */
        bool is_equal = find_fastest(candidates, capacity_bytes) == floor(least_ns + 0.5);
        CU_ASSERT_TRUE(is_equal);
        counts->equal += is_equal;
    } else {
        counts->equal += is_as_fast(descended_ns, least_ns);
    }
    if (in_order_ns > least_ns + 1) {
        counts->faster_out_of_order++;
        counts->most_gain = fmax(counts->most_gain, (in_order_ns - least_ns) / in_order_ns);
    }
}

static void count_graph(struct random_transfers *transfers, struct counts *counts)
{
    static struct brute_answer answer;
    SCOPED(schedule_candidates_clear) struct schedule_candidates candidates = {0};
    struct schedule_space *space = random_transfers_space(transfers);
    SCOPED(transfer_program_release)
    struct transfer_program *guess = random_transfers_program(transfers, "cross_region", 2);
    must(schedule_guess(space, guess, &error));
    if (!brute_force(space, MOST_RUNS, &answer))
        return;
    if (schedule_all_are_few(space))
        must(schedule_all_try(space, UINT64_MAX, &candidates, &error));
    counts->graphs++;
    check_none_is_beaten(&candidates);
    counts->complete += candidates.complete;
    for (uint32_t i = 0; i < answer.any.count; i++)
        count_case(space, &answer, &candidates, answer.any.point[i].load_bytes, counts);
}

/* Every case of a graph whose schedules are few is equal; of all cases nearly every one. */
static void test_random(void)
{
    struct random_state random = random_seed(41);
    struct counts counts = {0};
    for (uint32_t i = 0; counts.graphs < GRAPHS; i++) {
        const struct random_transfers_kind kind = {2 + i % 7, i % 3,      i % 5 == 0,
                                                   2 + i % 4, i % 2 == 0, true};
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        random_transfers_create(&random, &kind, &transfers);
        /* What no run reaches takes memory all the same, which the oracle does not see. */
        bool dead = false;
        for (uint32_t o = 0; o < transfers.graph->operators; o++)
            dead |= transfers.graph->op[o].loop && transfers.graph->op[o].trip_count == 0;
        if (transfers.regions->weighted_count && !dead)
            count_graph(&transfers, &counts);
    }
    printf("%u graphs, %u with few schedules; %u cases, %u equal, by descent alone %u; %u faster "
           "out of order, by up to %.1f %% ",
           counts.graphs, counts.complete, counts.cases, counts.equal, counts.descents_equal,
           counts.faster_out_of_order, 100 * counts.most_gain);
    CU_ASSERT_TRUE(counts.equal * 100 >= counts.cases * 99);
    CU_ASSERT_TRUE(counts.descents_equal * 100 >= counts.cases * 90);
    CU_ASSERT_TRUE(counts.faster_out_of_order > 0);
}

static bool check_modes(const struct random_transfers *transfers)
{
    uint64_t planned_ns = random_transfers_measure_mode(transfers, "planned", 2).expected_ns,
             least_ns = UINT64_MAX;
    static const char *const others[] = {"sync", "pingpong", "cross_region"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint64_t other_ns = random_transfers_measure_mode(transfers, others[i], 2).expected_ns;
        least_ns = other_ns < least_ns ? other_ns : least_ns;
    }
    for (uint32_t k = 1; k <= transfers->regions->weighted_count + 1; k++) {
        uint64_t other_ns = random_transfers_measure_mode(transfers, "ring", k).expected_ns;
        least_ns = other_ns < least_ns ? other_ns : least_ns;
    }
    CU_ASSERT_TRUE(planned_ns <= least_ns);
    return planned_ns < least_ns;
}

/* Planned is no slower than any other mode, on graphs of all sizes. */
static void test_modes(void)
{
    struct random_state random = random_seed(42);
    uint32_t faster = 0;
    for (uint32_t i = 0; i < 5 * GRAPHS; i++) {
        const struct random_transfers_kind kind = {2 + i % 50, i % 4,      i % 3 == 0,
                                                   UINT32_MAX, i % 2 == 0, true};
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        random_transfers_create(&random, &kind, &transfers);
        faster += check_modes(&transfers);
    }
    printf("%u graphs, on %u faster than all others ", 5 * GRAPHS, faster);
}

/* Loading for the likely branch alone costs 109 ns on average; for both, the likely one first,
   106. */
static void test_two_branches(void)
{
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    random_transfers_of(weighted_read("A:50@20 B@20 if@0 0.875{C:20@0} 0.125{D:100@50} Y@0"),
                        &transfers);
    CU_ASSERT_EQUAL(random_transfers_measure_mode(&transfers, "cross_region", 2).expected_ns, 106);
    CU_ASSERT_EQUAL(random_transfers_measure_mode(&transfers, "planned", 2).expected_ns, 106);
}

/* Moving single starts ends at 34 ns. Two moved together save one more, where the load is just the
   capacity. */
static void test_pair_of_starts(void)
{
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    SCOPED(schedule_walk_clear) struct schedule_walk walk = {0};
    uint32_t start[16];
    uint64_t left[2] = {20000, UINT64_MAX}; /* too little to try all, and enough */
    random_transfers_of(weighted_read("a:5@5 b:5@1 c:2@4 d:6@1 e:1@1 f:2@3 g:1@6"), &transfers);
    struct schedule_space *space = random_transfers_space(&transfers);
    must(schedule_walk_create(space, &walk, &error));
    CU_ASSERT_FATAL(space->places <= 16);
    for (int i = 0; i < 2; i++) {
        const struct schedule_goal goal = {9, UINT64_MAX, &left[i], false};
        const struct schedule_region region = schedule_region_at(space, 0, &walk);
        struct schedule_cost cost;
        schedule_sync(space, start);
        must(schedule_search(&region, &goal, start, &cost, &error));
        CU_ASSERT_EQUAL(cost.time_ns, 33);
        CU_ASSERT_EQUAL(cost.load_bytes, 9);
    }
}

/* From mode cross_region's early operators and the late starts of all others the search comes to
   24 ns, from its early starts alone to 26. */
static void test_guess(void)
{
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    uint32_t start[64];
    struct transfer_times times;
    uint64_t load_bytes;
    bool early;
    random_transfers_of(weighted_read("a@4 b:4@0 if@0 {c:3@6 d:4@0 e:5@4} {f@2 g:6@4} h:3@2"),
                        &transfers);
    struct schedule_space *space = random_transfers_space(&transfers);
    SCOPED(transfer_program_release)
    struct transfer_program *guess = random_transfers_program(&transfers, "cross_region", 2);
    const struct schedule_goal goal = {8, UINT64_MAX, NULL, false};
    must(schedule_guess(space, guess, &error));
    CU_ASSERT_FATAL(space->places <= 64);
    schedule_sync(space, start);
    must(schedule_start_early(space, &goal, start, &early, &error));
    must(schedule_load(space, start, &load_bytes, &error));
    must(schedule_run_fill(space, start, &run, &times, &error));
    CU_ASSERT_EQUAL(times.expected_ns, 24);
    CU_ASSERT_EQUAL(load_bytes, 8);
}

static const struct test_case cases[] = {
    {"two branches", test_two_branches}, {"two starts at once", test_pair_of_starts},
    {"from the guess", test_guess},      {"small graphs as all their schedules", test_random},
    {"no mode is faster", test_modes},
};

TESTING_MAIN("dma/brute_force", cases)
