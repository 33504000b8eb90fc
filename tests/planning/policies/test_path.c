#include <stdio.h>

#include <string.h>

#include "core/text.h"
#include "planning/liveness/sharing.h"
#include "planning/lowering/path_level.h"
#include "planning/path_reference.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Segments worked out by hand: " t 2,4 6,7*1" is live in [2, 4) and, with one byte only, in [6, 7).
   Steps behind the last of the graph are what other branches need. */

static void describe(const struct level *level, char *text, size_t bytes)
{
    const struct problem *problem = level->problem;
    size_t used = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", b ? "; " : "",
                                 names_get(&problem->names, b));
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            used += (size_t)snprintf(text + used, bytes - used, " %u,%u", problem->lower[s],
                                     problem->upper[s]);
            if (problem_window_upper(problem, s) < problem->size[b])
                used += (size_t)snprintf(text + used, bytes - used, "*%llu",
                                         (unsigned long long)problem_window_upper(problem, s));
        }
    }
}

/* What a problem is made of. */
struct made {
    struct result_places *places;
    struct liveness *liveness;
    struct level *level;
};

static void end_made(struct made *made)
{
    level_free(made->level);
    liveness_free(made->liveness);
    result_places_free(made->places);
}

static enum status build_level(const struct sketch *sketch, bool path, struct made *made,
                               struct error *reported)
{
    if (path) {
        TRY(result_places_create(sketch->graph, sketch->placement, NULL, &made->places, reported));
        TRY(liveness_create_in_places(sketch->graph, sketch->placement, made->places,
                                      &made->liveness, reported));
    } else
        TRY(liveness_create_shared(sketch->graph, sketch->placement, &made->liveness, reported));
    return path_level_create(&(struct level_source){sketch->graph, made->liveness, 1}, made->places,
                             &made->level, reported);
}

