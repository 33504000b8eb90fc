#include <stdio.h>
#include <string.h>

#include "datasets/instance.h"
#include "planning/problem/bounds.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/verify/problem/plan.h"
#include "solvers/find_solver.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* The switches are the first options; after them comes learn, with three values. */
enum {
    RACE_SWITCHES = 8,
    SWITCHES = 12,
    COMBINATIONS = 3 << SWITCHES,
    USUAL = (2 << SWITCHES) - 1, /* all on, learn at 1 */
    AGREEING = 192,
};

enum { GAPS = TESTING_COUNT(500, 15), TEN_BUFFERS = TESTING_COUNT(60000, 80) };

static const uint64_t most_bytes = 64;

/* With the switches that are bits of rules, and learn above them. */
static struct plan *solve(const struct problem *problem, uint64_t capacity_bytes, unsigned rules)
{
    struct planner planner = *find_solver("exact");
    uint64_t values[PLANNER_MOST_OPTIONS];
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = capacity_bytes, .time_limit_ns = UINT64_MAX};
    for (uint32_t i = 0; planner.options[i].name; i++)
        values[i] = i < SWITCHES    ? rules >> i & 1
                    : i == SWITCHES ? rules >> i
                                    : planner.options[i].initial;
    planner.option_values = values;
    return planned(&planner, &task);
}

static bool fits_as_expected(const struct problem *problem, uint64_t capacity_bytes, bool expected,
                             unsigned rules)
{
    SCOPED(plan_release) struct plan *plan = solve(problem, capacity_bytes, rules);
    return expected ? plan_found(plan) && planned_is_valid(problem, plan) &&
                          plan->measures.peak_bytes <= capacity_bytes
                    : plan->status == PLAN_INFEASIBLE;
}

static bool agrees(const struct problem *problem, uint64_t least_bytes, unsigned rules)
{
    SCOPED(plan_release) struct plan *plan = solve(problem, UINT64_MAX, rules);
    return plan->status == PLAN_OPTIMAL && plan->measures.peak_bytes == least_bytes &&
           plan->measures.lower_bound_bytes == least_bytes && planned_is_valid(problem, plan) &&
           fits_as_expected(problem, least_bytes, true, rules) &&
           (least_bytes == 1 || fits_as_expected(problem, least_bytes - 1, false, rules));
}

struct kind {
    const char *name;
    struct random_problem problem;
    uint32_t problems;
};

static const struct kind kinds[] = {
    {"plain", {.most_buffers = 8, .steps = 7, .most_size = 6}, 500},
    {"filled", {.most_buffers = 8, .steps = 6, .most_size = 6, .filled = true}, 1300},
    {"filled, holes",
     {.most_buffers = 8, .steps = 7, .most_size = 7, .filled = true, .holes = true},
     500},
    {"filled, alignment",
     {.most_buffers = 7, .steps = 6, .most_size = 7, .filled = true, .alignment = true},
     500},
    {"filled, fixed",
     {.most_buffers = 8, .steps = 6, .most_size = 7, .filled = true, .fixed = true},
     400},
    {"filled, windows",
     {.most_buffers = 7, .steps = 6, .most_size = 6, .filled = true, .windows = true},
     500},
    {"holes, windows",
     {.most_buffers = 6, .steps = 9, .most_size = 5, .holes = true, .windows = true},
     500},
    {"filled, conflicts",
     {.most_buffers = 8,
      .steps = 6,
      .most_size = 6,
      .filled = true,
      .many_holes = true,
      .conflicts = true},
     300},
    {"all",
     {.most_buffers = 6,
      .steps = 8,
      .most_size = 5,
      .holes = true,
      .windows = true,
      .alignment = true,
      .fixed = true},
     1100},
};

struct tally {
    uint32_t problems, above_load;
};

/* The problem runs with all rules and with one combination, which changes from one to the next. */
static void compare(const struct problem *problem, uint64_t seed, struct tally *tally)
{
    uint64_t least_bytes = brute_force_peak(problem, most_bytes), bound_bytes;
    unsigned rules = (unsigned)(seed * 37 % COMBINATIONS);
    must(bound_peak(problem, &bound_bytes, &error));
    CU_ASSERT(bound_bytes <= least_bytes);
    tally->problems++;
    tally->above_load += least_bytes > bound_bytes;
    if (agrees(problem, least_bytes, USUAL) && agrees(problem, least_bytes, rules))
        return;
    printf("seed %llu, rules %u\n", (unsigned long long)seed, rules);
    CU_FAIL("exact and brute force differ");
}

