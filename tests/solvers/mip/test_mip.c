#include <stdio.h>
#include <string.h>

#include "planning/problem/clocks_resolve.h"
#include "solvers/find_solver.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const uint64_t most_bytes = 40;

/* GLPK solves in this process; the others start one for each problem, which takes long with a
   sanitizer. */
enum {
    LARGE_PROBLEMS = 350,
    GLPK_SHARE = TESTING_COUNT(4, 40),
    OTHERS_SHARE = TESTING_COUNT(40, 400)
};

/* The planner under test is given one in share of the problems; it refuses some. */
static const struct planner *solver;
static uint32_t share, refused;
/* SYMPHONY crashes on a few programs, which is said and claims nothing. */
static bool may_crash;

static bool is_program(const struct planner *planner)
{
    return strcmp(planner->family, "ilp") == 0;
}

static struct plan *solve_in(const struct problem *problem, uint64_t capacity_bytes,
                             uint64_t time_limit_ns, const struct plan *start)
{
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = capacity_bytes,
                                      .time_limit_ns = time_limit_ns,
                                      .threads = 2, /* else ilp_race does not race */
                                      .start = start};
    return planned(solver, &task);
}

static struct plan *solve(const struct problem *problem, uint64_t capacity_bytes,
                          const struct plan *start)
{
    return solve_in(problem, capacity_bytes, UINT64_MAX, start);
}

static bool agrees_with_brute_force(const struct problem *problem)
{
    uint64_t least_bytes = brute_force_peak(problem, most_bytes);
    struct plan *plan = solve(problem, UINT64_MAX, NULL);
    if (plan->status == PLAN_UNSUPPORTED && *plan->reason) {
        plan_free(plan);
        refused++;
        return true;
    }
    if (plan->status == PLAN_CRASH && may_crash) {
        bool holds = plan->measures.lower_bound_bytes <= least_bytes;
        plan_free(plan);
        return holds;
    }
    bool agrees = plan->status == PLAN_OPTIMAL && plan->measures.peak_bytes == least_bytes &&
                  plan->measures.lower_bound_bytes == least_bytes &&
                  planned_is_valid(problem, plan);
    plan_free(plan);
    if (least_bytes > 1) {
        plan = solve(problem, least_bytes - 1, NULL);
        agrees &= plan->status == PLAN_INFEASIBLE;
        plan_free(plan);
        plan = solve(problem, least_bytes, NULL);
        agrees &= (plan->status == PLAN_CRASH && may_crash) ||
                  (plan->status == PLAN_OPTIMAL && plan->measures.peak_bytes == least_bytes);
        plan_free(plan);
    }
    return agrees;
}

/* Any number of segments, and pairs that no segment says, in the last kind. */
static void against_brute_force(void)
{
    static const struct {
        uint64_t seed;
        uint32_t problems;
        struct random_problem kind; /* most buffers, steps, most bytes of one, and so on */
    } tried[] = {
        {1000, 200, {.most_buffers = 6, .steps = 6, .most_size = 6}},
        {2000, 150, {5, 9, 5, .holes = true, .windows = true}},
        {3000, 150, {5, 6, 5, .alignment = true, .fixed = true}},
        {4000, 150, {5, 9, 5, .holes = true, .windows = true, .alignment = true, .fixed = true}},
        {5000, 100, {7, 6, 3, .holes = true, .windows = true, .alignment = true, .fixed = true}},
        {5000,
         150,
         {7, 9, 4, .many_holes = true, .windows = true, .alignment = true, .conflicts = true}},
    };
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        uint32_t problems = tried[k].problems / share;
        for (uint64_t seed = tried[k].seed; seed < tried[k].seed + problems; seed++) {
            struct random_state random = random_seed(seed);
            SCOPED(problem_release)
            struct problem *problem = random_problem_create(&tried[k].kind, &random);
            if (!planned_can_be(problem) || agrees_with_brute_force(problem))
                continue;
            printf("seed %llu\n", (unsigned long long)seed);
            CU_FAIL("the solver and brute force differ");
        }
        printf("%u problems by %s, of which it refuses %u\n", problems, solver->name, refused);
        CU_ASSERT_TRUE(refused == 0 || strstr(solver->name, "benders") ||
                       strstr(solver->name, "colours"));
        refused = 0;
    }
}

