#include <string.h>

#include "core/random.h"
#include "dma/moves/planners.h"
#include "planning/execute/moves.h"
#include "planning/moves/create.h"
#include "planning/sketch.h"
#include "planning/verify/memories/moves.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Plans with moves of the example in docs/memories.md. Random graphs are held against every plan by
   tests/oracles/moves.py. */

struct example {
    struct sketch sketch;
    struct memory_problem *chip;
    struct move_problem *problem;
    uint64_t compute_ns[7];
};

static void clear_example(struct example *example)
{
    move_problem_free(example->problem);
    memory_problem_free(example->chip);
    sketch_free(&example->sketch);
}

/* 10 bytes that cost nothing, and a memory at 1 ns a byte. */
static enum status create_chip(struct memory_problem **chip, struct error *failure)
{
    struct problem *plain;
    TRY(problem_create(&plain, "chip", failure));
    enum status status = problem_finish(plain, failure);
    if (status)
        problem_free(plain);
    TRY(status);
    TRY(memory_problem_create(chip, plain, 2, failure));
    TRY(names_add(&(*chip)->names, "fast", failure));
    TRY(names_add(&(*chip)->names, "slow", failure));
    (*chip)->memory[0] = (struct memory){10, 1, 0, 0, 0};
    (*chip)->memory[1] = (struct memory){UINT64_MAX, 1, 0, 1000, 1000};
    return STATUS_OK;
}

static enum status create_problem(struct example *example, struct error *failure)
{
    const struct move_terms terms = {.graph = example->sketch.graph,
                                     .chip = example->chip,
                                     .compute_ns = example->compute_ns,
                                     .channel = {.start = 1000},
                                     .off_chip_read_cost = 1000,
                                     .alignment_bytes = 1};
    for (int o = 0; o < 7; o++)
        example->compute_ns[o] = 6;
    return move_problem_create(&terms, &example->problem, failure);
}

static const struct sketch_text graphs[] = {
    {"x:2 s:4 a:4 b:6 c:4 y:2", "x",
     "stem: x > s; down: s > a; wide: a > b; up: b > c; join: c s > y", "y"},
    {"x:2 i:4 a:4 u:4 y:4 r:4 e:4 f:4 p:2", "x",
     "init: x > i; loop: > r [i a y r] {body(one: a > u; two: u a x > y |)};"
     "choose: x > e {then(three: r > f | f) else(| r)}; last: e x > p",
     "p"}};

static void create_example(struct example *example, int graph)
{
    example->sketch = sketch_of(&graphs[graph]);
    must(create_chip(&example->chip, &error));
    must(create_problem(example, &error));
}

static void test_by_hand(void)
{
    static const struct {
        const char *planner;
        uint64_t time;
    } expected[] = {{"lru", 35000}, {"farthest_use", 35000}, {"best", 34000}};
    SCOPED(clear_example) struct example example = {.problem = NULL};
    create_example(&example, 0);
    CU_ASSERT_EQUAL(move_time_bound(example.problem), 30000);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        SCOPED(move_draft_clear) struct move_draft draft = {.problem = NULL};
        const struct move_plan none = {.stay = NULL};
        const struct move_planner *planner = move_planner_find(expected[i].planner);
        const struct move_task task = {example.problem, &none, &none, 1, UINT64_MAX};
        struct move_verdict verdict;
        struct move_execution execution;
        bool found;
        must(move_draft_create(example.problem, &draft, &error));
        must(planner->plan(planner, &task, &draft, &found, &error));
        CU_ASSERT_TRUE(found);
        CU_ASSERT_EQUAL(draft.plan.time, expected[i].time);
        verify_moves(example.problem, &draft.plan, &verdict);
        CU_ASSERT_TRUE(verdict.valid);
        must(execute_moves(example.problem, &draft.plan, &execution, &error));
        CU_ASSERT_TRUE(execution.intact);
        CU_ASSERT_EQUAL(execution.time, expected[i].time);
    }
}

/* What damages a run is never called valid, and most changes are refused. */
static void alter_plans(int graph)
{
    SCOPED(clear_example) struct example example = {.problem = NULL};
    SCOPED(move_draft_clear) struct move_draft draft = {.problem = NULL};
    const struct move_plan none = {.stay = NULL};
    const struct move_planner *planner = move_planner_find("best");
    struct random_state random = random_seed(5);
    unsigned refused = 0, damaged = 0;
    bool found;
    create_example(&example, graph);
    const struct move_task task = {example.problem, &none, &none, 1, UINT64_MAX};
    must(move_draft_create(example.problem, &draft, &error));
    must(planner->plan(planner, &task, &draft, &found, &error));
    for (int i = 0; i < 1000; i++) {
        struct move_stay *stay = &draft.plan.stay[random_below(&random, draft.plan.count)];
        const struct move_stay kept = *stay;
        struct move_verdict verdict;
        struct move_execution execution;
        uint32_t *const steps[] = {&stay->lower, &stay->ready, &stay->upper};
        if (i % 2)
            *steps[i / 2 % 3] = (uint32_t)random_below(&random, example.problem->steps + 1);
        else
            stay->offset = random_below(&random, 10);
        verify_moves(example.problem, &draft.plan, &verdict);
        must(execute_moves(example.problem, &draft.plan, &execution, &error));
        CU_ASSERT_TRUE(execution.intact || !verdict.valid);
        refused += !verdict.valid;
        damaged += !execution.intact;
        *stay = kept;
    }
    CU_ASSERT_TRUE(refused > 400);
    CU_ASSERT_TRUE(damaged > 300);
}

static void test_altered(void)
{
    for (int graph = 0; graph < 2; graph++)
        alter_plans(graph);
}

static enum status plan_all(const void *input, struct error *failure)
{
    const struct move_problem *problem = input;
    for (uint32_t p = 0; p < move_planner_count(); p++) {
        SCOPED(move_draft_clear) struct move_draft draft = {.problem = NULL};
        const struct move_plan none = {.stay = NULL};
        const struct move_planner *planner = move_planner_at(p);
        /* The deadline ends the search of `best` at once, but not its first plan. */
        const struct move_task task = {problem, &none, &none, 1, 1};
        bool found;
        TRY(move_draft_create(problem, &draft, failure));
        TRY(planner->plan(planner, &task, &draft, &found, failure));
    }
    return STATUS_OK;
}

static void test_allocations(void)
{
    SCOPED(clear_example) struct example example = {.problem = NULL};
    create_example(&example, 0);
    fail_each(plan_all, example.problem);
}

static const struct test_case cases[] = {
    {"the example by hand", test_by_hand},
    {"altered plans", test_altered},
    {"every allocation of a planner may fail", test_allocations},
};
TESTING_MAIN("dma/moves", cases)
