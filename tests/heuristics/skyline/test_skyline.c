#include <string.h>

#include "rule_test.h"
#include "support/testing.h"

/* The second implementation: the height of every step, and a look at everything every time. */
struct steps {
    uint64_t height[16];
    uint32_t begin, end; /* the steps at which any free buffer lives */
};

static int64_t get_area(const struct problem *problem, uint32_t buffer)
{
    return rule_test_size(problem, buffer) * rule_test_span(problem, buffer);
}

/* The last two keys break ties alike. */
#define LONGEST                                                                                    \
    {1, rule_test_span}, {1, rule_test_size},                                                      \
    {                                                                                              \
        -1, rule_test_lower                                                                        \
    }
static const struct rule_test_how hows[] = {
    {.key = {LONGEST}},
    {.key = {{1, rule_test_size}, {1, rule_test_span}, {-1, rule_test_lower}}},
    {.key = {{1, get_area}, LONGEST}},
    {.key = {{-1, rule_test_lower}, {1, rule_test_span}, {1, rule_test_size}}},
};

static struct steps make_steps(const struct problem *problem)
{
    struct steps steps = {.begin = UINT32_MAX};
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            continue;
        if (problem_lower(problem, b) < steps.begin)
            steps.begin = problem_lower(problem, b);
        if (problem_upper(problem, b) > steps.end)
            steps.end = problem_upper(problem, b);
    }
    return steps;
}

/* [*from, *to) of equal height, the lowest, then first. */
static void find_lowest(const struct steps *steps, uint32_t *from, uint32_t *to)
{
    *from = steps->begin;
    for (uint32_t t = steps->begin; t < steps->end; t++)
        if (steps->height[t] < steps->height[*from])
            *from = t;
    for (*to = *from; *to < steps->end && steps->height[*to] == steps->height[*from];)
        ++*to;
}

static bool touches_fixed(const struct problem *problem, uint32_t buffer, uint64_t offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE &&
            problem_lower(problem, b) < problem_upper(problem, buffer) &&
            problem_lower(problem, buffer) < problem_upper(problem, b) &&
            problem_fixed_offset(problem, b) < offset + problem->size[buffer] &&
            offset < problem_fixed_offset(problem, b) + problem->size[b])
            return true;
    return false;
}

static bool put_best(const struct problem *problem, struct steps *steps, const uint32_t *sorted,
                     uint64_t *offset)
{
    uint32_t from, to;
    find_lowest(steps, &from, &to);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = sorted[i];
        if (offset[b] != PROBLEM_FREE || problem_lower(problem, b) < from ||
            problem_upper(problem, b) > to)
            continue;
        offset[b] = steps->height[from];
        while (offset[b] % problem_alignment(problem, b) || touches_fixed(problem, b, offset[b]))
            offset[b]++;
        for (uint32_t t = problem_lower(problem, b); t < problem_upper(problem, b); t++)
            steps->height[t] = offset[b] + problem->size[b];
        return true;
    }
    return false;
}

static void lift_lowest(struct steps *steps)
{
    uint32_t from, to;
    uint64_t height = UINT64_MAX;
    find_lowest(steps, &from, &to);
    if (from > steps->begin)
        height = steps->height[from - 1];
    if (to < steps->end && steps->height[to] < height)
        height = steps->height[to];
    for (uint32_t t = from; t < to; t++)
        steps->height[t] = height;
}

static void pack(const struct problem *problem, const struct rule_test_how *how, uint64_t *offset)
{
    struct steps steps = make_steps(problem);
    uint32_t left = 0, sorted[RULE_TEST_BUFFERS];
    rule_test_sort(problem, how->key, sorted);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        offset[b] = problem_fixed_offset(problem, b);
        left += offset[b] == PROBLEM_FREE;
    }
    while (left)
        if (put_best(problem, &steps, sorted, offset))
            left--;
        else
            lift_lowest(&steps);
}

static void pack_all(const struct problem *problem, const struct rule_test_how *how,
                     uint64_t *offset)
{
    uint64_t peak = UINT64_MAX, tried[RULE_TEST_BUFFERS];
    (void)how;
    for (int i = 0; i < 4; i++) {
        pack(problem, &hows[i], tried);
        rule_test_keep_least(problem, tried, &peak, offset);
    }
}

/* The longest and larger one goes first; c fits beside it, d above it; the pieces rise until all
   are one, and only then b fits. */
static void test_example(void)
{
    static const struct made_buffer rows[] = {{0, 6, 4}, {2, 8, 3}, {6, 8, 5}, {1, 3, 9}};
    rule_test_expect("strip_best_fit", rows, 4, (const uint64_t[]){0, 13, 0, 4});
    rule_test_expect("strip_best_fit_size", rows, 4, (const uint64_t[]){9, 13, 0, 0});
}

static void test_references(void)
{
    static const char *const names[] = {"strip_best_fit", "strip_best_fit_size",
                                        "strip_best_fit_area", "strip_best_fit_start"};
    for (int i = 0; i < 4; i++)
        rule_test_compare(names[i], pack, &hows[i], 10000);
    rule_test_compare("strip_best_fit_all", pack_all, NULL, 2000);
}

static void test_no_memory(void)
{
    rule_test_fail_each("strip_best_fit");
    rule_test_fail_each("strip_best_fit_all");
}

static const struct test_case cases[] = {
    {"an example by hand", test_example},
    {"against steps", test_references},
    {"no memory", test_no_memory},
};
TESTING_MAIN("heuristics/skyline", cases)
