#include <stdio.h>

#include "core/memory.h"
#include "searched.h"
#include "support/must.h"
#include "support/random_problem.h"

static const uint32_t lanes[] = {16, 8, 4};

enum { WIDTHS = 3, STEPS = 60, SEEDS = TESTING_COUNT(300, 60) };

static const struct random_problem kinds[] = {
    {.most_buffers = 30, .steps = 40, .most_size = 9},
    {.most_buffers = 14, .steps = 12, .most_size = 20, .filled = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .holes = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .alignment = true},
    {.most_buffers = 12, .steps = 20, .most_size = 9, .windows = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* What a section should say, job by job. */
static uint64_t expect(const struct searched *walk, uint32_t section, enum exact_number number)
{
    const struct exact_model *model = walk->model;
    uint64_t release[SEARCHED_MOST], width[SEARCHED_MOST], bytes = 0, floor = UINT64_MAX;
    uint64_t span = 0, candidates = 0;
    uint32_t count = 0;
    for (uint64_t i = model->first[section]; i < model->first[section + 1]; i++) {
        uint32_t b = model->member[i], at = count;
        uint64_t lowest = walk->state->lowest[b], begin = lowest + exact_member_lower(model, i);
        if (walk->state->placed[b])
            continue;
        for (; at && release[at - 1] > begin; at--) {
            release[at] = release[at - 1];
            width[at] = width[at - 1];
        }
        release[at] = begin;
        width[at] = exact_member_width(model, i);
        bytes += width[at];
        floor = lowest < floor ? lowest : floor;
        count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        span = (span > release[i] ? span : release[i]) + width[i];
        candidates += release[i] + bytes <= walk->state->capacity;
    }
    const uint64_t numbers[] = {[EXACT_BYTES_LEFT] = bytes,
                                [EXACT_FLOOR] = floor,
                                [EXACT_SPAN] = span,
                                [EXACT_CANDIDATES] = candidates};
    return numbers[number];
}

static bool numbers_are_right(const struct searched *walk)
{
    uint32_t sections = walk->model->sections;
    SCOPED(memory_release) uint64_t *found = NULL;
    must(memory_create(&found, (size_t)sections + EXACT_MOST_LANES, sizeof *found, &error));
    for (enum exact_number number = EXACT_BYTES_LEFT; number <= EXACT_CANDIDATES; number++) {
        exact_batches_read(&walk->state->batches, number, 0, sections, found);
        for (uint32_t s = 0; s < sections; s++)
            if (found[s] != expect(walk, s, number))
                return false;
    }
    return true;
}

/* Places or rejects what a strategy chooses, and goes back where that fails or by chance. */
static bool steps_are_right(struct searched *walk, const struct exact_strategy *strategy,
                            struct random_state *random)
{
    struct exact_state *state = walk->state;
    struct exact_mark mark[STEPS];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < STEPS; i++) {
        must(exact_state_reserve(state, &error));
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
    SCOPED(searched_clear) struct searched walk = {0};
    searched_create(random_problem_create(kind, &random), width, false, &walk);
    const struct exact_strategy *strategy =
        exact_strategy_at((uint32_t)random_below(&random, exact_strategy_count()));
    uint64_t capacity = walk.load + random_below(&random, 6);
    must(exact_strategy_rank(strategy, walk.model, walk.rank, &error));
    return !walk.model->orderable ||
           !exact_node_start(walk.state, EXACT_RULES_ALL, walk.rank, capacity) ||
           (numbers_are_right(&walk) && steps_are_right(&walk, strategy, &random));
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

/* From the least capacity that is not refused at once, up to one that is enough. */
static void test_widths_agree(void)
{
    for (uint64_t i = 0; i < SEEDS * KINDS; i++) {
        struct searched walk[WIDTHS];
        enum exact_outcome outcome[WIDTHS] = {EXACT_REFUTED};
        uint64_t next[WIDTHS] = {0};
        for (uint32_t w = 0; w < WIDTHS; w++) {
            struct random_state random = random_seed(1 + i / KINDS);
            searched_create(random_problem_create(&kinds[i % KINDS], &random), lanes[w], false,
                            &walk[w]);
        }
        for (uint64_t capacity = 1; outcome[0] == EXACT_REFUTED; capacity = next[0]) {
            for (uint32_t w = 0; w < WIDTHS; w++)
                outcome[w] = searched_run(&walk[w], 0, capacity, &next[w]);
            CU_ASSERT_FATAL(outcome[0] == outcome[1] && outcome[0] == outcome[2]);
            CU_ASSERT_FATAL(next[0] == next[1] && next[0] == next[2]);
            CU_ASSERT_FATAL(outcome[0] != EXACT_REFUTED || next[0] > capacity);
        }
        for (uint32_t w = 0; w < WIDTHS; w++)
            searched_clear(&walk[w]);
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
    {"as many sections as fit in a batch", test_lanes},
};

TESTING_MAIN("solvers/exact/race/batches", cases)
