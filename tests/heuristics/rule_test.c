#include "rule_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics/heuristics.h"
#include "planning/verify/describe.h"
#include "planning/verify/problem/plan.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

const struct planner *rule_test_find(const char *name)
{
    size_t length = strcspn(name, "?");
    for (uint32_t i = 0; i < heuristics_count(); i++)
        if (strlen(heuristics_at(i)->name) == length &&
            strncmp(heuristics_at(i)->name, name, length) == 0)
            return heuristics_at(i);
    printf("\nno heuristic %s\n", name);
    CU_FAIL_FATAL("no such heuristic");
    return NULL;
}

struct planner *rule_test_configure(const char *planner)
{
    const char *settings = strchr(planner, '?');
    struct planner *made;
    settings = settings ? settings + 1 : NULL;
    must(planner_configure(rule_test_find(planner), settings, &made, &error));
    return made;
}

static struct plan *run_configured(const struct planner *planner, const struct problem *problem,
                                   const struct level *level)
{
    struct planner_task task = planned_task(problem);
    task.level = level;
    struct plan *plan = planned(planner, &task);
    struct verdict verdict;
    char text[512];
    CU_ASSERT_EQUAL_FATAL(plan->status, PLAN_FEASIBLE);
    verify_plan_pairwise(problem, plan, &verdict);
    verify_describe(problem, plan, &verdict, text, sizeof text);
    bool is_unsafe = planner->flags & PLANNER_UNSAFE;
    if (verdict.fault && !is_unsafe)
        printf("\n    %s: %s\n", planner->name, text);
    CU_ASSERT_TRUE_FATAL(verdict.fault == VERIFY_VALID || is_unsafe);
    return plan;
}

struct plan *rule_test_run_level(const char *name, const struct problem *problem,
                                 const struct level *level)
{
    struct planner *planner = rule_test_configure(name);
    struct plan *plan = run_configured(planner, problem, level);
    planner_free(planner);
    return plan;
}

struct plan *rule_test_run(const char *planner, const struct problem *problem)
{
    return rule_test_run_level(planner, problem, NULL);
}

static bool expect_equal(const char *planner, const struct problem *problem, const uint64_t *found,
                         const uint64_t *expected)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (found[b] != expected[b]) {
            printf("\n    %s: buffer %u at %llu, expected %llu\n", planner, b,
                   (unsigned long long)found[b], (unsigned long long)expected[b]);
            return false;
        }
    return true;
}

void rule_test_expect(const char *planner, const struct made_buffer *rows, uint32_t count,
                      const uint64_t *offsets)
{
    struct problem *problem = made_problem(rows, count);
    struct plan *plan = rule_test_run(planner, problem);
    CU_ASSERT_TRUE(expect_equal(planner, problem, plan->offset, offsets));
    plan_free(plan);
    problem_free(problem);
}

const struct random_problem rule_test_everything = {.most_buffers = RULE_TEST_BUFFERS,
                                                    .steps = 12,
                                                    .most_size = 9,
                                                    .holes = true,
                                                    .windows = true,
                                                    .alignment = true,
                                                    .fixed = true};

struct problem *rule_test_draw(const struct random_problem *kind, uint64_t seed)
{
    struct random_state random = random_seed(seed);
    return random_problem_create(kind, &random);
}

/* A problem of a seed; NULL where its fixed buffers overlap each other. */
static struct problem *draw_problem(uint64_t seed)
{
    const struct random_problem kind = {.most_buffers = RULE_TEST_BUFFERS,
                                        .steps = 12,
                                        .most_size = 9,
                                        .holes = seed % 2,
                                        .windows = seed % 3 == 0,
                                        .alignment = seed % 4 >= 2,
                                        .fixed = seed % 5 == 0};
    struct problem *problem = rule_test_draw(&kind, seed);
    if (planned_can_be(problem))
        return problem;
    problem_free(problem);
    return NULL;
}

void rule_test_compare(const char *name, rule_test_reference *reference,
                       const struct rule_test_how *how, uint64_t seeds)
{
    struct planner *planner = rule_test_configure(name);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        uint64_t expected[RULE_TEST_BUFFERS];
        struct problem *problem = draw_problem(seed);
        if (!problem)
            continue;
        struct plan *plan = run_configured(planner, problem, NULL);
        reference(problem, how, expected);
        bool equal = expect_equal(name, problem, plan->offset, expected);
        if (!equal)
            printf("    in the problem of seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE_FATAL(equal);
        plan_free(plan);
        problem_free(problem);
    }
    planner_free(planner);
}

void rule_test_validate(const char *name, uint64_t seeds)
{
    struct planner *planner = rule_test_configure(name);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct problem *problem = draw_problem(seed);
        if (problem)
            plan_free(run_configured(planner, problem, NULL));
        problem_free(problem);
    }
    planner_free(planner);
}

void rule_test_fail_each(const char *name)
{
    struct planner *planner = rule_test_configure(name);
    struct problem *none = made_problem(NULL, 0);
    plan_free(run_configured(planner, none, NULL));
    problem_free(none);
    const struct random_problem kind = {
        .most_buffers = 60, .steps = 30, .most_size = 90, .holes = true, .alignment = true};
    struct problem *problem = rule_test_draw(&kind, 1);
    const struct planner_task task = planned_task(problem);
    CU_ASSERT_TRUE(problem->buffers > 20);
    planned_fail_each(planner, &task);
    problem_free(problem);
    planner_free(planner);
}

