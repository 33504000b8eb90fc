#include <string.h>

#include "core/memory.h"
#include "heuristics/common/order.h"
#include "heuristics/heuristics.h"
#include "heuristics/order_search/omni/components.h"
#include "heuristics/order_search/omni/orders.h"
#include "heuristics/order_search/order_search.h"
#include "heuristics/order_search/usmp.h"
#include "rule_test.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

static struct scratch scratch;

enum { MOST = 24 };

/* Every search, with settings under which it ends soon. */
static const char *const rows[] = {
    "usmp_hill_climb?attempts=60",
    "usmp_hill_climb_best?attempts=60",
    "vela_hill_climb?patience=60&stuck=10",
    "vela_hill_climb?regor=1&iterations=60&stuck=10",
    "omni_greedy",
    "omni_random?orders=20",
    "omni_hill_climb?iterations=60",
    "omni_annealing?iterations=60",
    "omni_tabu?iterations=10&samples=6&tenure=4",
    "omni_genetic?population=9&generations=5&exchange=30",
    "omni_telamalloc?evictions=60",
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct random_problem plain = {.most_buffers = 10, .steps = 8, .most_size = 12};
static struct plan *run(const struct planner *planner, const struct problem *problem, uint64_t seed,
                        uint64_t time_limit_ns)
{
    struct planner_task task = planned_task(problem);
    task.time_limit_ns = time_limit_ns;
    task.seed = seed;
    return planned(planner, &task);
}

static uint64_t run_peak(const struct planner *planner, const struct problem *problem,
                         uint64_t seed, uint64_t time_limit_ns)
{
    struct plan *plan = run(planner, problem, seed, time_limit_ns);
    uint64_t peak = plan->measures.peak_bytes;
    plan_free(plan);
    return peak;
}

static void expect_valid(const struct problem *problem, const struct plan *plan)
{
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_TRUE(planned_is_valid(problem, plan));
}

static void test_all_rows_are_here(void)
{
    uint32_t searches = 0, found = 0;
    for (uint32_t i = 0; i < heuristics_count(); i++)
        searches += strcmp(heuristics_at(i)->family, "order_search") == 0;
    for (uint32_t r = 0; r < ROWS; r++)
        found += r == 0 || rule_test_find(rows[r]) != rule_test_find(rows[r - 1]);
    CU_ASSERT_EQUAL(found, searches);
    for (uint32_t r = 0; r < ROWS; r++)
        CU_ASSERT_TRUE(rule_test_find(rows[r])->flags & PLANNER_SEARCHES);
}

/* Published USMP may; Regor, whose sizes are rounded up, compares other peaks than the plans'. */
static bool never_gets_worse(const struct planner *planner)
{
    return planner->rule != rule_test_find("usmp_hill_climb")->rule &&
           !strstr(planner->name, "regor=1");
}

static void check_row(const struct planner *planner, const struct problem *problem, uint64_t seed)
{
    struct plan *first = run(planner, problem, seed, UINT64_MAX);
    struct plan *again = run(planner, problem, seed, UINT64_MAX);
    struct plan *hurried = run(planner, problem, seed, 0);
    expect_valid(problem, first);
    expect_valid(problem, hurried);
    CU_ASSERT_EQUAL(memcmp(first->offset, again->offset, problem->buffers * sizeof *first->offset),
                    0);
    CU_ASSERT_EQUAL(first->measures.nodes, again->measures.nodes);
    if (never_gets_worse(planner))
        CU_ASSERT_TRUE(first->measures.peak_bytes <= hurried->measures.peak_bytes);
    plan_free(first);
    plan_free(again);
    plan_free(hurried);
}

static struct problem *make_plain(uint64_t seed)
{
    return rule_test_draw(&plain, seed);
}

static struct problem *make_everything(uint64_t seed)
{
    return rule_test_draw(&rule_test_everything, seed);
}

/* Short lives: few conflicts. */
static struct problem *make_sparse(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    struct problem *problem = made_problem_start();
    for (uint32_t b = 0; b < 90; b++) {
        uint64_t size = 1 + random_below(&random, 50);
        uint32_t upper = b + 1 + (uint32_t)random_below(&random, 5);
        made_problem_add(problem, (struct made_buffer){b, upper, size});
    }
    made_problem_finish(problem);
    return problem;
}

/* Valid, the same for a seed, valid and no better when there is no time. */
static void test_kinds(void)
{
    static const struct {
        struct problem *(*make)(uint64_t seed);
        uint64_t problems;
    } kinds[] = {{make_plain, TESTING_COUNT(300, 80)},
                 {make_everything, TESTING_COUNT(300, 80)},
                 {make_sparse, TESTING_COUNT(20, 6)}};
    for (int k = 0; k < 3; k++)
        for (uint32_t r = 0; r < ROWS; r++) {
            struct planner *planner = rule_test_configure(rows[r]);
            for (uint64_t seed = 0; seed < kinds[k].problems; seed++) {
                struct problem *problem = kinds[k].make(seed);
                if (planned_can_be(problem))
                    check_row(planner, problem, seed);
                problem_free(problem);
            }
            planner_free(planner);
        }
}

/* With the settings of the sources, on one problem. */
static void test_initial_options(void)
{
    const struct random_problem kind = {.most_buffers = 12, .steps = 12, .most_size = 1000};
    struct problem *problem = rule_test_draw(&kind, 3);
    for (uint32_t r = 0; r < ROWS; r++)
        check_row(rule_test_find(rows[r]), problem, 1);
    problem_free(problem);
}

/* Whole sizes live in the fullest step of the buffer's life. */
static int64_t get_urgency(const struct problem *problem, uint32_t buffer)
{
    uint64_t most = 0;
    for (uint32_t step = 0; step < problem_steps(problem); step++) {
        uint64_t live = 0;
        bool live_count = false;
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
                if (problem->lower[s] <= step && step < problem->upper[s]) {
                    live += problem->size[b];
                    live_count |= b == buffer;
                }
        if (live_count && live > most)
            most = live;
    }
    return (int64_t)most;
}

static uint64_t find_peak(const struct problem *problem, const uint32_t *sorted)
{
    uint64_t offset[MOST];
    rule_test_place(problem, sorted, rule_test_first, offset);
    return rule_test_peak(problem, offset);
}

/* By an order of the table, which is checked against its definition in common/test_order.c. */
static uint64_t find_peak_of(const struct problem *problem, const char *order)
{
    uint32_t sorted[MOST];
    must(order_sort(order_find(order), problem, 1, sorted, &error));
    return find_peak(problem, sorted);
}

/* Without time a search gives the plan it starts from. Telamalloc chooses for each phase by itself,
   and so may start lower than by both of its orders. */
static void check_starts(const struct problem *problem)
{
    static const struct {
        const char *planner, *order;
    } starts[] = {
        {"usmp_hill_climb", "size_conflicts_name"},
        {"usmp_hill_climb_best", "size_conflicts_name"},
        {"omni_hill_climb", "size"},
        {"omni_annealing", "size"},
        {"omni_tabu", "size"},
        {"omni_greedy", "input"},
    };
    static const char *const seven[] = {"input",     "size",           "duration",
                                        "area",      "conflicts_size", "conflicts_times_size",
                                        "birth_size"};
    static const struct rule_test_key vela[] = {
        {1, get_urgency}, {1, rule_test_span}, {-1, rule_test_lower}, {1, rule_test_size}};
    uint64_t least = UINT64_MAX;
    uint32_t sorted[MOST];
    rule_test_sort(problem, vela, sorted);
    CU_ASSERT_EQUAL(run_peak(rule_test_find("vela_hill_climb"), problem, 1, 0),
                    find_peak(problem, sorted));
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        CU_ASSERT_EQUAL(run_peak(rule_test_find(starts[i].planner), problem, 1, 0),
                        find_peak_of(problem, starts[i].order));
    uint64_t peak = run_peak(rule_test_find("omni_telamalloc"), problem, 1, 0);
    CU_ASSERT_TRUE(peak <= find_peak_of(problem, "size_duration"));
    CU_ASSERT_TRUE(peak <= find_peak_of(problem, "duration_size"));
    for (int i = 0; i < 7; i++) {
        peak = find_peak_of(problem, seven[i]);
        least = peak < least ? peak : least;
    }
    CU_ASSERT_EQUAL(run_peak(rule_test_find("omni_greedy"), problem, 1, UINT64_MAX), least);
}

static void check_starts_of(struct random_problem kind, uint64_t problems)
{
    kind.most_buffers = 8;
    for (uint64_t seed = 0; seed < problems; seed++) {
        struct problem *problem = rule_test_draw(&kind, seed);
        if (planned_can_be(problem))
            check_starts(problem);
        problem_free(problem);
    }
}

static void test_starts(void)
{
    check_starts_of(plain, TESTING_COUNT(5000, 1000));
    check_starts_of(rule_test_everything, TESTING_COUNT(5000, 1000));
}

/* What the best order of all reaches, by the searches that have enough attempts; none is lower. */
static void test_against_every_order(void)
{
    static const char *const planners[] = {"usmp_hill_climb_best", "vela_hill_climb",
                                           "omni_annealing", "omni_tabu"};
    const struct random_problem kind = {.most_buffers = 7, .steps = 6, .most_size = 30};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        uint32_t reached = 0;
        for (uint64_t seed = 0; seed < 100; seed++) {
            struct problem *problem = rule_test_draw(&kind, seed);
            uint64_t best = every_order_peak(problem);
            uint64_t peak = run_peak(rule_test_find(planners[i]), problem, 1, UINT64_MAX);
            CU_ASSERT_TRUE(peak >= best);
            reached += peak == best;
            problem_free(problem);
        }
        CU_ASSERT_TRUE(reached >= 97);
    }
}

