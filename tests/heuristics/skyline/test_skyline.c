#include <string.h>

#include "rule_test.h"
#include "support/testing.h"

/* The second implementation: the height of every step, and a look at everything every time. */
struct steps {
    uint64_t height[16];
    uint32_t begin, end; /* the steps at which any free buffer lives */
};

static uint32_t get_span(const struct problem *problem, uint32_t buffer)
{
    return problem_upper(problem, buffer) - problem_lower(problem, buffer);
}

static bool is_longer(const struct problem *problem, uint32_t a, uint32_t b)
{
    if (get_span(problem, a) != get_span(problem, b))
        return get_span(problem, a) > get_span(problem, b);
    if (problem->size[a] != problem->size[b])
        return problem->size[a] > problem->size[b];
    return problem_lower(problem, a) < problem_lower(problem, b);
}

static bool is_larger(const struct problem *problem, uint32_t a, uint32_t b)
{
    if (problem->size[a] != problem->size[b])
        return problem->size[a] > problem->size[b];
    return is_longer(problem, a, b);
}

static bool is_of_more_area(const struct problem *problem, uint32_t a, uint32_t b)
{
    uint64_t area_a = problem->size[a] * get_span(problem, a);
    uint64_t area_b = problem->size[b] * get_span(problem, b);
    return area_a != area_b ? area_a > area_b : is_longer(problem, a, b);
}

static bool is_earlier(const struct problem *problem, uint32_t a, uint32_t b)
{
    if (problem_lower(problem, a) != problem_lower(problem, b))
        return problem_lower(problem, a) < problem_lower(problem, b);
    return is_longer(problem, a, b);
}

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

static void pack(const struct problem *problem, rule_test_before *before, uint64_t *offset)
{
    struct steps steps = make_steps(problem);
    uint32_t left = 0, sorted[RULE_TEST_BUFFERS];
    rule_test_sort(problem, before, sorted);
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

static void pack_longest(const struct problem *problem, uint64_t *offset)
{
    pack(problem, is_longer, offset);
}

static void pack_largest(const struct problem *problem, uint64_t *offset)
{
    pack(problem, is_larger, offset);
}

static void pack_by_area(const struct problem *problem, uint64_t *offset)
{
    pack(problem, is_of_more_area, offset);
}

static void pack_earliest(const struct problem *problem, uint64_t *offset)
{
    pack(problem, is_earlier, offset);
}

static void pack_all(const struct problem *problem, uint64_t *offset)
{
    rule_test_reference *const packs[] = {pack_longest, pack_largest, pack_by_area, pack_earliest};
    uint64_t peak = UINT64_MAX, tried[RULE_TEST_BUFFERS];
    for (int i = 0; i < 4; i++) {
        packs[i](problem, tried);
        if (rule_test_peak(problem, tried) >= peak)
            continue;
        peak = rule_test_peak(problem, tried);
        memcpy(offset, tried, problem->buffers * sizeof *offset);
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
    rule_test_compare("strip_best_fit", pack_longest, 10000);
    rule_test_compare("strip_best_fit_size", pack_largest, 10000);
    rule_test_compare("strip_best_fit_area", pack_by_area, 10000);
    rule_test_compare("strip_best_fit_start", pack_earliest, 10000);
    rule_test_compare("strip_best_fit_all", pack_all, 2000);
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