bool rule_test_conflict(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s])
                return true;
    return false;
}

uint64_t rule_test_first(const struct rule_test_gap *gaps, uint32_t count)
{
    (void)count;
    return gaps[0].offset;
}

uint64_t rule_test_best(const struct rule_test_gap *gaps, uint32_t count)
{
    const struct rule_test_gap *best = &gaps[count - 1];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (best->end == UINT64_MAX || gaps[i].end - gaps[i].begin < best->end - best->begin)
            best = &gaps[i];
    return best->offset;
}

/* Whether the buffer fits at gap->offset among those that have an offset, and the free bytes around
   it. */
static bool fits_there(const struct problem *problem, const uint64_t *offset, uint32_t buffer,
                       struct rule_test_gap *gap)
{
    gap->begin = 0;
    gap->end = UINT64_MAX;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t begin = offset[b], end = begin + problem->size[b];
        if (begin == PROBLEM_FREE || !rule_test_conflict(problem, b, buffer))
            continue;
        if (begin < gap->offset + problem->size[buffer] && gap->offset < end)
            return false;
        if (end <= gap->offset && end > gap->begin)
            gap->begin = end;
        if (begin > gap->offset && begin < gap->end)
            gap->end = begin;
    }
    return true;
}

/* The lowest offset of the buffer in each gap, which is 0 or the end of a conflicting buffer,
   rounded up; the lowest first, and the one above everything last. */
static uint32_t find_gaps(const struct problem *problem, const uint64_t *offset, uint32_t buffer,
                          struct rule_test_gap *gaps)
{
    uint64_t alignment = problem_alignment(problem, buffer);
    uint32_t count = 0;
    for (uint32_t b = 0; b <= problem->buffers; b++) {
        struct rule_test_gap gap = {0};
        if (b < problem->buffers &&
            (offset[b] == PROBLEM_FREE || !rule_test_conflict(problem, b, buffer)))
            continue;
        uint64_t from = b < problem->buffers ? offset[b] + problem->size[b] : 0;
        gap.offset = (from + alignment - 1) / alignment * alignment;
        if (!fits_there(problem, offset, buffer, &gap))
            continue;
        uint32_t at = count++;
        for (; at && gaps[at - 1].offset > gap.offset; at--)
            gaps[at] = gaps[at - 1];
        gaps[at] = gap;
    }
    while (count > 1 && gaps[count - 2].offset == gaps[count - 1].offset)
        count--;
    return count;
}

void rule_test_place(const struct problem *problem, const uint32_t *sorted,
                     rule_test_choice *choose, uint64_t *offset)
{
    struct rule_test_gap gaps[RULE_TEST_MOST + 1];
    CU_ASSERT_FATAL(problem->buffers <= RULE_TEST_MOST);
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = sorted[i];
        if (offset[b] == PROBLEM_FREE)
            offset[b] = choose(gaps, find_gaps(problem, offset, b, gaps));
    }
}

uint64_t rule_test_peak(const struct problem *problem, const uint64_t *offset)
{
    uint64_t peak = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (offset[b] + problem->size[b] > peak)
            peak = offset[b] + problem->size[b];
    return peak;
}

int64_t rule_test_size(const struct problem *problem, uint32_t buffer)
{
    return (int64_t)problem->size[buffer];
}

int64_t rule_test_lower(const struct problem *problem, uint32_t buffer)
{
    return problem_lower(problem, buffer);
}

int64_t rule_test_upper(const struct problem *problem, uint32_t buffer)
{
    return problem_upper(problem, buffer);
}

int64_t rule_test_span(const struct problem *problem, uint32_t buffer)
{
    return rule_test_upper(problem, buffer) - rule_test_lower(problem, buffer);
}

int64_t rule_test_position(const struct problem *problem, uint32_t buffer)
{
    (void)problem;
    return buffer;
}

/* Each goes behind all before it that do not come after it. */
void rule_test_sort(const struct problem *problem, const struct rule_test_key *keys,
                    uint32_t *sorted)
{
    int64_t value[RULE_TEST_MOST][RULE_TEST_KEYS + 1] = {0};
    CU_ASSERT_FATAL(problem->buffers <= RULE_TEST_MOST);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        for (int k = 0; k < RULE_TEST_KEYS && keys[k].of; k++)
            value[b][k] = keys[k].sign * keys[k].of(problem, b);
        uint32_t at = b;
        for (; at; at--) {
            int k = 0;
            while (k < RULE_TEST_KEYS && value[b][k] == value[sorted[at - 1]][k])
                k++;
            if (value[b][k] <= value[sorted[at - 1]][k])
                break;
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = b;
    }
}

void rule_test_place_sorted(const struct problem *problem, const struct rule_test_how *how,
                            uint64_t *offset)
{
    uint32_t sorted[RULE_TEST_MOST];
    rule_test_sort(problem, how->key, sorted);
    rule_test_place(problem, sorted, how->choose, offset);
}

void rule_test_keep_least(const struct problem *problem, const uint64_t *tried, uint64_t *peak,
                          uint64_t *offset)
{
    uint64_t found = rule_test_peak(problem, tried);
    if (found >= *peak)
        return;
    *peak = found;
    memcpy(offset, tried, problem->buffers * sizeof *offset);
}