static void test_acceptance_of_usmp(void)
{
    static const struct {
        uint64_t peak, accepted, attempt, drawn;
        bool accepts;
    } expected[] = {
        {99, 100, 1, 99, true},   {100, 100, 1, 0, false},  {110, 100, 1, 3, true},
        {110, 100, 1, 4, false},  {110, 100, 2, 1, true},   {110, 100, 2, 2, false},
        {110, 100, 4, 0, true},   {110, 100, 5, 0, false},  {101, 100, 1, 0, false},
        {200, 100, 1, 24, true},  {200, 100, 1, 25, false}, {200, 100, 25, 0, true},
        {200, 100, 26, 0, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t huge = (uint64_t)1 << 54;
        CU_ASSERT_EQUAL(usmp_accepts(expected[i].peak, expected[i].accepted, expected[i].attempt,
                                     expected[i].drawn),
                        expected[i].accepts);
        CU_ASSERT_EQUAL(usmp_accepts(expected[i].peak * huge, expected[i].accepted * huge,
                                     expected[i].attempt, expected[i].drawn),
                        expected[i].accepts);
    }
}

/* Both make the same attempts; the published one may end on a worse plan than it had, even than
   its first: for few seeds, as a peak that is p percent higher is accepted by p / 2 of 100
   at most. */
static void test_published_against_best(void)
{
    const struct random_problem kind = {.most_buffers = 30, .steps = 12, .most_size = 60};
    struct planner *published = rule_test_configure("usmp_hill_climb?attempts=3");
    struct planner *best = rule_test_configure("usmp_hill_climb_best?attempts=3");
    uint32_t worse = 0, worse_than_start = 0;
    for (uint64_t seed = 0; seed < TESTING_COUNT(5000, 1500); seed++) {
        struct problem *problem = rule_test_draw(&kind, seed % 50);
        uint64_t published_peak = run_peak(published, problem, seed, UINT64_MAX);
        uint64_t best_peak = run_peak(best, problem, seed, UINT64_MAX);
        uint64_t start_peak = run_peak(best, problem, 1, 0);
        CU_ASSERT_TRUE(best_peak <= published_peak);
        CU_ASSERT_TRUE(best_peak <= start_peak);
        worse += best_peak < published_peak;
        worse_than_start += start_peak < published_peak;
        problem_free(problem);
    }
    CU_ASSERT_TRUE(worse >= worse_than_start);
    CU_ASSERT_TRUE(worse_than_start > 0);
    planner_free(published);
    planner_free(best);
}

/* All buffers live at once are too many pairs for lists. */
static void test_unsupported(void)
{
    struct problem *problem = made_problem_pile(16385);
    for (uint32_t r = 0; r < ROWS; r++) {
        struct plan *plan = run(rule_test_find(rows[r]), problem, 1, UINT64_MAX);
        CU_ASSERT_EQUAL(plan->status, PLAN_UNSUPPORTED);
        plan_free(plan);
    }
    problem_free(problem);
}

static void test_no_buffers(void)
{
    struct problem *problem = made_problem(NULL, 0);
    for (uint32_t r = 0; r < ROWS; r++) {
        struct plan *plan = run(rule_test_find(rows[r]), problem, 1, UINT64_MAX);
        CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, 0);
        plan_free(plan);
    }
    problem_free(problem);
}

