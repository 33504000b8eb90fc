#include <string.h>

#include "core/memory.h"
#include "solvers/exact/race/race.h"
#include "solvers/exact/race/strategy.h"
#include "support/must.h"
#include "support/random_problem.h"

enum { MOST = 60, MANY = 120, SEEDS = 100 };

static const struct random_problem small = {
    .most_buffers = 14, .steps = 9, .most_size = 9, .filled = true};
static const struct random_problem large = {.most_buffers = MOST, .steps = 40, .most_size = 200};

struct raced {
    struct problem *problem;
    struct exact_model *model;
    struct exact_race *race;
    uint64_t offset[MANY], load;
};

/* All strategies with the rules, or one without any. */
static struct raced begin_race(const struct random_problem *kind, uint64_t seed, unsigned rules)
{
    const struct exact_race_options options = {
        .rules = rules, .strategies = rules ? 64 : 1, .threads = 1, .beam = true};
    struct random_state random = random_seed(seed);
    struct raced raced = {.problem = random_problem_create(kind, &random)};
    must(exact_model_create(raced.problem, &raced.model, &error));
    must(exact_race_create(raced.model, &options, &raced.race, &error));
    for (uint32_t s = 0; s < raced.model->sections; s++)
        raced.load = raced.model->load[s] > raced.load ? raced.model->load[s] : raced.load;
    return raced;
}

static void end_race(struct raced *raced)
{
    exact_race_free(raced->race);
    exact_model_free(raced->model);
    problem_free(raced->problem);
}

static struct exact_answer run(struct raced *raced, uint64_t capacity, uint32_t number)
{
    const struct exact_round round = {
        .capacity = capacity, .number = number, .deadline_ns = UINT64_MAX, .pause_ns = UINT64_MAX};
    struct exact_answer answer = {.offset = raced->offset};
    must(exact_race_run(raced->race, &round, &answer, &error));
    return answer;
}

static uint64_t count(const struct raced *raced, enum search_counter what)
{
    uint64_t counter[SEARCH_COUNTERS] = {0};
    exact_race_count(raced->race, counter);
    return counter[what];
}

/* Twice the load is room enough for the first strategy, which alone needs to run. */
static void test_first_round_answers(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        SCOPED(end_race) struct raced raced = begin_race(&small, seed, EXACT_RULES_ALL);
        CU_ASSERT_EQUAL(run(&raced, 2 * raced.load, 0).outcome, EXACT_FOUND);
        CU_ASSERT_EQUAL(count(&raced, SEARCH_RESTARTS), 1);
        CU_ASSERT_EQUAL(count(&raced, SEARCH_PLACEMENTS), raced.model->buffers);
        for (uint32_t b = 0; b < raced.model->buffers; b++)
            CU_ASSERT_TRUE(raced.offset[b] + raced.model->size[b] <= 2 * raced.load);
    }
}

/* Below the load no strategy has anything to place, and the load may fit next. */
static void test_below_the_load(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        SCOPED(end_race) struct raced raced = begin_race(&small, seed, EXACT_RULES_ALL);
        struct exact_answer answer = run(&raced, raced.load - 1, 0);
        CU_ASSERT_EQUAL(answer.outcome, EXACT_REFUTED);
        CU_ASSERT_EQUAL(answer.next_capacity, raced.load);
        CU_ASSERT_EQUAL(count(&raced, SEARCH_PLACEMENTS), 0);
    }
}

/* Without an answer, as often without rules, a strategy uses up its placements of the round, no
   more, and of the next round twice as many. */
static void test_placements_are_limited(void)
{
    uint32_t stopped = 0;
    for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
        SCOPED(end_race) struct raced raced = begin_race(&large, seed, 0);
        uint64_t most = raced.model->buffers * 3 / 2 + 8;
        if (run(&raced, raced.load, 0).outcome == EXACT_STOPPED) {
            stopped++;
            CU_ASSERT_EQUAL(count(&raced, SEARCH_PLACEMENTS), most);
            if (run(&raced, raced.load, 1).outcome == EXACT_STOPPED)
                CU_ASSERT_EQUAL(count(&raced, SEARCH_PLACEMENTS), 3 * most);
        }
    }
    CU_ASSERT_TRUE(stopped >= 5);
}