static void expect_problem(const struct sketch *sketch, bool path, const char *expected)
{
    SCOPED(end_made) struct made made = {0};
    SCOPED(reference_free) struct reference reference = {0};
    char found[1024] = "";
    must(build_level(sketch, path, &made, &error));
    describe(made.level, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\n%s found    %s\n%s expected %s\n", path ? "path  " : "select", found,
               path ? "path  " : "select", expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
    CU_ASSERT_TRUE_FATAL(reference_run(&reference, sketch->graph, made.places, 600));
    CU_ASSERT_TRUE(reference_agrees(&reference, made.level->problem, made.level->tensor));
}

static const struct scene {
    struct sketch_text text;
    const char *path, *select; /* the problems under both policies */
} scenes[] = {
    /*  0 enters   1 then: relu x -> t   2 else: pool -> e   3 leaves   4 last r -> y */
    {{"x:2 t:1 e:3 r:3 y:1", "x",
      "choose: > r {then(then: x > t | t) else(else: > e | e)}; last: r > y", "y"},
     "x 0,2; r 1,2*1 2,5; y 4,5",
     "x 0,2; t 1,2 5,6; e 2,5; y 4,6"},
    /*  x is passed on by the first branch, which is empty: r is copied from it, and may lie over
    it. 0 enters   1 else: make -> e   2 leaves   3 other -> z   4 last r z -> y */
    {{"x:2 e:2 r:2 z:1 y:1", "x",
      "choose: > r {then(| x) else(else: > e | e)}; other: > z; last: r z > y", "y"},
     "x 0,1; r 1,5; z 3,5; y 4,5",
     "x 0,1 2,5; e 1,2 5,6; z 3,6; y 4,6"},
    /*  r is read after another If that has nothing to do with it. */
    {{"a:1 b:1 r:1 c:1 d:1 y:1", "",
      "first: > r {one(one: > a | a) two(two: > b | b)}; second: > {yes(three: > c |) no(four: > d "
      "|)}; last: r > y",
      "y"},
     "r 1,9; c 5,6; d 6,7; y 8,9",
     "a 1,2 3,9; b 2,3 9,12; c 5,6 9,10; d 6,7 10,11; y 8,9 11,12"},
    /*  a or b or (c or d), 3 deep. */
    {{"a:1 b:2 c:3 d:4 i:1 j:1 r:1 y:1", "",
      "outer: > r {o1(middle: > j {m1(inner: > i {i1(i1: > a | a) i2(i2: > b | b)} | i) m2(m2: > c "
      "| c)} | j) o2(o2: > d | d)}; last: r > y",
      "y"},
     "r 3,4*1 4,6*2 6,8*3 8,11; y 10,11",
     "a 3,4 11,14; b 4,6 14,16; c 6,8 16,17; d 8,11; y 10,11 13,14 15,17"},
    {{"a:1 b:2 c:3 r:1 y:1", "",
      "choose: > r {one(one: > a | a) two(two: > b | b) three(three: > c | c)}; last: r > y", "y"},
     "r 1,2*1 2,3*2 3,6; y 5,6",
     "a 1,2 6,7; b 2,3 7,8; c 3,6; y 5,8"},
    /*  a or b, then c or d, read together: all four pairs meet, but a never b, nor c d. */
    {{"a:1 b:2 r:1 c:3 d:4 s:1 y:1", "",
      "first: > r {one(one: > a | a) two(two: > b | b)}; second: > s {three(three: > c | c) "
      "four(four: > d | d)}; last: r s > y",
      "y"},
     "r 1,2*1 2,9; s 5,6*3 6,9; y 8,9",
     "a 1,2 9,12 13,14; b 2,9 12,13; c 5,6 9,10 11,13; d 6,9 10,11 13,14; y 8,9 11,14"},
    /*  Both results come from the same branch: a with c, b with d and no others. */
    {{"a:1 b:2 c:3 d:4 r:1 s:1 y:1", "",
      "choose: > r s {one(one: > a c | a c) two(two: > b d | b d)}; last: r s > y", "y"},
     "r 1,2*1 2,5; s 1,2*3 2,5; y 4,5",
     "a 1,2 5,6; c 1,2 5,6; b 2,5; d 2,5; y 4,6"},
    /*  The second If passes the result of the first on, or makes e. */
    {{"a:1 b:2 r:1 e:3 s:1 y:1", "",
      "first: > r {one(one: > a | a) two(two: > b | b)}; second: > s {keep(| r) new(new: > e | "
      "e)}; last: s > y",
      "y"},
     "r 1,2*1 2,5; s 5,8; y 7,8",
     "a 1,2 8,10; b 2,5 10,11; e 5,8; y 7,8 9,11"},
    /*  An If in a loop with a carried value: x is read in one branch and may be again in the next
    turn, so it lives until step 5, which leaves the loop. g is copied from i, which is there before
    step 0 together with x, and at step 5 from n; else has read it for the last time before. */
    {{"x:1 i:2 g:2 t:2 e:2 n:2 l:2 y:1", "x i",
      "loop: > l [i g n l] {body(choose: > n {then(then: x g > t | t) else(else: g > e | e)} |)}; "
      "last: l > y",
      "y"},
     "x 0,6 7,8; i 7,8; g 0,4 5,7; n 2,5; y 6,7",
     "x 0,6 7,9; i 8,9; g 0,4 5,7; t 2,3 4,5; e 3,4 7,8; y 6,7"},
    /*  A loop in a branch, whose result is what the branch yields: the argument g has the place. */
    {{"i:2 g:2 u:1 n:2 l:2 e:3 r:1 y:1", "i",
      "choose: > r {then(loop: > l [i g n l] {body(work: g > u; more: u > n |)} | l) else(else: > "
      "e | e)}; last: r > y",
      "y"},
     "i 0,1; r 1,3*2 4,5*2 5,8; u 2,4; n 3,4; y 7,8",
     "i 0,1; g 1,3 4,5 8,9; u 2,4; n 3,4; e 5,8; y 7,9"},
};

static void test_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scenes[i].text);
        for (int path = 0; path < 2; path++)
            expect_problem(&sketch, path, path ? scenes[i].path : scenes[i].select);
        for (int path = 0; path < 2; path++) {
            placing_place(&sketch, path ? "path" : "select", 1);
            placing_expect_safe(&sketch, true);
        }
    }
}

/*  u is written over t, and is smaller. */
static void test_in_place(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:1 t:4 u:2 v:1 y:1", "x",
                                       "one: x > t; two: t > u; three: > v; four: u v > y", "y");
    sketch_merge(&sketch, "u<t");
    for (int path = 0; path < 2; path++) {
        SCOPED(end_made) struct made made = {0};
        char found[256];
        must(build_level(&sketch, path, &made, &error));
        describe(made.level, found, sizeof found);
        CU_ASSERT_STRING_EQUAL(found, "x 0,1; t 0,2 2,4*2; v 2,4; y 3,4");
    }
}

struct work {
    struct sketch sketch;
    bool path;
};

static enum status create_and_free(const void *input, struct error *reported)
{
    const struct work *work = input;
    SCOPED(end_made) struct made made = {0};
    return build_level(&work->sketch, work->path, &made, reported);
}

static void test_allocations(void)
{
    for (int path = 0; path < 2; path++) {
        struct work work = {.sketch = placing_siblings(), .path = path};
        fail_each(create_and_free, &work);
        sketch_free(&work.sketch);
    }
}