static void test_allocations(void)
{
    struct problem *problem = rule_test_draw(&plain, 5);
    const struct planner_task task = planned_task(problem);
    for (uint32_t r = 0; r < ROWS; r++) {
        struct planner *planner = rule_test_configure(rows[r]);
        planned_fail_each(planner, &task);
        planner_free(planner);
    }
    problem_free(problem);
}

/* Movable buffers that conflict, at once or through others, have one number, spread by hand. */
static void spread_number(const struct order_search *search, uint32_t *number)
{
    const struct conflicts *conflicts = search->evaluator->conflicts;
    const struct problem *problem = search->task->problem;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint64_t i = conflicts->first[b]; number[b] && i < conflicts->first[b + 1]; i++) {
                uint32_t other = conflicts->other[i];
                if (problem_fixed_offset(problem, other) != PROBLEM_FREE ||
                    number[other] >= number[b])
                    continue;
                number[other] = number[b];
                changed = true;
            }
    }
}

static uint64_t find_load(const struct problem *problem, const uint32_t *number, uint32_t wanted)
{
    uint64_t load = 0;
    for (uint32_t step = 0; step < problem_steps(problem); step++) {
        uint64_t live = 0;
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
                if (number[b] == wanted && problem->lower[s] <= step && step < problem->upper[s])
                    live += problem->size[b];
        load = live > load ? live : load;
    }
    return load;
}

