#include <stdio.h>

#include "core/memory.h"
#include "solvers/exact/race/node.h"
#include "solvers/exact/race/search.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const uint32_t lanes[] = {16, 8, 4};

enum { WIDTHS = 3, STEPS = 60, SEEDS = TESTING_COUNT(300, 60), MOST = 32 };

static const struct random_problem kinds[] = {
    {.most_buffers = 30, .steps = 40, .most_size = 9},
    {.most_buffers = 14, .steps = 12, .most_size = 20, .filled = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .holes = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .alignment = true},
    {.most_buffers = 12, .steps = 20, .most_size = 9, .windows = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A search that the test makes the steps of. */
struct walk {
    struct problem *problem;
    struct exact_model *model;
    struct exact_rectangles *rectangles;
    struct exact_grid *grid;
    struct exact_state *state;
    uint64_t *number; /* [sections, whole blocks] */
    uint32_t *rank;
};

static struct walk begin_walk(const struct random_problem *kind, struct random_state *random,
                              uint32_t width)
{
    struct walk walk;
    struct error error;
    walk.problem = random_problem_create(kind, random);
    CU_ASSERT_EQUAL_FATAL(exact_model_create(walk.problem, &walk.model, &error), STATUS_OK);
    walk.rectangles = memory_allocate(1, sizeof *walk.rectangles);
    CU_ASSERT_PTR_NOT_NULL_FATAL(walk.rectangles);
    CU_ASSERT_EQUAL_FATAL(exact_rectangles_fill(walk.model, walk.rectangles, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_grid_create(walk.rectangles, width, &walk.grid, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_state_create(walk.model, &walk.state, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_state_fit(walk.state, walk.grid, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        exact_experience_create(walk.model, false, &walk.state->experience, &error), STATUS_OK);
    walk.number =
        memory_allocate((size_t)walk.model->sections + EXACT_MOST_LANES, sizeof(uint64_t));
    walk.rank = memory_allocate(walk.model->buffers, sizeof(uint32_t));
    CU_ASSERT_FATAL(walk.number && walk.rank);
    return walk;
}

static void end_walk(struct walk *walk)
{
    memory_free(walk->rank);
    memory_free(walk->number);
    exact_experience_free(walk->state->experience);
    exact_state_free(walk->state);
    exact_grid_free(walk->grid);
    scratch_free(&walk->rectangles->memory);
    memory_free(walk->rectangles);
    exact_model_free(walk->model);
    problem_free(walk->problem);
}

/* What a section should say, job by job. */
struct jobs {
    uint64_t release[MOST], width[MOST];
    uint64_t bytes, floor;
    uint32_t count;
};

static struct jobs list_jobs(const struct walk *walk, uint32_t section)
{
    const struct exact_model *model = walk->model;
    struct jobs jobs = {.floor = UINT64_MAX};
    for (uint64_t i = model->first[section]; i < model->first[section + 1]; i++) {
        uint32_t b = model->member[i], at = jobs.count;
        uint64_t lowest = walk->state->lowest[b];
        uint64_t release = lowest + (exact_member_lower(model, i));
        if (walk->state->placed[b])
            continue;
        for (; at && jobs.release[at - 1] > release; at--) {
            jobs.release[at] = jobs.release[at - 1];
            jobs.width[at] = jobs.width[at - 1];
        }
        jobs.release[at] = release;
        jobs.width[at] = exact_member_width(model, i);
        jobs.bytes += jobs.width[at];
        jobs.floor = lowest < jobs.floor ? lowest : jobs.floor;
        jobs.count++;
    }
    return jobs;
}

static uint64_t expect(const struct walk *walk, uint32_t section, enum exact_number number)
{
    struct jobs jobs = list_jobs(walk, section);
    uint64_t span = 0, candidates = 0;
    for (uint32_t i = 0; i < jobs.count; i++) {
        span = (span > jobs.release[i] ? span : jobs.release[i]) + jobs.width[i];
        candidates += jobs.release[i] + jobs.bytes <= walk->state->capacity;
    }
    switch (number) {
    case EXACT_BYTES_LEFT:
        return jobs.bytes;
    case EXACT_FLOOR:
        return jobs.floor;
    case EXACT_SPAN:
        return span;
    default:
        return candidates;
    }
}

static bool numbers_are_right(const struct walk *walk)
{
    for (int number = EXACT_BYTES_LEFT; number <= EXACT_CANDIDATES; number++) {
        uint32_t sections = walk->model->sections;
        exact_blocks_read(&walk->state->blocks, (enum exact_number)number, 0, sections,
                          walk->number);
        for (uint32_t s = 0; s < sections; s++)
            if (walk->number[s] != expect(walk, s, (enum exact_number)number))
                return false;
    }
    return true;
}

/* Places or rejects what a strategy chooses, and goes back where that fails or by chance. */
static bool steps_are_right(struct walk *walk, const struct exact_strategy *strategy,
                            struct random_state *random)
{
    struct exact_state *state = walk->state;
    struct exact_mark mark[STEPS];
    struct error error;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < STEPS; i++) {
        CU_ASSERT_EQUAL_FATAL(exact_state_reserve(state, &error), STATUS_OK);
        uint32_t buffer =
            exact_strategy_choose(strategy, state, (struct exact_range){0, walk->model->sections});
        bool possible = false;
        if (buffer != EXACT_NONE) {
            mark[depth++] = exact_node_mark(state);
            possible = random_below(random, 3) ? exact_node_place(state, buffer)
                                               : exact_node_reject(state, buffer);
        }
        if (depth && (!possible || !random_below(random, 5))) {
            depth = (uint32_t)random_below(random, depth);
            exact_node_undo(state, &mark[depth]);
        }
        if (!numbers_are_right(walk))
            return false;
    }
    return true;
}

static bool walk_is_right(const struct random_problem *kind, uint64_t seed, uint32_t width)
{
    struct random_state random = random_seed(seed);
    struct walk walk = begin_walk(kind, &random, width);
    const struct exact_strategy *strategy =
        exact_strategy_at((uint32_t)random_below(&random, exact_strategy_count()));
    struct error error;
    uint64_t capacity = 0;
    bool right = true;
    for (uint32_t s = 0; s < walk.model->sections; s++)
        capacity = walk.model->load[s] > capacity ? walk.model->load[s] : capacity;
    capacity += random_below(&random, 6);
    CU_ASSERT_EQUAL_FATAL(exact_strategy_rank(strategy, walk.model, walk.rank, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_state_reserve(walk.state, &error), STATUS_OK);
    if (walk.model->orderable && exact_node_start(walk.state, EXACT_RULES_ALL, walk.rank, capacity))
        right = numbers_are_right(&walk) && steps_are_right(&walk, strategy, &random);
    end_walk(&walk);
    return right;
}

static void test_numbers(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (uint32_t k = 0; k < KINDS; k++)
            for (uint32_t w = 0; w < WIDTHS; w++)
                if (!walk_is_right(&kinds[k], seed, lanes[w])) {
                    printf("seed %llu, kind %u, %u lanes\n", (unsigned long long)seed, k, lanes[w]);
                    CU_FAIL_FATAL("a section says what its jobs do not");
                }
}

static enum exact_outcome search(const struct random_problem *kind, uint64_t seed, uint32_t width,
                                 uint64_t capacity, uint64_t *next_capacity)
{
    struct random_state random = random_seed(seed);
    struct walk walk = begin_walk(kind, &random, width);
    struct exact_search *searching;
    struct exact_run run = {.strategy = exact_strategy_at(0),
                            .rank = walk.rank,
                            .rules = EXACT_RULES_ALL,
                            .capacity = capacity,
                            .grid = walk.grid,
                            .placements = UINT64_MAX,
                            .pause_ns = UINT64_MAX,
                            .deadline_ns = UINT64_MAX,
                            .experience = walk.state->experience};
    enum exact_outcome outcome = EXACT_STOPPED;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(exact_strategy_rank(run.strategy, walk.model, walk.rank, &error),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_search_create(walk.model, &searching, &error), STATUS_OK);
    if (walk.model->orderable)
        CU_ASSERT_EQUAL_FATAL(exact_search_run(searching, &run, &outcome, &error), STATUS_OK);
    *next_capacity = outcome == EXACT_REFUTED ? exact_search_state(searching)->next_capacity : 0;
    exact_search_free(searching);
    end_walk(&walk);
    return outcome;
}

/* From the least capacity that is not refused at once, up to one that is enough. */
static void test_widths_agree(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (uint32_t k = 0; k < KINDS; k++) {
            enum exact_outcome outcome[WIDTHS] = {EXACT_REFUTED};
            uint64_t next_capacity[WIDTHS] = {0};
            for (uint64_t capacity = 1; outcome[0] == EXACT_REFUTED; capacity = next_capacity[0]) {
                for (uint32_t w = 0; w < WIDTHS; w++)
                    outcome[w] = search(&kinds[k], seed, lanes[w], capacity, &next_capacity[w]);
                CU_ASSERT_FATAL(outcome[0] == outcome[1] && outcome[0] == outcome[2]);
                CU_ASSERT_FATAL(outcome[0] != EXACT_REFUTED || next_capacity[0] > capacity);
            }
        }
}

static void test_lanes(void)
{
    struct exact_rectangles rectangles = {.count = 5};
    CU_ASSERT_EQUAL(exact_grid_lanes(&rectangles, 1024), 16);
    CU_ASSERT_EQUAL(exact_grid_lanes(&rectangles, 8190), 16);
    CU_ASSERT_EQUAL(exact_grid_lanes(&rectangles, 8191), 8);
    CU_ASSERT_EQUAL(exact_grid_lanes(&rectangles, UINT64_C(1) << 28), 8);
    CU_ASSERT_EQUAL(exact_grid_lanes(&rectangles, UINT64_C(1) << 29), 4);
    rectangles.count = 40000;
    CU_ASSERT_EQUAL(exact_grid_lanes(&rectangles, 1024), 8);
}

static const struct test_case cases[] = {
    {"what sections say", test_numbers},
    {"numbers of any width say the same", test_widths_agree},
    {"as many sections as fit in a block", test_lanes},
};

TESTING_MAIN("solvers/exact/race/blocks", cases)