struct scripted {
    uint32_t calls, fails_at;
};

static enum status plan_unless_told(void *context, const struct level *level, struct plan *plan,
                                    struct error *reported)
{
    struct scripted *scripted = context;
    if (scripted->calls++ != scripted->fails_at)
        return placing_first_fit(level->problem, plan, reported);
    plan->status = PLAN_GAVE_UP;
    return STATUS_OK;
}

/* Of its two plans, with copies and without, select takes the one that was found. */
static void test_select_takes_what_was_found(void)
{
    for (uint32_t fails_at = 0; fails_at < 3; fails_at++) {
        SCOPED(sketch_free) struct sketch sketch = placing_copies("x:4 t:4 a:4 b:4 y:4");
        struct scripted scripted = {.fails_at = fails_at};
        const struct level_planner planner = {
            .plan = plan_unless_told, .context = &scripted, .alignment_bytes = 1};
        must(policy_place(policy_find("select"), sketch.graph, &planner, sketch.placement, &error));
        CU_ASSERT_TRUE(plan_status_is_found(sketch.placement->status));
        CU_ASSERT_TRUE(sketch.placement->measures.peak_bytes >=
                       sketch.placement->measures.lower_bound_bytes);
        CU_ASSERT_TRUE(fails_at > 0 || scripted.calls >= 2);
    }
}

/*  A hundred Ifs, each of which keeps what the one before left or makes something new: too many
   ways to tell exactly what is live together, so that the load of the problem is no bound. */
static void test_long_chain(void)
{
    enum { IFS = 100 };
    SCOPED(text_free) struct text tensors = {0}, operators = {0};
    text_append(&tensors, "r0:8 y:8");
    for (int i = 1; i <= IFS; i++) {
        text_append(&tensors, " e%d:8 r%d:8", i, i);
        text_append(&operators, "i%d: > r%d {keep(| r%d) new(o%d: > e%d | e%d)}; ", i, i, i - 1, i,
                    i, i);
    }
    text_append(&operators, "last: r%d > y", IFS);
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read(tensors.bytes, "r0", operators.bytes, "y");
    placing_place(&sketch, "select", 1);
    CU_ASSERT(sketch.placement->measures.lower_bound_bytes <= 16);
    CU_ASSERT(sketch.placement->status == PLAN_FEASIBLE);
}

/* x, which stays to the end, goes into a and b at once, and a into r, as t does. All five would be
   in one place if nothing were copied, yet x and t are live together. */
static void test_value_in_two_results(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read(
        "x:1 t:1 a:1 b:1 r:1", "",
        "first: > x; outer: > r {make(make: > t | t) pass(inner: > a b {only(| x x)} | a)}", "x");
    placing_place(&sketch, "path", 1);
    CU_ASSERT_EQUAL(sketch.placement->measures.load_bytes, 2);
}

/* a and b get the same in every turn and may both coincide with x, which the loop reads as well:
   all of x, a, b and n are in one place. */
static void test_arguments_alike(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:8 a:8 b:8 n:8 r:8 s:8", "x",
                                       "loop: x > r s [x a n r x b n s] {body(make: > n |)}", "");
    placing_place(&sketch, "select", 1);
    CU_ASSERT_EQUAL(sketch.placement->measures.load_bytes, 8);
    placing_place(&sketch, "path", 1);
    CU_ASSERT_EQUAL(sketch.placement->measures.load_bytes, 8);
}

/* a stays what e is, so both may be in one place, but o is written over e while r, which is a, is
   still needed. */
static void test_overwritten_beside_argument(void)
{
    static const char *const policies[] = {"select", "path"};
    for (size_t i = 0; i < 2; i++) {
        SCOPED(sketch_free)
        struct sketch sketch =
            sketch_read("e:8 a:8 r:8 t:1 o:8 z:1", "",
                        "make: > e; loop: > r [e a a r] {body(read: a > t |)}; write: e > o; "
                        "last: r o > z",
                        "z");
        sketch_merge(&sketch, "o<e");
        placing_place(&sketch, policies[i], 1);
        placing_expect_safe(&sketch, true);
    }
}

static const struct test_case cases[] = {
    {"graphs by hand", test_scenes},
    {"select takes what was found", test_select_takes_what_was_found},
    {"in place", test_in_place},
    {"allocations that fail", test_allocations},
    {"long chain", test_long_chain},
    {"a value in two results", test_value_in_two_results},
    {"arguments alike", test_arguments_alike},
    {"written over beside an argument", test_overwritten_beside_argument},
};

TESTING_MAIN("planning/path_graphs", cases)
