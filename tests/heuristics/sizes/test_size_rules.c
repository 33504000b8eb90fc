#include <inttypes.h>
#include <stdio.h>

#include "core/memory.h"
#include "heuristics/sizes/size_rules.h"
#include "planning/verify/problem/plan.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* A family whose sizes come and whose example are made from texts, with n from 1 to most. */
struct drawn {
    struct problem *problem;
    struct family family;
    uint64_t size[64], hint[64], offset[64], peak_bytes;
};

static void free_drawn(struct drawn *drawn)
{
    family_free(&drawn->family);
    problem_free(drawn->problem);
}

/* Takes the sizes of the problem as those per n, where `per_n` says so, and as constants else. */
static void make_family(struct drawn *drawn, uint64_t most, uint64_t per_n, uint64_t came)
{
    struct problem *problem = drawn->problem;
    uint64_t example = 1;
    must(sizes_create(&problem->sizes, &error));
    must(sizes_add_parameter(problem->sizes, "n", 1, most, &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        SCOPED(text_free) struct text text = {0};
        text_append(&text, "%s%" PRIu64, per_n >> b & 1 ? "n*" : "", problem->size[b]);
        must(sizes_add(problem->sizes, text.bytes, &error));
        problem_resize(problem, b, problem->size[b] * (per_n >> b & 1 ? most : 1));
    }
    must(problem_finish(problem, &error));
    must(family_create(problem, &drawn->family, &error));
    CU_ASSERT_TRUE(family_sizes(&drawn->family, &came, drawn->size));
    CU_ASSERT_TRUE(family_sizes(&drawn->family, &example, drawn->hint));
}

static enum status run_rule(struct drawn *drawn, size_rule *rule, struct error *at)
{
    const struct size_rule_task task = {&drawn->family, drawn->size, drawn->hint};
    return rule(&task, drawn->offset, &drawn->peak_bytes, at);
}

static void expect(const struct made_buffer *rows, uint32_t count, size_rule *rule,
                   const uint64_t *offsets, uint64_t peak)
{
    SCOPED(free_drawn) struct drawn drawn = {.problem = made_problem(rows, count)};
    make_family(&drawn, 1, 0, 1);
    must(run_rule(&drawn, rule, &error));
    CU_ASSERT_EQUAL(drawn.peak_bytes, peak);
    for (uint32_t b = 0; b < count; b++)
        CU_ASSERT_EQUAL(drawn.offset[b], offsets[b]);
}

/* The one example for all rules, A to F, in units of 512 bytes, and of 1 MiB for bfc. */
static void test_one_example(void)
{
#define EXAMPLE(unit)                                                                              \
    {                                                                                              \
        {0, 2, 3 * (unit)}, {1, 5, 4 * (unit)}, {1, 4, 2 * (unit)}, {3, 4, 3 * (unit)},            \
            {4, 6, 1 * (unit)}, {4, 5, 5 * (unit)},                                                \
    }
    static const struct made_buffer small[] = EXAMPLE(512), large[] = EXAMPLE(1 << 20);
    static const uint64_t lowest[] = {0, 3 * 512, 7 * 512, 0, 0, 7 * 512};
    static const uint64_t tree[] = {0, 5 * 512, 9 * 512, 0, 9 * 512, 0};
    static const uint64_t regions[] = {0, 4 << 20, 8 << 20, 0, 0, 8 << 20};
    expect(small, 6, size_rules_best_fit, lowest, 12 * 512);
    expect(small, 6, size_rules_ggml, lowest, 12 * 512);
    expect(small, 6, size_rules_inductor, tree, 11 * 512);
    expect(large, 6, size_rules_bfc, regions, 16 << 20);
}

/* Of two free blocks of the same size the lowest and the highest. */
static void test_equal_blocks(void)
{
    static const struct made_buffer rows[] = {
        {0, 1, 64}, {0, 3, 64}, {0, 1, 64}, {0, 3, 64}, {1, 2, 64}};
    SCOPED(free_drawn) struct drawn drawn = {.problem = made_problem(rows, 5)};
    make_family(&drawn, 1, 0, 1);
    must(run_rule(&drawn, size_rules_best_fit, &error));
    CU_ASSERT_EQUAL(drawn.offset[4], 0);
    must(run_rule(&drawn, size_rules_ggml, &error));
    CU_ASSERT_EQUAL(drawn.offset[4],
                    drawn.offset[0] > drawn.offset[2] ? drawn.offset[0] : drawn.offset[2]);
}

static void test_objects(void)
{
    static const struct made_buffer rows[] = {{0, 2, 100}, {1, 3, 50}, {2, 4, 60}, {3, 5, 2000}};
    static const uint64_t offsets[] = {0, 100, 0, 150};
    expect(rows, 4, size_rules_relax, offsets, 2150);

    /* The third object is grown, since it is more than a 16th. */
    static const struct made_buffer grown[] = {{0, 2, 100}, {2, 3, 1600}, {3, 4, 99}};
    static const uint64_t one[] = {0, 0, 1600};
    expect(grown, 3, size_rules_relax, one, 1699);

    /* 10 n, 10 and 10 n again. */
    static const struct made_buffer same[] = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}};
    SCOPED(free_drawn) struct drawn drawn = {.problem = made_problem(same, 3)};
    make_family(&drawn, 9, 5, 4);
    must(run_rule(&drawn, size_rules_relax_symbolic, &error));
    CU_ASSERT_EQUAL(drawn.peak_bytes, 50);
    CU_ASSERT_EQUAL(drawn.offset[2], 0);
}

