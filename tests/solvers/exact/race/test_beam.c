#include <string.h>

#include "core/memory.h"
#include "solvers/exact/race/beam.h"
#include "solvers/exact/race/copies.h"
#include "solvers/exact/race/node.h"
#include "solvers/exact/race/shelf.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* The beam and what it stands on: the shelf of the best nodes, and copies of a state. */

enum { SEEDS = TESTING_COUNT(300, 40), MOST = 40, OFFERED = 200, MOST_STEPS = 60 };

static const struct random_problem kinds[] = {
    {.most_buffers = 14, .steps = 9, .most_size = 9, .filled = true},
    {.most_buffers = MOST, .steps = 30, .most_size = 7, .holes = true},
    {.most_buffers = MOST, .steps = 30, .most_size = 50, .alignment = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .fixed = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A thing that was offered to a shelf. */
struct offered {
    double price;
    uint64_t digest;
    bool is_kept;
};

/* Takes what is dearest of those that are kept off, as the shelf should. */
static void drop_dearest(struct offered *offered, uint32_t count)
{
    uint32_t dearest = count;
    for (uint32_t i = 0; i < count; i++)
        if (offered[i].is_kept && (dearest == count || offered[i].price > offered[dearest].price))
            dearest = i;
    CU_ASSERT_FATAL(dearest < count);
    offered[dearest].is_kept = false;
}

static bool was_taken(const struct offered *offered, uint32_t count, uint64_t digest)
{
    for (uint32_t i = 0; i < count; i++)
        if (offered[i].digest == digest)
            return true;
    return false;
}

static bool is_on_shelf(const struct exact_shelf *shelf, uint64_t thing)
{
    for (uint32_t i = 0; i < shelf->count; i++)
        if (memcmp(exact_shelf_at(shelf, i), &thing, sizeof thing) == 0)
            return true;
    return false;
}

/* Offers things whose prices all differ, some of them twice, and compares what is kept with a list
   of all. */
static void offer_all(struct exact_shelf *shelf, struct random_state *random)
{
    struct offered offered[OFFERED];
    uint32_t count = 0, kept = 0;
    exact_shelf_empty(shelf);
    for (uint64_t i = 0; i < OFFERED; i++) {
        double price = (double)random_below(random, 1000) + (double)i / OFFERED;
        uint64_t digest = random_below(random, OFFERED);
        if (!exact_shelf_wants(shelf, price))
            continue;
        uint64_t *thing = exact_shelf_add(shelf, price, digest);
        CU_ASSERT_EQUAL(!thing, was_taken(offered, count, digest));
        if (!thing)
            continue;
        *thing = count;
        offered[count++] = (struct offered){price, digest, true};
        if (++kept > shelf->room)
            drop_dearest(offered, count);
        kept = shelf->count;
    }
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(is_on_shelf(shelf, i), offered[i].is_kept);
}

static void test_the_shelf_keeps_the_best(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(exact_shelf_clear) struct exact_shelf shelf = {0};
        struct error error;
        uint32_t room = 1 + (uint32_t)random_below(&random, 30);
        CU_ASSERT_EQUAL_FATAL(exact_shelf_fill(&shelf, room, OFFERED, sizeof(uint64_t), &error),
                              STATUS_OK);
        offer_all(&shelf, &random);
        offer_all(&shelf, &random);
    }
}

/* A model with a state at the root of a search, or at what refused it. */
struct rooted {
    struct problem *problem;
    struct exact_model *model;
    struct exact_rectangles rectangles;
    struct exact_grid *grid;
    struct exact_state *state;
    const struct exact_strategy *strategy;
    uint32_t rank[MOST];
    uint64_t load;
    bool can_be;
};

static struct rooted *create_rooted(uint64_t seed, uint64_t more)
{
    struct random_state random = random_seed(seed);
    struct rooted *rooted = memory_allocate(1, sizeof *rooted);
    struct error error;
    CU_ASSERT_FATAL(rooted != NULL);
    rooted->problem = random_problem_create(&kinds[seed % KINDS], &random);
    rooted->strategy = exact_strategy_at(0);
    CU_ASSERT_EQUAL_FATAL(exact_model_create(rooted->problem, &rooted->model, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_rectangles_fill(rooted->model, &rooted->rectangles, &error),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_grid_create(&rooted->rectangles, 16, &rooted->grid, &error),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_state_create(rooted->model, &rooted->state, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_state_fit(rooted->state, rooted->grid, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        exact_experience_create(rooted->model, true, &rooted->state->experience, &error),
        STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        exact_strategy_rank(rooted->strategy, rooted->model, rooted->rank, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_state_reserve(rooted->state, &error), STATUS_OK);
    for (uint32_t s = 0; s < rooted->model->sections; s++)
        rooted->load =
            rooted->model->load[s] > rooted->load ? rooted->model->load[s] : rooted->load;
    rooted->can_be =
        rooted->model->orderable &&
        exact_node_start(rooted->state, EXACT_RULES_ALL, rooted->rank, rooted->load + more);
    return rooted;
}

static void free_rooted(struct rooted *rooted)
{
    exact_experience_free(rooted->state->experience);
    exact_state_free(rooted->state);
    exact_grid_free(rooted->grid);
    scratch_free(&rooted->rectangles.memory);
    exact_model_free(rooted->model);
    problem_free(rooted->problem);
    memory_free(rooted);
}

static uint32_t choose(const struct rooted *rooted)
{
    return exact_strategy_choose(rooted->strategy, rooted->state,
                                 (struct exact_range){0, rooted->model->sections});
}

/* Places or rejects what the strategy chooses, as the bits of `turns` say, until nothing is left, a
   node refuses, or so many steps are done. Fills *digest with what came of it. */
static void walk(const struct rooted *rooted, uint64_t turns, uint32_t steps, uint64_t *digest)
{
    struct exact_state *state = rooted->state;
    struct error error;
    *digest = 0;
    for (uint32_t i = 0; i < steps; i++, turns /= 2) {
        CU_ASSERT_EQUAL_FATAL(exact_state_reserve(state, &error), STATUS_OK);
        uint32_t buffer = choose(rooted);
        if (buffer == EXACT_NONE)
            return;
        struct exact_mark mark = exact_node_mark(state);
        bool can_be =
            turns % 2 ? exact_node_reject(state, buffer) : exact_node_place(state, buffer);
        *digest = random_mix(*digest + buffer + can_be);
        if (!can_be)
            exact_node_undo(state, &mark);
        for (uint32_t b = 0; b < rooted->model->buffers; b++)
            *digest = random_mix(*digest + state->lowest[b] + state->placed[b]);
    }
}

/* From a copy the search goes on as it did from the original, however far away the state was when
   the copy was loaded, and can go back to where it was loaded. */
static void test_copies_go_on_alike(void)
{
    uint32_t walked = 0;
    for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
        struct rooted *rooted = create_rooted(seed, seed % 5);
        uint64_t turns = random_mix(seed) & random_mix(seed + 1), digest[4];
        struct exact_copies copies = exact_copies_of(rooted->state);
        uint64_t *copy = memory_allocate(copies.bytes / sizeof *copy, sizeof *copy);
        CU_ASSERT_FATAL(copy != NULL && copies.bytes % sizeof *copy == 0);
        for (; rooted->can_be; rooted->can_be = false, walked++) {
            walk(rooted, turns, (uint32_t)(turns >> 60), &digest[0]);
            exact_copies_save(&copies, copy);
            walk(rooted, turns >> 8, MOST_STEPS, &digest[1]);
            exact_copies_load(&copies, copy);
            struct exact_mark mark = exact_node_mark(rooted->state);
            walk(rooted, turns >> 8, MOST_STEPS, &digest[2]);
            exact_node_undo(rooted->state, &mark);
            walk(rooted, turns >> 8, MOST_STEPS, &digest[3]);
            CU_ASSERT_EQUAL(digest[1], digest[2]);
            CU_ASSERT_EQUAL(digest[1], digest[3]);
        }
        memory_free(copy);
        free_rooted(rooted);
    }
    CU_ASSERT_TRUE(walked > SEEDS);
}

static bool is_plan(const struct rooted *rooted, uint64_t capacity)
{
    const struct exact_model *model = rooted->model;
    const struct exact_state *state = rooted->state;
    for (uint32_t b = 0; b < model->buffers; b++) {
        if (!state->placed[b] || state->lowest[b] + model->size[b] > capacity)
            return false;
        for (uint64_t i = model->conflicts->first[b]; i < model->conflicts->first[b + 1]; i++) {
            uint32_t other = model->conflicts->other[i];
            if (state->lowest[other] < state->lowest[b] + model->size[b] &&
                state->lowest[b] < state->lowest[other] + model->size[other])
                return false;
        }
    }
    return true;
}

/* A pass of a beam from the root. */
static bool run_pass(const struct rooted *rooted, uint64_t placements, uint64_t seed)
{
    struct exact_beam *beam;
    struct error error;
    bool found = false;
    CU_ASSERT_EQUAL_FATAL(exact_beam_create(&beam, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(exact_beam_begin(beam, rooted->state, placements, seed, &error),
                          STATUS_OK);
    while (!found && !exact_beam_is_over(beam))
        CU_ASSERT_EQUAL_FATAL(exact_beam_advance(beam, rooted->strategy, &found, &error),
                              STATUS_OK);
    exact_beam_free(beam);
    return found;
}

/* What a pass finds is a plan. With some room it always finds one, and mostly at the load, too, but
   that fixed buffers may leave none. */
static void test_passes_find_plans(void)
{
    uint32_t found[2] = {0}, passes = 0;
    for (uint64_t seed = 1; seed <= 8 * SEEDS; seed++) {
        struct rooted *rooted = create_rooted(seed / 2, seed % 2 ? 20 : 0);
        bool is_free = !rooted->model->has_fixed;
        passes += is_free;
        if (rooted->can_be && run_pass(rooted, 100 * rooted->model->buffers, seed)) {
            found[seed % 2] += is_free;
            CU_ASSERT_TRUE(is_plan(rooted, rooted->load + (seed % 2 ? 20 : 0)));
        }
        free_rooted(rooted);
    }
    CU_ASSERT_TRUE(passes > 4 * SEEDS && found[1] >= passes / 2);
    CU_ASSERT_TRUE(found[0] >= passes / 2 * 9 / 10);
}

static const struct test_case cases[] = {
    {"the shelf keeps the best", test_the_shelf_keeps_the_best},
    {"from a copy the search goes on as from the original", test_copies_go_on_alike},
    {"passes find plans", test_passes_find_plans},
};

TESTING_MAIN("solvers/exact/race/beam", cases)
