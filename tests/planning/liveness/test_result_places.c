#include "core/text.h"
#include "planning/liveness/result_places.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

#define LOOP_IN_BRANCH                                                                             \
    {                                                                                              \
        "i:5 a:5 v:5 l:5 s:7 e:1 q:1 r:3", "i",                                                    \
            "choose: i > q r {then(loop: > l s [i a v l] {body(body: > v |)} | s l) "              \
            "else(else: > e | e i)}",                                                              \
            "r"                                                                                    \
    }

static const struct scene {
    const char *name;
    struct sketch_text text;
    const char *merges;
    const char *places; /* with more than one tensor: owner, bytes, and the others in it */
} scenes[] = {
    {"a chain of results",
     {"x:4 t:6 e:2 p:9 r:3", "x",
      "outer: x > r {then(then: > t | t) else(inner: x > e {yes(yes: > p | p) no(| x)} | e)}", "r"},
     "",
     " r:9+t+e+p"},
    /* What is copied counts too. */
    {"a tensor that is yielded twice",
     {"x:4 t:6 e:2 f:2 q:1 r:3", "x",
      "choose: x > q r {then(then: > t | t t) else(else: > e f | f e)}", "r"},
     "",
     " q:6+f r:6+e"},
    {"external yields and results",
     {"x:4 t:6! u:2 e:2 f:2 q:1! r:3", "x",
      "choose: x > q r {then(then: > t u | u t) else(else: > e f | e f)}", "r"},
     "",
     " r:6+f"},
    /* The same tensor is made directly in one branch and handed on by one inside it. */
    {"a yield that a branch inside hands on",
     {"x:4 t:6 p:2 i:2 e:1 r:3", "x",
      "outer: x > r {then(make: x > t; inner: x > i {yes(| t) no(no: > p | p)} | t) "
      "else(else: > e | e)}",
      "r"},
     "",
     " i:6+p r:6+t+e"},
    /* u is in the place of t, s is alone. */
    {"a yield in place of another tensor",
     {"x:4 t:6 u:6 s:2 q:1 r:3", "x", "choose: x > q r {then(one: x > t s; two: t > u | s u)}",
      "r"},
     "u<t",
     " q:2+s"},
    /* The argument has the place of the carried result l; the output s has one of its own. */
    {"a loop in a branch", LOOP_IN_BRANCH, "", " q:7+s+e r:5+a"},
    {"a loop in place of its init", LOOP_IN_BRANCH, "a<i", " q:7+s+e"},
    /* What a loop's body yields is in the place of nothing else. */
    {"an If in a loop",
     {"i:5 a:5 t:2 v:5 l:5", "i",
      "loop: > l [i a v l] {body(choose: a > v {then(then: > t | t) else(| a)} |)}", "l"},
     "",
     " v:5+t"},
};

static void test_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scenes[i].text);
        const struct names *names = &sketch.graph->tensor_names;
        SCOPED(result_places_release) struct result_places *places = NULL;
        SCOPED(text_free) struct text found = {0};
        sketch_merge(&sketch, scenes[i].merges);
        must(result_places_create(sketch.graph, sketch.placement, NULL, &places, &error));
        for (uint32_t owner = 0; owner < sketch.graph->tensors; owner++) {
            if (places->place[owner] != owner || places->next[owner] == GRAPH_NONE)
                continue;
            text_append(&found, " %s:%llu", names_get(names, owner),
                        (unsigned long long)places->bytes[owner]);
            for (uint32_t t = places->next[owner]; t != GRAPH_NONE; t = places->next[t]) {
                text_append(&found, "+%s", names_get(names, t));
                CU_ASSERT_EQUAL(places->place[t], owner);
            }
        }
        if (strcmp(found.bytes, scenes[i].places) != 0)
            printf("\n%s\nfound:   %s\nexpected:%s\n", scenes[i].name, found.bytes,
                   scenes[i].places);
        CU_ASSERT_STRING_EQUAL(found.bytes, scenes[i].places);
    }
}

static enum status create_places(const void *input, struct error *failure)
{
    const struct sketch *sketch = input;
    SCOPED(result_places_release) struct result_places *places = NULL;
    return result_places_create(sketch->graph, sketch->placement, NULL, &places, failure);
}

static void test_allocations(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_of(&(struct sketch_text)LOOP_IN_BRANCH);
    fail_each(create_places, &sketch);
}

static const struct test_case cases[] = {
    {"graphs by hand", test_scenes},
    {"every allocation failing", test_allocations},
};

TESTING_MAIN("planning/result_places", cases)
