#include "planning/placing.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/policies/policy.h"
#include "planning/problem/bounds.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"

enum { TEXT_BYTES = 1024 };

static bool collides(const struct problem *problem, const struct plan *plan, uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s] &&
                plan->offset[a] + problem_window_lower(problem, s) <
                    plan->offset[b] + problem_window_upper(problem, t) &&
                plan->offset[b] + problem_window_lower(problem, t) <
                    plan->offset[a] + problem_window_upper(problem, s))
                return true;
    return false;
}

static bool is_free(const struct problem *problem, const struct plan *plan, uint32_t buffer)
{
    for (uint32_t other = 0; other < buffer; other++)
        if (collides(problem, plan, buffer, other))
            return false;
    return true;
}

enum status placing_first_fit(const struct problem *problem, struct plan *plan, struct error *found)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        plan->offset[b] = 0;
        while (!is_free(problem, plan, b))
            plan->offset[b] += problem_alignment(problem, b);
    }
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, problem, found);
}

static bool place_the_rest(const struct problem *problem, struct plan *plan, uint32_t buffer,
                           uint64_t capacity_bytes)
{
    if (buffer == problem->buffers)
        return true;
    for (uint64_t offset = 0; offset + problem->size[buffer] <= capacity_bytes; offset++) {
        plan->offset[buffer] = offset;
        if (is_free(problem, plan, buffer) &&
            place_the_rest(problem, plan, buffer + 1, capacity_bytes))
            return true;
    }
    return false;
}

enum status placing_optimum(const struct problem *problem, struct plan *plan, struct error *found)
{
    uint64_t capacity_bytes;
    TRY(problem_load(problem, &capacity_bytes, NULL, found));
    while (!place_the_rest(problem, plan, 0, capacity_bytes))
        capacity_bytes++;
    plan->status = PLAN_OPTIMAL;
    plan->measures.lower_bound_bytes = capacity_bytes;
    return plan_set_peak(plan, problem, found);
}

static enum status plan_level(void *context, const struct level *level, struct plan *plan,
                              struct error *found)
{
    (void)context;
    return placing_first_fit(level->problem, plan, found);
}

void placing_place(struct sketch *sketch, const char *policy, uint64_t alignment_bytes)
{
    const struct level_planner planner = {.plan = plan_level, .alignment_bytes = alignment_bytes};
    size_t tensors = sketch->graph->tensors;
    struct placement *placement;
    /* What is in place stays so. */
    must(placement_create(sketch->graph, &placement, &error));
    memcpy(placement->overwrites, sketch->placement->overwrites,
           tensors * sizeof *placement->overwrites);
    memcpy(placement->is_view, sketch->placement->is_view, tensors * sizeof *placement->is_view);
    placement_free(sketch->placement);
    sketch->placement = placement;
    must(policy_place(policy_find(policy), sketch->graph, &planner, placement, &error));
}

static void expect(const char *found, const char *expected)
{
    if (strcmp(found, expected) != 0)
        printf("\nfound:    %s\nexpected: %s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

void placing_expect_offsets(const struct sketch *sketch, const char *expected)
{
    char found[TEXT_BYTES] = "";
    for (uint32_t t = 0; t < sketch->graph->tensors; t++) {
        size_t used = strlen(found);
        if (sketch->placement->offset[t] != PROBLEM_FREE)
            snprintf(found + used, sizeof found - used, "%s%s@%llu", used ? " " : "",
                     names_get(&sketch->graph->tensor_names, t),
                     (unsigned long long)sketch->placement->offset[t]);
    }
    expect(found, expected);
}

void placing_expect_blocks(const struct sketch *sketch, const char *expected)
{
    char found[TEXT_BYTES] = "";
    for (uint32_t o = 0; o < sketch->graph->operators; o++) {
        size_t used = strlen(found);
        if (sketch->placement->block_bytes[o])
            snprintf(found + used, sizeof found - used, "%s%s:%llu@%llu", used ? " " : "",
                     graph_label(sketch->graph, sketch->graph->op[o].name),
                     (unsigned long long)sketch->placement->block_bytes[o],
                     (unsigned long long)sketch->placement->block_offset[o]);
    }
    expect(found, expected);
}

void placing_expect_safe(const struct sketch *sketch, bool safe)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    must(verify_paths(sketch->graph, sketch->placement, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, safe ? VERIFY_VALID : VERIFY_OVERLAP);
    must(execute_placement(sketch->graph, sketch->placement, &options, &execution, &error));
    CU_ASSERT_EQUAL(execution.intact, safe);
}

struct sketch placing_nested(void)
{
    return sketch_read("x:4 p:6 s:3 q:5 i:5 j:2 k:7 l:1 r:2 y:3", "x",
                       "outer: x > r {then(inner: > i {yes(left: > p; half: p > s | s) "
                       "no(right: > q | q)}; more: i > j | j) else(other: > k; small: k > l | "
                       "l)}; last: r > y",
                       "y");
}

struct sketch placing_siblings(void)
{
    return sketch_read("x:1 t:4 u:2 e:2 r:2 v:6 w:1 f:1 s:1 y:1", "x",
                       "first: x > r {then(large: > t; small: t > u | u) else(other: > e | e)}; "
                       "second: > s {yes(wide: > v; thin: v > w | w) no(thin2: > f | f)}; "
                       "last: r s > y",
                       "y");
}

struct sketch placing_external(void)
{
    return sketch_read("x:4 t:6 e:2 r:3! y:5", "x",
                       "choose: x > r {then(large: > t | t) else(small: > e | e)}; last: r > y",
                       "y");
}

struct sketch placing_copies(const char *tensors)
{
    return sketch_read(tensors, "x",
                       "choose: > a b {then(make: x > t | t t) else(| x x)}; last: a b > y", "y");
}
