#include <stdio.h>

#include "core/sort.h"
#include "searched.h"
#include "support/must.h"
#include "support/random_problem.h"

/* Follows plans from the bottom up, with the rules that only conclude and choose nothing. None of
   them may refuse a plan that fits, or raise a buffer above its place in it. */

enum { SEEDS = TESTING_COUNT(2000, 300), MOST_SLACK = 4, MOST_BUFFERS = 16, TRIES = 50 };

static const unsigned rules = EXACT_RULE_HANDOVER | EXACT_RULE_FIRST;

static const struct random_problem kinds[] = {
    {.most_buffers = 16, .steps = 12, .most_size = 20, .filled = true},
    {.most_buffers = 12, .steps = 8, .most_size = 8, .filled = true, .holes = true},
    {.most_buffers = 16, .steps = 20, .most_size = 9},
    {.most_buffers = 14, .steps = 12, .most_size = 8, .filled = true, .alignment = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct followed {
    const struct exact_model *model;
    struct exact_state *state;
    uint64_t offset[MOST_BUFFERS], peak;
    uint32_t order[MOST_BUFFERS]; /* by offset */
};

/* The least offset at which the buffer overlaps none of those with is_there. */
static uint64_t find_hole(const struct followed *all, const bool *is_there, uint32_t buffer)
{
    const struct exact_model *model = all->model;
    const struct conflicts *conflicts = model->conflicts;
    uint64_t offset = 0;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (!is_there[other] || offset + model->size[buffer] <= all->offset[other] ||
            offset >= all->offset[other] + model->size[other])
            continue;
        offset = exact_align(model, buffer, all->offset[other] + model->size[other]);
        i = conflicts->first[buffer] - 1;
    }
    return offset;
}

/* Plans with the buffers in random order, then lets them down until none can go down any more. */
static void make_plan(struct followed *all, struct random_state *random)
{
    uint32_t buffers = all->model->buffers;
    bool is_there[MOST_BUFFERS] = {false}, goes_down = true;
    uint64_t key[MOST_BUFFERS];
    for (uint32_t i = 0; i < buffers; i++) {
        uint32_t b = (uint32_t)random_below(random, buffers);
        while (is_there[b])
            b = (b + 1) % buffers;
        all->offset[b] = find_hole(all, is_there, b);
        is_there[b] = true;
    }
    while (goes_down) {
        goes_down = false;
        for (uint32_t b = 0; b < buffers; b++) {
            is_there[b] = false;
            uint64_t offset = find_hole(all, is_there, b);
            goes_down |= offset < all->offset[b];
            all->offset[b] = offset < all->offset[b] ? offset : all->offset[b];
            is_there[b] = true;
        }
    }
    all->peak = 0;
    for (uint32_t b = 0; b < buffers; b++) {
        key[b] = all->offset[b];
        all->order[b] = b;
        if (all->offset[b] + all->model->size[b] > all->peak)
            all->peak = all->offset[b] + all->model->size[b];
    }
    must(sort_items(key, all->order, buffers, &error));
}

static bool is_allowed(const struct followed *all)
{
    for (uint32_t b = 0; b < all->model->buffers; b++)
        if (all->state->lowest[b] > all->offset[b])
            return false;
    return true;
}

static bool can_follow(struct followed *all, uint64_t capacity)
{
    const uint32_t rank[MOST_BUFFERS] = {0};
    must(exact_state_reserve(all->state, &error));
    if (!exact_node_start(all->state, rules, rank, capacity) || !is_allowed(all))
        return false;
    for (uint32_t i = 0; i < all->model->buffers; i++) {
        must(exact_state_reserve(all->state, &error));
        exact_node_mark(all->state);
        if (all->state->lowest[all->order[i]] != all->offset[all->order[i]] ||
            !exact_node_place(all->state, all->order[i]) || !is_allowed(all))
            return false;
    }
    return true;
}

/* The best of some plans each, since lower ones have less slack. */
static void test_plans_are_followed(void)
{
    uint64_t raised[KINDS] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (uint32_t k = 0; k < KINDS; k++) {
            struct random_state random = random_seed(seed * KINDS + k);
            SCOPED(searched_clear) struct searched searched = {0};
            searched_create(random_problem_create(&kinds[k], &random), 16, false, &searched);
            struct followed trial = {.model = searched.model, .state = searched.state};
            struct followed all = {.peak = UINT64_MAX};
            for (uint32_t i = 0; i < TRIES; i++) {
                make_plan(&trial, &random);
                if (trial.peak < all.peak)
                    all = trial;
            }
            if (!can_follow(&all, all.peak) ||
                !can_follow(&all, all.peak + random_below(&random, MOST_SLACK + 1))) {
                printf("seed %llu, kind %u\n", (unsigned long long)seed, k);
                CU_FAIL_FATAL("a plan that fits is refused");
            }
            raised[k] += all.state->experience->counter[SEARCH_RAISED_HANDOVER];
        }
    for (uint32_t k = 0; k < KINDS; k++) {
        printf("\n  kind %u: raised %llu times", k, (unsigned long long)raised[k]);
        CU_ASSERT_TRUE(raised[k] > 0);
    }
}

static const struct test_case cases[] = {
    {"a plan that fits is followed to its end", test_plans_are_followed},
};

TESTING_MAIN("solvers/exact/race/handover", cases)
