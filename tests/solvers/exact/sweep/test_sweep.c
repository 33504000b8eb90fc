#include "solvers/exact/sweep/sweep.h"

#include "core/memory.h"
#include "datasets/instance.h"
#include "planning/problem/bounds.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"

enum { SEEDS = TESTING_COUNT(3000, 200), PASSES = 8 };

/* Asks for a plan of the capacity, in one go or with a pause after each border. */
static bool find_plan(const struct exact_model *model, uint64_t capacity, bool pauses,
                      uint64_t *offset)
{
    SCOPED(exact_sweep_release) struct exact_sweep *sweep = NULL;
    const struct exact_round round = {
        .capacity = capacity, .deadline_ns = UINT64_MAX, .pause_ns = pauses ? 0 : UINT64_MAX};
    struct exact_answer answer;
    must(exact_sweep_create(model, &sweep, &error));
    if (!sweep)
        return false;
    do {
        answer = (struct exact_answer){.offset = offset};
        must(exact_sweep_run(sweep, &round, PASSES, &answer, &error));
    } while (answer.paused);
    CU_ASSERT_NOT_EQUAL(answer.outcome, EXACT_REFUTED);
    return answer.outcome == EXACT_FOUND;
}

static bool is_plan(const struct exact_model *model, uint64_t capacity, const uint64_t *offset)
{
    for (uint32_t b = 0; b < model->buffers; b++) {
        uint64_t end = offset[b] + model->size[b];
        if (end > capacity)
            return false;
        for (uint64_t i = model->conflicts->first[b]; i < model->conflicts->first[b + 1]; i++) {
            uint32_t other = model->conflicts->other[i];
            if (offset[b] < offset[other] + model->size[other] && offset[other] < end)
                return false;
        }
    }
    return true;
}

/* How often a plan is found; each is one, and pauses change nothing. */
static uint32_t count_found(const struct problem *problem, uint64_t slack)
{
    SCOPED(exact_model_release) struct exact_model *model = NULL;
    SCOPED(memory_release) uint64_t *offset = NULL;
    uint64_t load = 0;
    must(exact_model_create(problem, &model, &error));
    must(memory_create(&offset, problem->buffers, sizeof *offset, &error));
    for (uint32_t s = 0; s < model->sections; s++)
        load = model->load[s] > load ? model->load[s] : load;
    bool found = find_plan(model, load + slack, false, offset);
    CU_ASSERT(!found || is_plan(model, load + slack, offset));
    CU_ASSERT_EQUAL(find_plan(model, load + slack, true, offset), found);
    return found;
}

/* Cuts without waste of several shapes, and with some pieces left out. */
static void test_cuts(void)
{
    static const char *const shapes[] = {
        "choose=area&pinwheels=0&joins=0", "choose=time&pinwheels=50",
        "choose=space&joins=2&unit=65536", "choose=area&pinwheels=0&joins=0&slack=5"};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t found = 0, seeds = SEEDS / 50;
        for (uint32_t seed = 1; seed <= seeds; seed++) {
            char name[160];
            SCOPED(instance_release) struct instance *instance = NULL;
            snprintf(name, sizeof name, "generate:tight?buffers=60&steps=60&%s&seed=%u", shapes[i],
                     seed);
            must(instance_load(name, NULL, &instance, &error));
            found += count_found(instance->problem, 0);
        }
        CU_ASSERT(10 * found >= 4 * seeds);
    }
}

static void test_random_problems(void)
{
    static const struct random_problem kinds[] = {
        {.most_buffers = 12, .steps = 9, .most_size = 9, .filled = true},
        {.most_buffers = 30, .steps = 30, .most_size = 5},
        {.most_buffers = 10, .steps = 12, .most_size = 4, .holes = true},
        {.most_buffers = 10, .steps = 12, .most_size = 4, .fixed = true},
        {.most_buffers = 10, .steps = 12, .most_size = 4, .windows = true},
    };
    uint32_t found = 0;
    for (uint32_t i = 0; i < SEEDS; i++) {
        struct random_state random = random_seed(i);
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&kinds[i % 5], &random);
        found += count_found(problem, i % 3);
    }
    CU_ASSERT(found > SEEDS / 10);
}

static enum status sweep_once(const void *input, struct error *failed)
{
    uint64_t offset[64];
    const struct problem *problem = input;
    SCOPED(exact_model_release) struct exact_model *model = NULL;
    SCOPED(exact_sweep_release) struct exact_sweep *sweep = NULL;
    struct exact_answer answer = {.offset = offset};
    TRY(exact_model_create(problem, &model, failed));
    const struct exact_round question = {
        .capacity = model->load[0], .deadline_ns = UINT64_MAX, .pause_ns = UINT64_MAX};
    TRY(exact_sweep_create(model, &sweep, failed));
    return exact_sweep_run(sweep, &question, 4, &answer, failed);
}

static void test_no_memory(void)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    must(instance_load("generate:tight?buffers=20&steps=20&seed=2", NULL, &instance, &error));
    fail_each(sweep_once, instance->problem);
}

static const struct test_case cases[] = {
    {"cuts", test_cuts}, {"random problems", test_random_problems}, {"no memory", test_no_memory}};
TESTING_MAIN("solvers/exact/sweep/sweep", cases)
