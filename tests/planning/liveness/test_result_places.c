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
    CU_ASSERT_EQUAL_FATAL(result_places_create(sketch->graph, sketch->placement, &places, &error),
                          STATUS_OK);
    for (uint32_t t = 0; t < sketch->graph->tensors; t++)
        if (places->place[t] == t && places->next[t] != GRAPH_NONE)
            write_place(sketch, places, t, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\nfound:   %s\nexpected:%s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
    result_places_free(places);
    sketch_free(sketch);
}

static void add_branch(struct sketch *sketch, const char *name, const char *outputs,
                       const char *yields)
{
    sketch_region(sketch, name);
    if (*outputs)
        sketch_plain(sketch, name, "", outputs);
    sketch_yield(sketch, yields);
}

static void test_chain_of_results(void)
{
    struct sketch sketch = sketch_start("x:4 t:6 e:2 p:9 r:3");
    sketch_inputs(&sketch, "x");
    sketch_if(&sketch, "outer", "x", "r");
    add_branch(&sketch, "then", "t", "t");
    sketch_region(&sketch, "else");
    sketch_if(&sketch, "inner", "x", "e");
    add_branch(&sketch, "yes", "p", "p");
    add_branch(&sketch, "no", "", "x");
    sketch_close(&sketch);
    sketch_yield(&sketch, "e");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
    expect(&sketch, " r:9+t+e+p");
}

/* What is copied counts too. */
static void test_yielded_twice(void)
{
    struct sketch sketch = sketch_start("x:4 t:6 e:2 f:2 q:1 r:3");
    sketch_inputs(&sketch, "x");
    sketch_if(&sketch, "choose", "x", "q r");
    add_branch(&sketch, "then", "t", "t t");
    add_branch(&sketch, "else", "e f", "f e");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
    expect(&sketch, " q:6+f r:6+e");
}

static void test_external(void)
{
    struct sketch sketch = sketch_start("x:4 t:6! u:2 e:2 f:2 q:1! r:3");
    sketch_inputs(&sketch, "x");
    sketch_if(&sketch, "choose", "x", "q r");
    add_branch(&sketch, "then", "t u", "u t");
    add_branch(&sketch, "else", "e f", "e f");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
    expect(&sketch, " r:6+f");
}

/* The same tensor is made directly in one branch and handed on by one inside it. */
static void test_handed_on_inside(void)
{
    struct sketch sketch = sketch_start("x:4 t:6 p:2 i:2 e:1 r:3");
    sketch_inputs(&sketch, "x");
    sketch_if(&sketch, "outer", "x", "r");
    sketch_region(&sketch, "then");
    sketch_plain(&sketch, "make", "x", "t");
    sketch_if(&sketch, "inner", "x", "i");
    add_branch(&sketch, "yes", "", "t");
    add_branch(&sketch, "no", "p", "p");
    sketch_close(&sketch);
    sketch_yield(&sketch, "t");
    add_branch(&sketch, "else", "e", "e");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
    expect(&sketch, " i:6+p r:6+t+e");
}

/* u is in the place of t, s is alone. */
static void test_in_place(void)
{
    struct sketch sketch = sketch_start("x:4 t:6 u:6 s:2 q:1 r:3");
    sketch_inputs(&sketch, "x");
    sketch_if(&sketch, "choose", "x", "q r");
    sketch_region(&sketch, "then");
    sketch_plain(&sketch, "one", "x", "t s");
    sketch_plain(&sketch, "two", "t", "u");
    sketch_yield(&sketch, "s u");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
    sketch.placement->overwrites[sketch_find(&sketch, "u")] = sketch_find(&sketch, "t");
    expect(&sketch, " q:2+s");
}

static struct sketch sketch_loop_in_branch(void)
{
    struct sketch sketch = sketch_start("i:5 a:5 v:5 l:5 s:7 e:1 q:1 r:3");
    sketch_inputs(&sketch, "i");
    sketch_if(&sketch, "choose", "i", "q r");
    sketch_region(&sketch, "then");
    sketch_loop(&sketch, "loop", "", "l s", "i a v l");
    add_branch(&sketch, "body", "v", "");
    sketch_close(&sketch);
    sketch_yield(&sketch, "s l");
    add_branch(&sketch, "else", "e", "e i");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
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
    struct sketch sketch = sketch_start("i:5 a:5 t:2 v:5 l:5");
    sketch_inputs(&sketch, "i");
    sketch_loop(&sketch, "loop", "", "l", "i a v l");
    sketch_region(&sketch, "body");
    sketch_if(&sketch, "choose", "a", "v");
    add_branch(&sketch, "then", "t", "t");
    add_branch(&sketch, "else", "", "a");
    sketch_close(&sketch);
    sketch_yield(&sketch, "");
    sketch_close(&sketch);
    sketch_finish(&sketch, "l");
    expect(&sketch, " v:5+t");
}

static enum status create_places(const void *input, struct error *failure)
{
    const struct sketch *sketch = input;
    struct result_places *places;
    TRY(result_places_create(sketch->graph, sketch->placement, &places, failure));
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