/* Floating point has lost optima of such sizes: whatever is claimed must be true. */
static void check_claims(const struct problem *problem, uint64_t seed, uint32_t *proved,
                         uint32_t *unsupported)
{
    uint64_t least = every_order_peak(problem);
    const uint64_t capacities[] = {UINT64_MAX, least, least + 1, least - 1};
    for (int i = 0; i < 4; i++) {
        SCOPED(plan_release) struct plan *plan = solve(problem, capacities[i], NULL);
        bool honest = plan->measures.lower_bound_bytes <= least;
        honest &= plan->status != PLAN_OPTIMAL || plan->measures.peak_bytes == least;
        honest &= plan->status != PLAN_INFEASIBLE || capacities[i] < least;
        *unsupported += plan->status == PLAN_UNSUPPORTED;
        honest &= !plan_found(plan) || planned_is_valid(problem, plan);
        if (!honest)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE(honest);
        *proved += plan->status == PLAN_OPTIMAL || plan->status == PLAN_INFEASIBLE;
    }
}

static void large_coprime_sizes(void)
{
    static const uint64_t sizes[] = {
        10000, 30000, 100000, 300000, 3000000, 40000000, UINT64_C(9000000000)};
    uint32_t proved = 0, unsupported = 0;
    for (uint64_t seed = 0; seed < LARGE_PROBLEMS / share; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {
            .most_buffers = 7, .steps = 8, .most_size = sizes[seed % 7]};
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        check_claims(problem, seed, &proved, &unsupported);
    }
    /* Positions are too many there. */
    CU_ASSERT_TRUE(share > GLPK_SHARE || unsupported || proved > LARGE_PROBLEMS / share);
}

/* Clique rows are those of the conflict steps, the heaviest antichain among them. */
static void streams(void)
{
    uint32_t wanted = 100 / share, tried = 0;
    for (uint64_t seed = 7000; tried < wanted; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_clocks_create(8, 6, &random);
        must(problem_clocks_resolve(&problem, &error));
        must(problem_finish(problem, &error));
        if (problem_streams(problem)) {
            CU_ASSERT_TRUE(agrees_with_brute_force(problem));
            tried++;
        }
    }
    printf("%u problems by %s\n", tried, solver->name);
}

/* Whatever strengthens a program, its optimum is the same; the start is any plan. */
static void test_every_switch(void)
{
    static const char *const names[] = {"cliques", "mirror", "twins", "upper",  "directions",
                                        "scale",   "tight",  "start", "branch", "load",
                                        "ascend",  "lines",  "nodes", "dive",   "cuts"};
    enum { NAMES = sizeof names / sizeof *names, PROBLEMS = TESTING_COUNT(2000, 50) };
    static const struct random_problem kinds[] = {
        {.most_buffers = 7, .steps = 6, .most_size = 3},
        {.most_buffers = 6, .steps = 7, .most_size = 4, .alignment = true, .fixed = true},
        {.most_buffers = 6, .steps = 7, .most_size = 4, .holes = true, .windows = true}};
    uint32_t tried = 0;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&kinds[seed % 3], &random);
        if (!planned_can_be(problem))
            continue;
        uint64_t least_bytes = brute_force_peak(problem, most_bytes);
        SCOPED(plan_release)
        struct plan *start = problem->any_fixed ? NULL : planned_stack(problem);
        for (uint32_t k = 0; k < solvers_count(); k++) {
            SCOPED(planner_release) struct planner *planner = NULL;
            char settings[200] = "solver=glpk";
            if (!is_program(solvers_at(k)))
                continue;
            for (int i = 0; i < NAMES; i++)
                snprintf(settings + strlen(settings), sizeof settings - strlen(settings), "&%s=%d",
                         names[i], (int)random_below(&random, strcmp(names[i], "start") ? 2 : 3));
            must(planner_configure(solvers_at(k), settings, &planner, &error));
            solver = planner;
            SCOPED(plan_release) struct plan *plan = solve(problem, UINT64_MAX, start);
            if (plan->status == PLAN_UNSUPPORTED && *plan->reason)
                continue;
            if (plan->status != PLAN_OPTIMAL || plan->measures.peak_bytes != least_bytes ||
                plan->measures.lower_bound_bytes != least_bytes) {
                printf(
                    "seed %llu: %s by %s: %s, %llu to %llu, least %llu\n", (unsigned long long)seed,
                    solvers_at(k)->name, settings, plan_status_name(plan->status),
                    (unsigned long long)plan->measures.lower_bound_bytes,
                    (unsigned long long)plan->measures.peak_bytes, (unsigned long long)least_bytes);
                CU_FAIL("a switch changes the answer");
            }
            tried++;
        }
    }
    printf("%u programs with switches\n", tried);
    CU_ASSERT_TRUE(tried > 4 * PROBLEMS);
}

