#include "planning/plan/addresses.h"

#include <stdio.h>

#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

#define IF "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}"

static const struct sketch_text read = {"x:4 t:2 e:4 r:4 y:1", "x", IF "; dense: r > y", "y"};
static const struct sketch_text unread = {"x:4 t:2 e:4 r:4 y:1", "x", IF "; dense: x > y", "y"};
static const struct sketch_text output = {"x:4 t:2 e:4 r:4", "x", IF, "r"};
static const struct sketch_text external = {"x:4 t:2 e:4 r:4! y:1", "x", IF "; dense: r > y", "y"};
/* The other branch of a second If hands the result on. */
static const struct sketch_text handed_on = {
    "x:4 t:4 e:4 r:4 a:4 s:4 y:1", "x",
    IF "; again: x > s {make(conv: x > a | a) keep(| r)}; dense: s > y", "y"};
/* A loop starts from the result. */
static const struct sketch_text taken = {"x:4 t:4 e:4 r:4 c:4 n:4 last:4", "x",
                                         IF "; while: x > last [r c n last] {body(step: c > n |)}",
                                         "last"};

static void test_results(void)
{
    static const struct {
        const struct sketch_text *graph;
        const char *offsets;
        bool are_static;
    } rows[] = {
        {&read, "x@0 t@4 e@8 y@0", false},
        {&read, "x@0 t@4 e@4 y@0", true},
        {&read, "x@0 t@4 e@8 r@12 y@0", true},
        {&unread, "x@0 t@4 e@8 y@16", true},
        {&output, "x@0 t@4 e@8", false},
        {&external, "x@0 t@4 e@8 y@0", true},
        {&handed_on, "x@0 t@4 e@8 a@4 y@0", false},
        {&handed_on, "x@0 t@4 e@4 a@4 y@0", true},
        {&handed_on, "x@0 t@4 e@8 a@4 s@12 y@0", true},
        {&taken, "x@0 t@4 e@8 c@12 n@16", false},
        {&taken, "x@0 t@4 e@4 c@12 n@16", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(rows[i].graph);
        bool are_static = !rows[i].are_static;
        sketch_place(&sketch, rows[i].offsets);
        must(addresses_are_static(sketch.graph, sketch.placement, &are_static, &error));
        if (are_static != rows[i].are_static)
            printf("\n%s: %s\n", rows[i].graph->operators, rows[i].offsets);
        CU_ASSERT_EQUAL(are_static, rows[i].are_static);
    }
}

static const struct test_case cases[] = {{"results of Ifs", test_results}};

TESTING_MAIN("planning/addresses", cases)
