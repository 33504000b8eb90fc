#include <string.h>

#include "core/memory.h"
#include "solvers/window/eject.h"
#include "solvers/window/fill.h"
#include "solvers/window/hot.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* What the search by windows is made of: the index of live segments, a draft, hot windows, filling
   in and ejection. */

static const struct random_problem kind = {
    .most_buffers = 300, .steps = 400, .most_size = 30, .many_holes = true};

static struct problem *make_random(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    return random_problem_create(&kind, &random);
}

static struct draft *make_draft(const struct problem *problem)
{
    struct draft *draft;
    must(draft_create(problem, &draft, &error));
    return draft;
}

static bool overlaps(const struct problem *problem, uint32_t segment, uint32_t begin, uint32_t end)
{
    return problem->lower[segment] < end && begin < problem->upper[segment];
}

static void check_stretch(struct live_index *index, const struct problem *problem, uint32_t begin,
                          uint32_t end)
{
    uint32_t expected = 0, found = live_index_find(index, begin, end);
    for (uint32_t s = 0; s < problem->segments; s++)
        expected += overlaps(problem, s, begin, end);
    CU_ASSERT_EQUAL(found, expected);
    for (uint32_t i = 0; i < found; i++) {
        CU_ASSERT_TRUE(overlaps(problem, index->found[i], begin, end));
        for (uint32_t k = 0; k < i; k++)
            if (index->found[k] == index->found[i])
                CU_FAIL("a segment is listed twice");
    }
}

static void test_index_finds_what_is_live(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SCOPED(problem_release) struct problem *problem = make_random(seed);
        struct random_state random = random_seed(seed + 100);
        SCOPED(draft_release) struct draft *draft = make_draft(problem);
        for (int i = 0; i < 50; i++) {
            uint32_t begin = (uint32_t)random_below(&random, kind.steps);
            check_stretch(draft->index, problem, begin,
                          begin + 1 + (uint32_t)random_below(&random, 40));
        }
    }
}

static void test_areas_and_loads(void)
{
    const struct made_buffer rows[] = {{0, 4, 5}, {1, 3, 2}, {3, 6, 7}};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 3);
    SCOPED(draft_release) struct draft *draft = make_draft(problem);
    const uint64_t area[] = {20, 4, 21}, load[] = {5, 7, 12};
    CU_ASSERT_EQUAL(memcmp(draft->area, area, sizeof area), 0);
    CU_ASSERT_EQUAL(memcmp(draft->load, load, sizeof load), 0);
}

static void test_hot_windows(void)
{
    const struct made_buffer rows[] = {{0, 4, 5}, {1, 3, 2}, {3, 6, 7}, {5, 9, 1}};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 4);
    SCOPED(draft_release) struct draft *draft = make_draft(problem);
    SCOPED(hot_release) struct hot *hot = NULL;
    must(hot_create(problem, &hot, &error));
    hot_add_windows(hot, draft, 12);
    CU_ASSERT_EQUAL(hot->count, 2);
    CU_ASSERT_TRUE(hot->chosen[0] && hot->chosen[2]);
    hot_add_windows(hot, draft, 8);
    CU_ASSERT_EQUAL(hot->count, 3);
    CU_ASSERT_TRUE(hot->chosen[3]);
    hot_clear(hot);
    CU_ASSERT_EQUAL(hot->count, 0);
}

static void test_hot_solve_answers(void)
{
    const struct made_buffer rows[] = {{0, 4, 5}, {3, 6, 7}};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 2);
    SCOPED(draft_release) struct draft *draft = make_draft(problem);
    const struct hot_effort effort = {.rounds = 2, .threads = 1, .deadline_ns = UINT64_MAX};
    struct hot_answer answer;
    SCOPED(hot_release) struct hot *hot = NULL;
    must(hot_create(problem, &hot, &error));
    hot_add_windows(hot, draft, 12);
    draft_clear(draft, 11);
    must(hot_solve(hot, draft, &effort, &answer, &error));
    CU_ASSERT_FALSE(answer.found);
    CU_ASSERT_EQUAL(answer.bound_bytes, 12);
    CU_ASSERT_EQUAL(draft->offset[0], PROBLEM_FREE);
    draft_clear(draft, 12);
    must(hot_solve(hot, draft, &effort, &answer, &error));
    CU_ASSERT_TRUE(answer.found);
    CU_ASSERT_TRUE(draft->offset[0] == 7 ? draft->offset[1] == 0 : draft->offset[1] == 5);
}

/* Buffers of a draft that have an offset collide nowhere and end below the capacity; the others
   wait, each once. */