/* Pools for n = 1 at n = 8: A 4, B 4 n, C 3 n. */
static void test_pools_of_an_example(void)
{
    static const struct made_buffer rows[] = {{0, 1, 4 * 64}, {1, 2, 4 * 64}, {0, 1, 3 * 64}};
    SCOPED(free_drawn) struct drawn drawn = {.problem = made_problem(rows, 3)};
    make_family(&drawn, 8, 6, 8);
    must(run_rule(&drawn, size_rules_inductor, &error));
    CU_ASSERT_EQUAL(drawn.peak_bytes, 56 * 64);
    CU_ASSERT_EQUAL(drawn.offset[2], 32 * 64);
}

static size_rule *const every[] = {
    size_rules_best_fit, size_rules_ggml,           size_rules_bfc,
    size_rules_relax,    size_rules_relax_symbolic, size_rules_inductor};
enum { EVERY = sizeof every / sizeof *every };

/* No two buffers that are live at once overlap, and all lie within what is held. */
static void test_safe(void)
{
    static const struct random_problem kind = {.most_buffers = 30,
                                               .steps = 12,
                                               .most_size = 900,
                                               .holes = true,
                                               .alignment = true,
                                               .conflicts = true};
    struct random_state random = random_seed(3434);
    for (int round = 0; round < TESTING_COUNT(3000, 300); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = random_problem_create(&kind, &random)};
        make_family(&drawn, 7, random_next(&random), 1 + random_below(&random, 7));
        for (size_t r = 0; r < EVERY; r++) {
            SCOPED(plan_release) struct plan *plan = NULL;
            struct verdict verdict;
            must(run_rule(&drawn, every[r], &error));
            for (uint32_t b = 0; b < drawn.problem->buffers; b++)
                problem_resize(drawn.problem, b, drawn.size[b]);
            must(plan_create(drawn.problem, &plan, &error));
            plan->status = PLAN_FEASIBLE;
            for (uint32_t b = 0; b < drawn.problem->buffers; b++)
                plan->offset[b] = drawn.offset[b];
            must(plan_set_peak(plan, drawn.problem, &error));
            must(verify_plan(drawn.problem, plan, &verdict, &error));
            CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
            CU_ASSERT_TRUE(plan->measures.peak_bytes <= drawn.peak_bytes);
            for (uint32_t b = 0; b < drawn.problem->buffers; b++) {
                uint64_t greatest = 0;
                CU_ASSERT_TRUE(sizes_value(drawn.problem->sizes, b, drawn.problem->sizes->greatest,
                                           &greatest));
                problem_resize(drawn.problem, b, greatest);
            }
        }
    }
}

static void test_too_large(void)
{
    static const struct made_buffer rows[] = {{0, 1, INT64_MAX - 1}};
    for (size_t r = 0; r < EVERY; r++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = made_problem(rows, 1)};
        make_family(&drawn, 1, 0, 1);
        enum status status = run_rule(&drawn, every[r], &error);
        CU_ASSERT_TRUE(status == STATUS_OK || status == STATUS_BAD_INPUT);
        CU_ASSERT_TRUE(status == STATUS_OK || every[r] == size_rules_ggml ||
                       every[r] == size_rules_bfc || every[r] == size_rules_inductor);
    }
}

static enum status run_all(const void *input, struct error *at)
{
    struct drawn drawn = *(const struct drawn *)input;
    for (size_t r = 0; r < EVERY; r++)
        TRY(run_rule(&drawn, every[r], at));
    return STATUS_OK;
}

static void test_out_of_memory(void)
{
    static const struct made_buffer rows[] = {{0, 2, 64}, {1, 3, 32}, {1, 2, 99}, {2, 3, 64}};
    SCOPED(free_drawn) struct drawn drawn = {.problem = made_problem(rows, 4)};
    make_family(&drawn, 3, 5, 2);
    fail_each(run_all, &drawn);
}

static const struct test_case cases[] = {
    {"the example for all rules of one memory", test_one_example},
    {"equal free blocks", test_equal_blocks},
    {"objects of their own", test_objects},
    {"pools of an example at other sizes", test_pools_of_an_example},
    {"safe for all sizes", test_safe},
    {"sizes near 2^63", test_too_large},
    {"without memory", test_out_of_memory},
};

TESTING_MAIN("size rules", cases)
