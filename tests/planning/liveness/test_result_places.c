#include <stdio.h>
#include <string.h>

#include "planning/liveness/result_places.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/testing.h"

static struct error error;

static const char *name_of(const struct sketch *sketch, uint32_t tensor)
{
    return names_get(&sketch->graph->tensor_names, tensor);
}

static void write_place(const struct sketch *sketch, const struct result_places *places,
                        uint32_t owner, char *text, size_t bytes)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, " %s:%llu", name_of(sketch, owner),
             (unsigned long long)places->bytes[owner]);
    for (uint32_t t = places->next[owner]; t != GRAPH_NONE; t = places->next[t]) {
        used = strlen(text);
        snprintf(text + used, bytes - used, "+%s", name_of(sketch, t));
        CU_ASSERT_EQUAL(places->place[t], owner);
    }
}

/* Homes with more than one tensor, their bytes and the others in them: " r:6+t+e". Frees the
   sketch. */
static void expect(struct sketch *sketch, const char *expected)
{
    struct result_places *places;
    char found[256] = "";
    CU_ASSERT_EQUAL_FATAL(
        result_places_create(sketch->graph, sketch->placement, NULL, &places, &error), STATUS_OK);
    for (uint32_t t = 0; t < sketch->graph->tensors; t++)
        if (places->place[t] == t && places->next[t] != GRAPH_NONE)
            write_place(sketch, places, t, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\nfound:   %s\nexpected:%s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
    result_places_free(places);
    sketch_free(sketch);
}

static void test_chain_of_results(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:6 e:2 p:9 r:3", "x",
                    "outer: x > r {then(then: > t | t) else(inner: x > e {yes(yes: > p | p) "
                    "no(| x)} | e)}",
                    "r");
    expect(&sketch, " r:9+t+e+p");
}

/* What is copied counts too. */
static void test_yielded_twice(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:6 e:2 f:2 q:1 r:3", "x",
                    "choose: x > q r {then(then: > t | t t) else(else: > e f | f e)}", "r");
    expect(&sketch, " q:6+f r:6+e");
}

static void test_external(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:6! u:2 e:2 f:2 q:1! r:3", "x",
                    "choose: x > q r {then(then: > t u | u t) else(else: > e f | e f)}", "r");
    expect(&sketch, " r:6+f");
}

/* The same tensor is made directly in one branch and handed on by one inside it. */
static void test_handed_on_inside(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:6 p:2 i:2 e:1 r:3", "x",
                    "outer: x > r {then(make: x > t; inner: x > i {yes(| t) no(no: > p | p)} "
                    "| t) else(else: > e | e)}",
                    "r");
    expect(&sketch, " i:6+p r:6+t+e");
}

/* u is in the place of t, s is alone. */
static void test_in_place(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:6 u:6 s:2 q:1 r:3", "x",
                    "choose: x > q r {then(one: x > t s; two: t > u | s u)}", "r");
    sketch.placement->overwrites[sketch_find(&sketch, "u")] = sketch_find(&sketch, "t");
    expect(&sketch, " q:2+s");
}

static struct sketch sketch_loop_in_branch(void)
{
    struct sketch sketch =
        sketch_read("i:5 a:5 v:5 l:5 s:7 e:1 q:1 r:3", "i",
                    "choose: i > q r {then(loop: > l s [i a v l] {body(body: > v |)} | s l) "
                    "else(else: > e | e i)}",
                    "r");
    return sketch;
}

/* The argument has the place of the carried result l; the output s has one of its own. */
static void test_loop(void)
{
    struct sketch sketch = sketch_loop_in_branch();
    expect(&sketch, " q:7+s+e r:5+a");
}

static void test_loop_in_place(void)
{
    struct sketch sketch = sketch_loop_in_branch();
    sketch.placement->overwrites[sketch_find(&sketch, "a")] = sketch_find(&sketch, "i");
    expect(&sketch, " q:7+s+e");
}

/* What a loop's body yields is in the place of nothing else. */
static void test_branch_in_body(void)
{
    struct sketch sketch =
        sketch_read("i:5 a:5 t:2 v:5 l:5", "i",
                    "loop: > l [i a v l] {body(choose: a > v {then(then: > t | t) else(| a)} "
                    "|)}",
                    "l");
    expect(&sketch, " v:5+t");
}

static enum status create_places(const void *input, struct error *failure)
{
    const struct sketch *sketch = input;
    struct result_places *places;
    TRY(result_places_create(sketch->graph, sketch->placement, NULL, &places, failure));
    result_places_free(places);
    return STATUS_OK;
}

static void test_allocations(void)
{
    struct sketch sketch = sketch_loop_in_branch();
    fail_each(create_places, &sketch);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"a chain of results", test_chain_of_results},
    {"a tensor that is yielded twice", test_yielded_twice},
    {"external yields and results", test_external},
    {"a yield that a branch inside hands on", test_handed_on_inside},
    {"a yield in place of another tensor", test_in_place},
    {"a loop in a branch", test_loop},
    {"a loop in place of its init", test_loop_in_place},
    {"an If in a loop", test_branch_in_body},
    {"every allocation failing", test_allocations},
};

TESTING_MAIN("planning/result_places", cases)