static void test_against_brute_force(void)
{
    struct tally all = {0};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct tally tally = {0};
        for (uint32_t i = 0; tally.problems < kinds[k].problems / TESTING_COUNT(1, 4); i++) {
            uint64_t seed = 100000 * (k + 1) + i;
            struct random_state random = random_seed(seed);
            SCOPED(problem_release)
            struct problem *problem = random_problem_create(&kinds[k].problem, &random);
            if (planned_can_be(problem))
                compare(problem, seed, &tally);
        }
        printf("\n  %-20s %5u problems, %4u with an optimum above the bound", kinds[k].name,
               tally.problems, tally.above_load);
        all.problems += tally.problems;
        all.above_load += tally.above_load;
    }
    printf("\n  %-20s %5u problems, %4u above, %u combinations of rules\n", "in all", all.problems,
           all.above_load, COMBINATIONS);
    CU_ASSERT_TRUE(all.problems >= 5000 / TESTING_COUNT(1, 4));
    CU_ASSERT_TRUE(all.above_load >= 400 / TESTING_COUNT(1, 4));
}

/* Orders of several streams: their conflict steps are no line, and one is the heaviest
   antichain. */
static void test_clocks_against_brute_force(void)
{
    struct tally tally = {0};
    for (uint64_t seed = 0; tally.problems < TESTING_COUNT(600, 30); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_clocks_create(8, 6, &random);
        must(problem_clocks_resolve(&problem, &error));
        must(problem_finish(problem, &error));
        if (problem_streams(problem))
            compare(problem, seed, &tally);
    }
    printf("%u problems, %u with an optimum above the load, ", tally.problems, tally.above_load);
}

/* Once a search raised a buffer by what its equal had been raised already, and refused these, whose
   optimum is the load. */
static const struct made_buffer once_refused[][10] = {
    {{0, 7, 2},
     {0, 6, 1},
     {0, 5, 9},
     {0, 4, 1},
     {4, 6, 1},
     {5, 7, 2},
     {5, 7, 1},
     {5, 6, 5},
     {5, 7, 1},
     {6, 7, 7}},
    {{0, 4, 3},
     {0, 5, 8},
     {0, 6, 2},
     {4, 7, 1},
     {4, 7, 1},
     {4, 6, 1},
     {5, 6, 4},
     {5, 7, 2},
     {5, 7, 2},
     {6, 7, 7}},
};

static void test_once_refused(void)
{
    for (size_t i = 0; i < sizeof once_refused / sizeof *once_refused; i++) {
        SCOPED(problem_release) struct problem *problem = made_problem(once_refused[i], 10);
        CU_ASSERT_TRUE(agrees(problem, 13, USUAL));
    }
}

/* Ten buffers, some of them equal: more than brute force has time for. All rules of the race
   against the search that learns. */
static void test_race_against_learning(void)
{
    const struct random_problem kind = {
        .most_buffers = 10, .steps = 7, .most_size = 9, .filled = true};
    struct random_state random = random_seed(8);
    for (uint32_t i = 0; i < TEN_BUFFERS; i++) {
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(plan_release)
        struct plan *race = solve(problem, UINT64_MAX, USUAL % (1 << SWITCHES)),
                    *learned = solve(problem, UINT64_MAX, USUAL + (1 << SWITCHES));
        CU_ASSERT_EQUAL_FATAL(race->measures.peak_bytes, learned->measures.peak_bytes);
        CU_ASSERT_TRUE_FATAL(race->status == PLAN_OPTIMAL && learned->status == PLAN_OPTIMAL);
    }
}

static struct instance *load(const char *name)
{
    struct instance *instance;
    must(instance_load(name, NULL, &instance, &error));
    return instance;
}

/* Every step is filled to the load and no plan reaches it, so that a rule that cuts off too much
   shows. */
static struct instance *make_gap(uint32_t buffers, uint64_t seed)
{
    char name[80];
    snprintf(name, sizeof name, "generate:gap?buffers=%u&capacity=12&seed=%llu", buffers,
             (unsigned long long)seed);
    return load(name);
}

/* 0 where this build has no GLPK. */
static uint64_t solve_by_glpk(const struct problem *problem)
{
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    SCOPED(plan_release) struct plan *plan = planned(find_solver("glpk"), &task);
    bool unsupported = plan->status == PLAN_UNSUPPORTED;
    CU_ASSERT_FATAL(unsupported || plan->status == PLAN_OPTIMAL);
    return unsupported ? 0 : plan->measures.peak_bytes;
}

