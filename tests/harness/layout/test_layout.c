#include <string.h>

#include "harness/jobs.h"
#include "harness/layout/outcome_layout.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"

/* conv -> x, an If whose first branch does without x and whose second reads it, and a reader of its
   result. */
static struct sketch draw_graph(const char *offsets)
{
    struct sketch sketch =
        sketch_read("w:1! x:4 t:8 e:2 r:8 y:1", "w",
                    "conv: w > x; "
                    "choose: w > r {then(relu: w > t | t) else(dense: x > e | e)}; out: r > y",
                    "y");
    sketch_place(&sketch, offsets);
    return sketch;
}

struct expected {
    const char *label;
    uint32_t lower, upper;
    uint64_t offset, size;
};

static void expect_layout(const struct layout *layout, const struct expected *expected,
                          uint32_t count)
{
    CU_ASSERT_EQUAL_FATAL(layout->count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct layout_rectangle *found = &layout->rectangle[i];
        CU_ASSERT_STRING_EQUAL(found->label, expected[i].label);
        CU_ASSERT(found->lower == expected[i].lower && found->upper == expected[i].upper);
        CU_ASSERT(found->offset == expected[i].offset && found->size == expected[i].size);
    }
}

/* Under policy path a result has a place: its bytes in each branch are those of what this one
   yields. Under select what a branch yields stays where it is: t is no more needed while the other
   branch runs. */
static void test_paths(void)
{
    static const struct {
        const char *offsets;
        struct expected expected[6];
    } rows[] = {{"x@8 t@0 e@0 r@0 y@8",
                 {{"x", 0, 2, 8, 4},
                  {"x", 3, 4, 8, 4},
                  {"t", 2, 3, 0, 8},
                  {"e", 3, 4, 0, 2},
                  {"r", 4, 6, 0, 8},
                  {"y", 5, 6, 8, 1}}},
                {"x@8 t@0 e@4 y@8",
                 {{"x", 0, 2, 8, 4},
                  {"x", 3, 4, 8, 4},
                  {"t", 2, 3, 0, 8},
                  {"t", 4, 6, 0, 8},
                  {"e", 3, 6, 4, 2},
                  {"y", 5, 6, 8, 1}}}};
    for (int i = 0; i < 2; i++) {
        SCOPED(sketch_free) struct sketch sketch = draw_graph(rows[i].offsets);
        SCOPED(layout_free) struct layout layout = {0};
        must(outcome_layout_add_paths(sketch.graph, sketch.placement, &layout, &error));
        expect_layout(&layout, rows[i].expected, 6);
        CU_ASSERT_TRUE(layout.overlaps);
    }
}

/* Holes, windows, and a buffer that is live at no moment, in the only column behind the line. */
static void test_problem(void)
{
    static const struct expected expected[] = {
        {"b", 0, 2, 2, 3}, {"b", 3, 4, 0, 8}, {"b", 3, 4, 8, 8}, {"b", 4, 5, 16, 8}};
    struct problem *problem = made_problem_start();
    SCOPED(outcome_clear) struct outcome outcome = {.status = PLAN_FEASIBLE};
    SCOPED(layout_free) struct layout layout = {0};
    problem->line_end = 4;
    for (int b = 0; b < 3; b++) {
        made_problem_buffer(problem, "b", 8, 1, PROBLEM_FREE);
        if (b == 0)
            made_problem_segment(problem, (struct problem_segment){0, 2, 2, 5});
        if (b < 2)
            made_problem_segment(problem, (struct problem_segment){3, 6, 0, 8});
        if (b != 1)
            made_problem_segment(problem, (struct problem_segment){9, 10, 0, 8});
    }
    made_problem_finish(problem);
    SCOPED(instance_release) struct instance *instance = jobs_own(NULL, problem);
    must(plan_create(problem, &outcome.plan, &error));
    for (uint32_t b = 0; b < 3; b++)
        outcome.plan->offset[b] = 8 * b;
    outcome.plan->status = PLAN_FEASIBLE;
    const struct job job = {.instance = instance};
    must(outcome_layout_fill(&job, &outcome, &layout, &error));
    expect_layout(&layout, expected, 4);
    CU_ASSERT(!layout.rectangle[2].timeless && layout.rectangle[3].timeless);
}

static enum status fill_layout(const void *input, struct error *failed)
{
    const struct sketch *sketch = input;
    SCOPED(layout_free) struct layout layout = {0};
    return outcome_layout_add_paths(sketch->graph, sketch->placement, &layout, failed);
}

static void test_allocations(void)
{
    SCOPED(sketch_free) struct sketch sketch = draw_graph("x@8 t@0 e@0 r@0 y@8");
    fail_each(fill_layout, &sketch);
}

static const struct test_case cases[] = {
    {"policies path and select", test_paths},
    {"a problem with steps behind the line's end", test_problem},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("harness/layout", cases)