static void check_components(const struct order_search *search)
{
    const struct problem *problem = search->task->problem;
    uint32_t number[64] = {0}, members = 0;
    struct omni_components components;
    for (uint32_t b = 0; b < problem->buffers; b++)
        number[b] = problem_fixed_offset(problem, b) == PROBLEM_FREE ? b + 1 : 0;
    spread_number(search, number);
    must(omni_components_create(search, &components, &error));
    for (uint32_t c = 0; c < components.count; c++) {
        const struct omni_component *component = &components.component[c];
        uint32_t first = components.member[component->first];
        members += component->count;
        CU_ASSERT_EQUAL(component->load_bytes, find_load(problem, number, number[first]));
        CU_ASSERT_TRUE(!c || component[-1].load_bytes >= component->load_bytes);
        for (uint32_t i = 0; i < component->count; i++)
            CU_ASSERT_EQUAL(components.number[components.member[component->first + i]],
                            components.number[first]);
    }
    CU_ASSERT_EQUAL(members, search->evaluator->movables);
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_EQUAL(number[a] == number[b], components.number[a] == components.number[b]);
}

static void test_components(void)
{
    static const struct random_problem kind = {
        .most_buffers = 20, .steps = 60, .most_size = 9, .holes = true, .fixed = true};
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct problem *problem = rule_test_draw(&kind, seed);
        const struct planner_task task = {.problem = problem, .scratch = &scratch};
        struct order_search search = {.task = &task};
        must(evaluator_create(problem, &search.evaluator, &scratch, &error));
        check_components(&search);
        evaluator_free(search.evaluator);
        scratch_free(&scratch);
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"components of conflicts", test_components},
    {"all rows are here", test_all_rows_are_here},
    {"plain problems, problems with everything, few conflicts", test_kinds},
    {"initial options", test_initial_options},
    {"starts, and the least of seven orders", test_starts},
    {"against every order", test_against_every_order},
    {"acceptance of USMP", test_acceptance_of_usmp},
    {"USMP's last accepted plan", test_published_against_best},
    {"unsupported", test_unsupported},
    {"no buffers", test_no_buffers},
    {"allocations", test_allocations},
};

TESTING_MAIN("heuristics/order_search", cases)