static void test_gaps_against_glpk(void)
{
    uint64_t least_bytes = UINT64_MAX;
    for (uint32_t i = 0; i < GAPS && least_bytes; i++) {
        SCOPED(instance_release) struct instance *instance = make_gap(12 + i % 2, i + 1);
        least_bytes = solve_by_glpk(instance->problem);
        if (least_bytes && (!agrees(instance->problem, least_bytes, USUAL) ||
                            !agrees(instance->problem, least_bytes, i * 37 % COMBINATIONS))) {
            printf("gap %u\n", i);
            CU_FAIL("exact and glpk differ");
        }
    }
    if (!least_bytes)
        testing_skip("exact against glpk, which this build has not");
}

/* Larger ones: all combinations agree with each other. */
static void test_combinations_agree(void)
{
    for (uint32_t i = 0; i < AGREEING; i++) {
        SCOPED(instance_release) struct instance *instance = make_gap(16 + i % 4, 1000 + i);
        SCOPED(plan_release) struct plan *plan = solve(instance->problem, UINT64_MAX, USUAL);
        CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
        CU_ASSERT_TRUE(agrees(instance->problem, plan->measures.peak_bytes, i * 37 % COMBINATIONS));
    }
}

/* Nodes of twelve problems; learning: 0 for the race alone, 2 for the search that learns. */
static uint64_t count_nodes(unsigned rules, unsigned learning)
{
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < 12; i++) {
        SCOPED(instance_release) struct instance *instance = make_gap(14 + i % 4, 2000 + i);
        SCOPED(plan_release)
        struct plan *plan = solve(instance->problem, UINT64_MAX, rules | learning << SWITCHES);
        CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
        nodes += plan->measures.nodes;
    }
    return nodes;
}

/* Every rule changes the search, and all but the order in which it goes make it smaller: of the
   race each rule where all others are on, but `handover`, which leaves the others little to say
   where there is no slack; of the search that learns each alone. */
static void test_rules_prune(void)
{
    const struct planner_option *option = find_solver("exact")->options;
    const unsigned handover = 1U << (RACE_SWITCHES - 1), all = ((1U << SWITCHES) - 1) & ~handover;
    uint64_t race_nodes = count_nodes(all, 0), learning_nodes = count_nodes(0, 2);
    for (unsigned rule = 0; rule < SWITCHES; rule++) {
        bool learns = rule >= RACE_SWITCHES;
        bool is_order =
            strcmp(option[rule].name, "split") == 0 || strcmp(option[rule].name, "forced") == 0;
        bool is_handover = 1U << rule == handover;
        uint64_t off = learns ? learning_nodes : count_nodes(all & ~(1U << rule), 0);
        uint64_t on = learns        ? count_nodes(1U << rule, 2)
                      : is_handover ? count_nodes(all | handover, 0)
                                    : race_nodes;
        printf("\n  %-20s %6llu nodes, without it %6llu", option[rule].name, (unsigned long long)on,
               (unsigned long long)off);
        CU_ASSERT_TRUE(is_order ? on != off : on < off);
    }
}

static void check_same(const struct problem *problem, uint64_t capacity_bytes)
{
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = capacity_bytes, .time_limit_ns = UINT64_MAX};
    struct planner_task twice = task;
    twice.threads = 2;
    SCOPED(plan_release) struct plan *one = planned(find_solver("exact"), &task);
    SCOPED(plan_release) struct plan *two = planned(find_solver("exact"), &twice);
    CU_ASSERT_EQUAL(one->status, two->status);
    CU_ASSERT_EQUAL(one->measures.peak_bytes, two->measures.peak_bytes);
    CU_ASSERT_EQUAL(one->measures.lower_bound_bytes, two->measures.lower_bound_bytes);
    CU_ASSERT_EQUAL(one->measures.nodes, two->measures.nodes);
    CU_ASSERT_EQUAL(memcmp(one->search->counter, two->search->counter, sizeof one->search->counter),
                    0);
    CU_ASSERT_EQUAL(memcmp(one->offset, two->offset, one->buffers * sizeof *one->offset), 0);
}

static void test_threads_change_nothing(void)
{
    for (uint32_t seed = 1; seed <= 6; seed++) {
        SCOPED(instance_release) struct instance *instance = make_gap(20 + seed, seed);
        check_same(instance->problem, UINT64_MAX);
        check_same(instance->problem, 12 * 1024);
    }
}

static void test_time_ends_it(void)
{
    SCOPED(instance_release)
    struct instance *instance = load("generate:tight?buffers=400&capacity=1048576&seed=5");
    const uint64_t limits_ns[] = {0, 1000000, 50000000};
    for (int i = 0; i < 3; i++) {
        const struct planner_task task = {.problem = instance->problem,
                                          .capacity_bytes = UINT64_MAX,
                                          .time_limit_ns = limits_ns[i],
                                          .threads = 2};
        SCOPED(plan_release) struct plan *plan = planned(find_solver("exact"), &task);
        CU_ASSERT_TRUE(plan_found(plan));
        CU_ASSERT_TRUE(planned_is_valid(instance->problem, plan));
        CU_ASSERT_TRUE(plan->measures.lower_bound_bytes >= 1048576);
        CU_ASSERT_TRUE(plan->measures.peak_bytes >= plan->measures.lower_bound_bytes);
    }
}