/* A start that breaks a row must not reach a solver: GLPK would believe it. */
static void wrong_start_is_not_believed(void)
{
    struct random_state random = random_seed(7);
    const struct random_problem kind = {.most_buffers = 6, .steps = 2, .most_size = 6};
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(plan_release) struct plan *start = NULL;
    must(plan_create(problem, &start, &error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        start->offset[b] = 0;
    start->status = PLAN_FEASIBLE;
    start->measures.peak_bytes = 35;
    SCOPED(plan_release) struct plan *plan = solve(problem, UINT64_MAX, start);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, brute_force_peak(problem, most_bytes));
    CU_ASSERT_TRUE(planned_is_valid(problem, plan));
}

static void no_time_gives_the_start(void)
{
    struct random_state random = random_seed(11);
    const struct random_problem kind = {.most_buffers = 6, .steps = 6, .most_size = 6};
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(plan_release) struct plan *best = solve(problem, UINT64_MAX, NULL);
    SCOPED(plan_release) struct plan *plan = solve_in(problem, UINT64_MAX, 0, best);
    CU_ASSERT_TRUE(plan_found(plan));
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, best->measures.peak_bytes);
}

/* Whether this build has the solver. */
static bool is_built_in(const char *name)
{
    const struct random_problem kind = {.most_buffers = 3, .steps = 2, .most_size = 3};
    struct random_state random = random_seed(1);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(plan_release) struct plan *plan = solve(problem, UINT64_MAX, NULL);
    if (plan->status == PLAN_UNSUPPORTED)
        testing_skip("integer programs by %s, which this build has not", name);
    return plan->status != PLAN_UNSUPPORTED;
}

/* Runs the test by each formulation, and by each solver as far as this build has them. */
static void by_each_solver(void (*test)(void))
{
    static const struct {
        const char *setting;
        uint32_t share;
    } solvers[] = {{"solver=glpk", GLPK_SHARE},
                   {"solver=cbc", OTHERS_SHARE},
                   {"solver=symphony", OTHERS_SHARE},
                   {"solver=symphony&cliques=0", OTHERS_SHARE},
                   {"solver=lp_solve", OTHERS_SHARE}};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        SCOPED(planner_release) struct planner *first = NULL;
        must(planner_configure(find_solver("glpk"), solvers[i].setting, &first, &error));
        solver = first;
        may_crash = strcmp(solvers[i].setting, "solver=symphony&cliques=0") == 0;
        if (!is_built_in(solvers[i].setting))
            continue;
        for (uint32_t k = 0; k < solvers_count(); k++) {
            SCOPED(planner_release) struct planner *planner = NULL;
            /* cbc is glpk with another solver, and only GLPK is raced. */
            if (!is_program(solvers_at(k)) || strcmp(solvers_at(k)->name, "cbc") == 0 ||
                (i > 0 && strcmp(solvers_at(k)->name, "ilp_race") == 0))
                continue;
            must(planner_configure(solvers_at(k), solvers[i].setting, &planner, &error));
            solver = planner;
            share = strcmp(solvers_at(k)->name, "glpk") == 0 && i == 0 ? 1 : solvers[i].share;
            test();
        }
    }
}

#define BY_EACH_SOLVER(name)                                                                       \
    static void test_##name(void)                                                                  \
    {                                                                                              \
        by_each_solver(name);                                                                      \
    }

BY_EACH_SOLVER(against_brute_force)
BY_EACH_SOLVER(large_coprime_sizes)
BY_EACH_SOLVER(streams)
BY_EACH_SOLVER(wrong_start_is_not_believed)
BY_EACH_SOLVER(no_time_gives_the_start)

/* CBC breaks an assertion of its own on this program once it has preprocessed it. */
static void test_crash_of_preprocessing(void)
{
    static const struct random_problem kind = {
        .most_buffers = 5, .steps = 6, .most_size = 5, .alignment = true, .fixed = true};
    struct random_state random = random_seed(730003246);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(planner_release) struct planner *planner = NULL;
    must(planner_configure(find_solver("ilp_pairs"), "solver=cbc", &planner, &error));
    solver = planner;
    if (is_built_in("solver=cbc"))
        CU_ASSERT_TRUE(agrees_with_brute_force(problem));
}

static const struct test_case cases[] = {
    {"every kind of problem against brute force", test_against_brute_force},
    {"no switch changes the answer", test_every_switch},
    {"large sizes without a common divisor", test_large_coprime_sizes},
    {"orders of several streams against brute force", test_streams},
    {"a wrong start is not believed", test_wrong_start_is_not_believed},
    {"without time the start comes back", test_no_time_gives_the_start},
    {"a crash of CBC's preprocessing is no answer", test_crash_of_preprocessing},
};

TESTING_MAIN("solvers/mip", cases)