static void check_draft(const struct draft *draft)
{
    const struct problem *problem = draft->problem;
    uint32_t without = 0;
    for (uint32_t a = 0; a < problem->buffers; a++) {
        without += draft->offset[a] == PROBLEM_FREE;
        if (draft->offset[a] == PROBLEM_FREE)
            continue;
        CU_ASSERT_TRUE(draft->offset[a] + problem->size[a] <= draft->capacity_bytes);
        for (uint32_t b = 0; b < a; b++) {
            bool apart = draft->offset[b] == PROBLEM_FREE ||
                         draft->offset[a] + problem->size[a] <= draft->offset[b] ||
                         draft->offset[b] + problem->size[b] <= draft->offset[a];
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1] && !apart; s++)
                for (uint32_t t = problem->first[a]; t < problem->first[a + 1]; t++)
                    CU_ASSERT_FALSE(overlaps(problem, s, problem->lower[t], problem->upper[t]));
        }
    }
    CU_ASSERT_EQUAL(without, draft->unplaced.count);
}

struct tools {
    struct occupancy *occupancy;
    struct eject *eject;
    uint32_t *sorted;
    uint64_t *offset;
};

static struct tools make_tools(struct draft *draft)
{
    const struct problem *problem = draft->problem;
    struct tools tools;
    must(occupancy_create(problem, &tools.occupancy, &error));
    must(eject_create(draft, &tools.eject, &error));
    tools.sorted = memory_allocate(problem->buffers, sizeof *tools.sorted);
    tools.offset = memory_allocate(problem->buffers, sizeof *tools.offset);
    for (uint32_t b = 0; b < problem->buffers; b++)
        tools.sorted[b] = b;
    return tools;
}

static void free_tools(struct tools *tools)
{
    occupancy_free(tools->occupancy);
    eject_free(tools->eject);
    memory_free(tools->sorted);
    memory_free(tools->offset);
}

/* c is long and comes last; below 4 it fits only where a or b move. */
static void test_ejection_makes_room(void)
{
    const struct made_buffer rows[] = {{0, 3, 2}, {3, 6, 1}, {2, 5, 1}, {0, 6, 1}};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 4);
    SCOPED(draft_release) struct draft *draft = make_draft(problem);
    struct tools tools = make_tools(draft);
    draft_clear(draft, 4);
    draft->offset[0] = 1;
    draft->offset[1] = 0;
    draft->offset[2] = 3;
    must(draft_wait(draft, 3, &error));
    must(eject_run(tools.eject, &(struct eject_effort){1000, UINT32_MAX, UINT64_MAX}, &error));
    CU_ASSERT_EQUAL(draft->unplaced.count, 0);
    check_draft(draft);
    free_tools(&tools);
}

static void test_filling_and_ejection_keep_a_draft(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SCOPED(problem_release) struct problem *problem = make_random(seed);
        SCOPED(draft_release) struct draft *draft = make_draft(problem);
        struct tools tools = make_tools(draft);
        const struct fill_rule rule = {tools.sorted, tools.occupancy, UINT64_MAX};
        struct fill_whole whole = {.offset = tools.offset};
        draft_clear(draft, 300 + 20 * seed);
        must(fill_draft(draft, &rule, &whole, &error));
        check_draft(draft);
        uint64_t peak = 0;
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (whole.offset[b] + problem->size[b] > peak)
                peak = whole.offset[b] + problem->size[b];
        CU_ASSERT_EQUAL(peak, whole.peak_bytes);
        CU_ASSERT_EQUAL(draft->unplaced.count == 0, peak <= draft->capacity_bytes);
        must(
            eject_run(tools.eject, &(struct eject_effort){100000, UINT32_MAX, UINT64_MAX}, &error));
        check_draft(draft);
        free_tools(&tools);
    }
}

static void test_filling_uses_the_whole_capacity(void)
{
    const struct made_buffer rows[] = {{0, 2, 4}, {2, 4, 3}, {3, 4, 1}};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 3);
    SCOPED(draft_release) struct draft *draft = make_draft(problem);
    struct tools tools = make_tools(draft);
    const struct fill_rule rule = {tools.sorted, tools.occupancy, UINT64_MAX};
    struct fill_whole whole = {.offset = tools.offset};
    draft_clear(draft, 4);
    must(fill_draft(draft, &rule, &whole, &error));
    CU_ASSERT_EQUAL(draft->unplaced.count, 0);
    CU_ASSERT_EQUAL(whole.peak_bytes, 4);
    free_tools(&tools);
}

static const struct test_case cases[] = {
    {"the index finds what is live in a stretch", test_index_finds_what_is_live},
    {"areas and loads", test_areas_and_loads},
    {"hot windows", test_hot_windows},
    {"answers of hot windows", test_hot_solve_answers},
    {"ejection makes room", test_ejection_makes_room},
    {"filling in uses the whole capacity", test_filling_uses_the_whole_capacity},
    {"filling in and ejection keep a draft", test_filling_and_ejection_keep_a_draft},
};

TESTING_MAIN("solvers/window", cases)