/* How many strategies take part in the round; *efforts gets how many times the placements of a
   first round they make together. */
static uint32_t count_from(uint32_t round, uint64_t *efforts)
{
    uint32_t strategies = 0;
    for (uint32_t i = 0; i < exact_strategy_count(); i++) {
        const struct exact_strategy *strategy = exact_strategy_at(i);
        strategies += strategy->from <= round;
        if (strategy->from <= round)
            *efforts += (uint64_t)strategy->effort << (round - strategy->from);
    }
    return strategies;
}

static void test_rounds_grow(void)
{
    uint64_t efforts = 0;
    CU_ASSERT_EQUAL(count_from(0, &efforts), 10);
    CU_ASSERT_EQUAL(efforts, 10);
    efforts = 0;
    CU_ASSERT_EQUAL(count_from(1, &efforts), exact_strategy_count());
    CU_ASSERT_EQUAL(efforts, 20 + 10 + 40 + 2 * 30 + 2 * 15 + 100);
}

/* A round that pauses as often as it can; *pauses counts how often. */
static struct exact_answer run_in_parts(struct raced *raced, uint64_t capacity, uint32_t number,
                                        uint32_t *pauses)
{
    const struct exact_round round = {
        .capacity = capacity, .number = number, .deadline_ns = UINT64_MAX};
    struct exact_answer answer = {.offset = raced->offset, .paused = true};
    for (; answer.paused; *pauses += answer.paused)
        must(exact_race_run(raced->race, &round, &answer, &error));
    return answer;
}

/* Rounds at the load, which learn from one to the next. */
static void test_pauses_change_nothing(void)
{
    static const struct random_problem kind = {
        .most_buffers = MANY, .steps = 60, .most_size = 100000};
    uint32_t pauses = 0, answers = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        SCOPED(end_race)
        struct raced one = begin_race(&kind, seed, EXACT_RULE_SPLIT),
                     other = begin_race(&kind, seed, EXACT_RULE_SPLIT);
        for (uint32_t number = 0; number < 3; number++) {
            struct exact_answer whole = run(&one, one.load, number),
                                parts = run_in_parts(&other, one.load, number, &pauses);
            CU_ASSERT_EQUAL(whole.outcome, parts.outcome);
            uint64_t counter[2][SEARCH_COUNTERS] = {{0}};
            exact_race_count(one.race, counter[0]);
            exact_race_count(other.race, counter[1]);
            CU_ASSERT_EQUAL(memcmp(counter[0], counter[1], sizeof counter[0]), 0);
            if (whole.outcome == EXACT_FOUND)
                CU_ASSERT_EQUAL(
                    memcmp(one.offset, other.offset, one.model->buffers * sizeof *one.offset), 0);
            answers += whole.outcome != EXACT_STOPPED;
        }
    }
    CU_ASSERT_TRUE(pauses > SEEDS && answers > SEEDS);
}

/* What was under way is left, and the race answers the next question. */
static void test_a_pause_may_be_left(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        SCOPED(end_race) struct raced raced = begin_race(&large, seed, EXACT_RULES_ALL);
        const struct exact_round round = {
            .capacity = raced.load, .number = 1, .deadline_ns = UINT64_MAX};
        struct exact_answer answer = {.offset = raced.offset};
        must(exact_race_run(raced.race, &round, &answer, &error));
        CU_ASSERT_EQUAL(run(&raced, 2 * raced.load, 0).outcome, EXACT_FOUND);
        CU_ASSERT_EQUAL(run(&raced, raced.load - 1, 0).outcome, EXACT_REFUTED);
    }
}

static const struct test_case cases[] = {
    {"the first strategy answers in the first round", test_first_round_answers},
    {"below the load", test_below_the_load},
    {"placements are limited", test_placements_are_limited},
    {"rounds grow", test_rounds_grow},
    {"pauses change nothing", test_pauses_change_nothing},
    {"a pause may be left", test_a_pause_may_be_left},
};

TESTING_MAIN("solvers/exact/race/race", cases)