static void test_start_is_kept(void)
{
    SCOPED(instance_release) struct instance *instance = load("generate:gap?buffers=30&seed=3");
    SCOPED(plan_release) struct plan *best = solve(instance->problem, UINT64_MAX, USUAL);
    const struct planner_task task = {.problem = instance->problem,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = 0,
                                      .start = best};
    SCOPED(plan_release) struct plan *plan = planned(find_solver("exact"), &task);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, best->measures.peak_bytes);
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    best->offset[0] = best->offset[1] = 0;
    SCOPED(plan_release) struct plan *again = planned(find_solver("exact"), &task);
    CU_ASSERT_TRUE(planned_is_valid(instance->problem, again));
}

static void test_record(void)
{
    SCOPED(instance_release) struct instance *instance = make_gap(24, 2);
    SCOPED(plan_release) struct plan *plan = solve(instance->problem, UINT64_MAX, USUAL);
    const struct search_record *record = plan->search;
    CU_ASSERT_TRUE_FATAL(record && record->points > 1);
    CU_ASSERT_TRUE(record->counter[SEARCH_PLACEMENTS] > 0);
    CU_ASSERT_TRUE(record->counter[SEARCH_RESTARTS] > 0);
    for (uint32_t i = 1; i < record->points; i++) {
        CU_ASSERT_TRUE(record->point[i].time_ns >= record->point[i - 1].time_ns);
        CU_ASSERT_TRUE(record->point[i].peak_bytes <= record->point[i - 1].peak_bytes);
        CU_ASSERT_TRUE(record->point[i].bound_bytes >= record->point[i - 1].bound_bytes);
    }
    CU_ASSERT_EQUAL(record->point[record->points - 1].peak_bytes, plan->measures.peak_bytes);
    CU_ASSERT_EQUAL(record->point[record->points - 1].bound_bytes,
                    plan->measures.lower_bound_bytes);
}

static enum status solve_once(const void *input, struct error *reported)
{
    const struct problem *problem = input;
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(problem, &plan, reported));
    return find_solver("exact")->plan(find_solver("exact"), &task, plan, reported);
}

static void test_allocations_of_streams(void)
{
    struct random_state random = random_seed(1);
    for (bool tried = false; !tried;) {
        SCOPED(problem_release) struct problem *problem = random_clocks_create(8, 6, &random);
        must(problem_clocks_resolve(&problem, &error));
        tried = problem_streams(problem) > 0 && problem->buffers == 8;
        if (tried)
            fail_each(solve_once, problem);
    }
}

static void test_allocations(void)
{
    struct random_state random = random_seed(700002);
    SCOPED(instance_release) struct instance *instance = make_gap(12, 4);
    fail_each(solve_once, instance->problem);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&kinds[k].problem, &random);
        if (planned_can_be(problem))
            fail_each(solve_once, problem);
    }
    test_allocations_of_streams();
}

/* More conflicts than are searched, and many that are. */
static void test_very_many_buffers(void)
{
    static const char *const names[] = {"generate:layered?buffers=50000&live=4&seed=1",
                                        "generate:layered?buffers=5000&live=2500&seed=1"};
    for (int i = 0; i < 2; i++) {
        SCOPED(instance_release) struct instance *instance = load(names[i]);
        const struct planner_task task = {
            .problem = instance->problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = 100000000};
        SCOPED(plan_release) struct plan *plan = planned(find_solver("exact"), &task);
        struct verdict verdict;
        CU_ASSERT_TRUE(plan_found(plan));
        must(verify_plan(instance->problem, plan, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    }
}

static const struct test_case cases[] = {
    {"all combinations of rules against brute force", test_against_brute_force},
    {"orders of several streams against brute force", test_clocks_against_brute_force},
    {"problems that were refused once", test_once_refused},
    {"the race against the search that learns", test_race_against_learning},
    {"problems with an optimum above the load against glpk", test_gaps_against_glpk},
    {"combinations of rules agree on larger ones", test_combinations_agree},
    {"rules prune", test_rules_prune},
    {"threads change nothing", test_threads_change_nothing},
    {"the time limit ends it with a plan", test_time_ends_it},
    {"the start is kept if it is right", test_start_is_kept},
    {"what is recorded", test_record},
    {"every allocation fails once", test_allocations},
    {"very many buffers", test_very_many_buffers},
};

TESTING_MAIN("solvers/exact", cases)
