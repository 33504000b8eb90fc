#include <string.h>

#include "core/memory.h"
#include "searched.h"
#include "solvers/exact/race/beam.h"
#include "solvers/exact/race/cheapest.h"
#include "solvers/exact/race/copies.h"
#include "support/must.h"
#include "support/random_problem.h"

/* The beam and what it stands on: the cheapest of the best nodes, and copies of a state. */

enum { SEEDS = TESTING_COUNT(300, 15), MOST = 40, OFFERED = 200, MOST_STEPS = 60 };

static const struct random_problem kinds[] = {
    {.most_buffers = 14, .steps = 9, .most_size = 9, .filled = true},
    {.most_buffers = MOST, .steps = 30, .most_size = 7, .holes = true},
    {.most_buffers = MOST, .steps = 30, .most_size = 50, .alignment = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .fixed = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A thing that was offered to a cheapest. */
struct offered {
    double price;
    uint64_t digest;
    bool is_kept;
};

static bool is_kept(const struct exact_cheapest *cheapest, uint64_t thing)
{
    for (uint32_t i = 0; i < cheapest->count; i++)
        if (memcmp(exact_cheapest_at(cheapest, i), &thing, sizeof thing) == 0)
            return true;
    return false;
}

/* Offers things whose prices all differ, some of them twice, and compares what is kept with a list
   of all: the dearest of those that are kept falls off. */
static void offer_all(struct exact_cheapest *cheapest, struct random_state *random)
{
    struct offered offered[OFFERED];
    uint32_t count = 0, kept = 0;
    exact_cheapest_empty(cheapest);
    for (uint64_t i = 0; i < OFFERED; i++) {
        double price = (double)random_below(random, 1000) + (double)i / OFFERED;
        uint64_t digest = random_below(random, OFFERED);
        bool was_taken = false;
        for (uint32_t k = 0; k < count; k++)
            was_taken |= offered[k].digest == digest;
        if (!exact_cheapest_wants(cheapest, price))
            continue;
        uint64_t *thing = exact_cheapest_add(cheapest, price, digest);
        CU_ASSERT_EQUAL(!thing, was_taken);
        if (!thing)
            continue;
        *thing = count;
        offered[count++] = (struct offered){price, digest, true};
        uint32_t dearest = count;
        for (uint32_t k = 0; k < count; k++)
            if (offered[k].is_kept &&
                (dearest == count || offered[k].price > offered[dearest].price))
                dearest = k;
        if (++kept > cheapest->room)
            offered[dearest].is_kept = false;
        kept = cheapest->count;
    }
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(is_kept(cheapest, i), offered[i].is_kept);
}

static void test_the_cheapest_are_kept(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(exact_cheapest_clear) struct exact_cheapest cheapest = {0};
        uint32_t room = 1 + (uint32_t)random_below(&random, 30);
        must(exact_cheapest_fill(&cheapest, room, OFFERED, sizeof(uint64_t), &error));
        offer_all(&cheapest, &random);
        offer_all(&cheapest, &random);
    }
}

/* A state at the root of a search, or false where that is refused. */
static bool enter_root(uint64_t seed, uint64_t more, struct searched *rooted)
{
    struct random_state random = random_seed(seed);
    searched_create(random_problem_create(&kinds[seed % KINDS], &random), 16, true, rooted);
    must(exact_strategy_rank(exact_strategy_at(0), rooted->model, rooted->rank, &error));
    return rooted->model->orderable &&
           exact_node_start(rooted->state, EXACT_RULES_ALL, rooted->rank, rooted->load + more);
}

/* Places or rejects what the strategy chooses, as the bits of `turns` say, until nothing is left, a
   node refuses, or this number of steps is done. Fills *digest with what came of it. */
static void walk(const struct searched *rooted, uint64_t turns, uint32_t steps, uint64_t *digest)
{
    const struct exact_range all = {0, rooted->model->sections};
    struct exact_state *state = rooted->state;
    *digest = 0;
    for (uint32_t i = 0; i < steps; i++, turns /= 2) {
        must(exact_state_reserve(state, &error));
        uint32_t buffer = exact_strategy_choose(exact_strategy_at(0), state, all);
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
        SCOPED(searched_clear) struct searched rooted = {0};
        SCOPED(memory_release) uint64_t *copy = NULL;
        uint64_t turns = random_mix(seed) & random_mix(seed + 1), digest[4];
        if (!enter_root(seed, seed % 5, &rooted))
            continue;
        struct exact_copies copies = exact_copies_of(rooted.state);
        CU_ASSERT_FATAL(copies.bytes % sizeof *copy == 0);
        must(memory_create(&copy, copies.bytes, 1, &error));
        walk(&rooted, turns, (uint32_t)(turns >> 60), &digest[0]);
        exact_copies_save(&copies, copy);
        walk(&rooted, turns >> 8, MOST_STEPS, &digest[1]);
        exact_copies_load(&copies, copy);
        struct exact_mark mark = exact_node_mark(rooted.state);
        walk(&rooted, turns >> 8, MOST_STEPS, &digest[2]);
        exact_node_undo(rooted.state, &mark);
        walk(&rooted, turns >> 8, MOST_STEPS, &digest[3]);
        CU_ASSERT_EQUAL(digest[1], digest[2]);
        CU_ASSERT_EQUAL(digest[1], digest[3]);
        walked++;
    }
    CU_ASSERT_TRUE(walked > SEEDS);
}

static bool is_plan(const struct searched *rooted, uint64_t capacity)
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
static bool run_pass(const struct searched *rooted, uint64_t placements, uint64_t seed)
{
    SCOPED(exact_beam_release) struct exact_beam *beam = NULL;
    bool found = false;
    must(exact_beam_create(&beam, &error));
    must(exact_beam_begin(beam, rooted->state, placements, seed, &error));
    while (!found && !exact_beam_is_over(beam))
        must(exact_beam_advance(beam, exact_strategy_at(0), &found, &error));
    return found;
}

/* What a pass finds is a plan. With some room it always finds one, and mostly at the load, too, but
   that fixed buffers may leave none. */
static void test_passes_find_plans(void)
{
    uint32_t found[2] = {0}, passes = 0;
    for (uint64_t seed = 1; seed <= 8 * SEEDS; seed++) {
        SCOPED(searched_clear) struct searched rooted = {0};
        uint64_t more = seed % 2 ? 20 : 0;
        bool can_be = enter_root(seed / 2, more, &rooted), is_free = !rooted.model->has_fixed;
        passes += is_free;
        if (!can_be || !run_pass(&rooted, 100 * rooted.model->buffers, seed))
            continue;
        found[seed % 2] += is_free;
        CU_ASSERT_TRUE(is_plan(&rooted, rooted.load + more));
    }
    CU_ASSERT_TRUE(passes > 4 * SEEDS && found[1] >= passes / 2);
    CU_ASSERT_TRUE(found[0] >= passes / 2 * 9 / 10);
}

static const struct test_case cases[] = {
    {"the cheapest are kept", test_the_cheapest_are_kept},
    {"from a copy the search goes on as from the original", test_copies_go_on_alike},
    {"passes find plans", test_passes_find_plans},
};

TESTING_MAIN("solvers/exact/race/beam", cases)
