#include "planning/liveness/liveness.h"

#include "core/text.h"
#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

/* conv; if { then: relu -> t } { else: pool -> e } -> r; dense reads r. */
#define PICTURE "conv: x > c; if: c > r {then(relu: c > t | t) else(pool: c > e | e)}; dense: r > y"

/*     0 outer
           then
           1 inner
               2 left -> p
               3 right -> q
           4 leaves with i
           5 more: i -> j
           else
           6 other -> k
       7 leaves with r
       8 last reads r            i is read at 5, so p and q live to 5; j and k to 8     */
#define NESTED(then_yield)                                                                         \
    "outer: > r {then(inner: > i {yes(left: > p | p) no(right: x > q | q)}; more: i > j "          \
    "| " then_yield ") else(other: > k | k)}; last: r > y"

/*     0 make -> w
       1 loop enters: reads i; g takes its place
           2 turn: g w -> v
       3 leaves: v is handed back to g
       4 idle
       5 last reads r, which is where g is                */
#define LOOP "make: > w; loop: > r [i g v r] {body(turn: g w > v |)}; idle: > z; last: r > y"

static const struct scene {
    const char *name;
    struct sketch_text text;
    uint32_t steps;
    const char *lifetimes; /* of all tensors that have a place, in the order of the sketch */
    const char *regions;   /* their steps; NULL: not looked at */
    const char *operators; /* "ENTER-LEAVE", with ":UPPER" where it has a block; NULL: as above */
} scenes[] = {
    {"a chain",
     {"x:1 a:1 b:1 y:1", "x", "one: x > a; two: a > b; three: b > y", "y"},
     3,
     .lifetimes = " x=[0,1) a=[0,2) b=[1,3) y=[2,3)"},
    /* Inputs are live from the start, outputs to the end, and what nobody reads for one step. */
    {"inputs, outputs and unread tensors",
     {"x:1 late:1 unread:1 a:1 lost:1 y:1 z:1", "x late unread",
      "one: x > a y; two: a > lost; three: late > z", "y"},
     3,
     .lifetimes = " x=[0,1) late=[0,3) unread=[0,1) a=[0,2) lost=[1,2) y=[0,3) z=[2,3)"},
    {"an input that is an output",
     {"x:1 a:1 b:1", "x", "one: x > a; two: a > b", "x"},
     2,
     .lifetimes = " x=[0,2) a=[0,2) b=[1,2)"},
    {"external tensors",
     {"x:1! w:1! a:1 y:1!", "x", "one: x w > a; two: a w > y", "y"},
     2,
     .lifetimes = " a=[0,2)"},
    {"no operators", {"x:1", "x", "", "x"}, 1, .lifetimes = " x=[0,1)"},
    /* The picture in the header; c is captured by both branches. */
    {"an If",
     {"x:1 c:1 t:1 e:1 r:1 y:1", "x", PICTURE, "y"},
     6,
     .lifetimes = " x=[0,1) c=[0,4) t=[2,6) e=[3,6) y=[5,6)",
     " [0,6) [2,3) [3,4)",
     " 0-0 1-4:6 2-2 3-3 5-5"},
    /* An external result is copied away when the If is left, step 4. */
    {"an external result",
     {"x:1 c:1 t:1 e:1 r:1! y:1", "x", PICTURE, "y"},
     6,
     .lifetimes = " x=[0,1) c=[0,4) t=[2,5) e=[3,5) y=[5,6)",
     NULL,
     " 0-0 1-4:5 2-2 3-3 5-5"},
    /* A result that nobody reads still appears when the If is left; one that is a graph output
       lives to the end. */
    {"unread results and final ones",
     {"x:1 t:1 u:1 e:1 f:1 r:1 s:1 y:1", "x",
      "if: x > r s {then(one: > t u | t u) else(two: > e f | e f)}; last: > y", "s"},
     5,
     .lifetimes = " x=[0,1) t=[1,4) u=[1,5) e=[2,4) f=[2,5) y=[4,5)"},
    /* The branch hands a on, so a is what r is read from. */
    {"a branch that hands on what it did not make",
     {"a:1 e:1 r:1 z:1 y:1", "",
      "make: > a; if: > r {then(| a) else(two: > e | e)}; idle: > z; last: r > y", "y"},
     6,
     .lifetimes = " a=[0,6) e=[2,6) z=[4,5) y=[5,6)",
     " [0,6) [2,2) [2,3)"},
    /* An If whose branches do nothing has the two steps of entering and leaving. */
    {"empty branches",
     {"x:1 y:1", "x", "if: x > {then(|) else(|)}; last: > y", "y"},
     3,
     .lifetimes = " x=[0,1) y=[2,3)"},
    {"an If in an If",
     {"x:1 p:1 q:1 i:1 j:1 k:1 r:1 y:1", "x", NESTED("j"), "y"},
     9,
     .lifetimes = " x=[0,4) p=[2,6) q=[3,6) j=[5,9) k=[6,9) y=[8,9)",
     " [0,9) [1,6) [2,3) [3,4) [6,7)",
     " 0-7:9 1-4:6 2-2 3-3 5-5 6-6 8-8"},
    /* The branch hands the inner result on: p and q are what r is read from at step 8. */
    {"an inner result handed on",
     {"x:1 p:1 q:1 i:1 j:1 k:1 r:1 y:1", "x", NESTED("i"), "y"},
     9,
     .lifetimes = " x=[0,4) p=[2,9) q=[3,9) j=[5,6) k=[6,9) y=[8,9)",
     NULL,
     " 0-7:9 1-4:9 2-2 3-3 5-5 6-6 8-8"},
    /* Two tensors go through one operator after another: r of the first If is handed on by the
       second, whose result s is read last. */
    {"a result through a later If",
     {"t:1 e:1 r:1 f:1 s:1 y:1", "",
      "first: > r {then(one: > t | t) else(two: > e | e)}; second: > s {then(| r) else(three: > f "
      "| f)}; last: s > y",
      "y"},
     8,
     .lifetimes = " t=[1,8) e=[2,8) f=[5,8) y=[7,8)"},
    {"a loop",
     {"i:1 w:1 g:1 v:1 r:1 z:1 y:1", "i", LOOP, "y"},
     6,
     .lifetimes = " i=[0,2) w=[0,4) g=[1,6) v=[2,4) z=[4,5) y=[5,6)",
     NULL,
     " 0-0 1-3:4 2-2 4-4 5-5"},
    {"a loop with an external result",
     {"i:1 w:1 g:1 v:1 r:1! z:1 y:1", "i", LOOP, "y"},
     6,
     .lifetimes = " i=[0,2) w=[0,4) g=[1,4) v=[2,4) z=[4,5) y=[5,6)"},
    /* c, which the condition yields, and v live until the loop is left; o is no carried result:
       written in the loop, so live all through it. */
    {"a loop of two regions",
     {"i:1 g:1 c:1 u:1 v:1 r:1 o:1 y:1", "i",
      "loop: > r o [i g v r] {cond(test: g > c | c) body(work: g > u; more: u > v |)}; last: o > y",
      "y"},
     6,
     .lifetimes = " i=[0,1) g=[0,5) c=[1,5) u=[2,4) v=[3,5) o=[0,6) y=[5,6)"},
    /* What a loop inside a loop reads lives to the end of the outermost loop that does not hold its
       producer: w through both, m, made in the outer body, through the inner one. */
    {"a loop in a loop",
     {"w:1 m:1 d:1 t:1 y:1", "",
      "make: > w; outer: > [] {body(middle: > m; inner: > [] {body(deep: w m > d |)}; tail: > t "
      "|)}; last: > y",
      "y"},
     9,
     .lifetimes = " w=[0,8) m=[2,6) d=[4,5) t=[6,7) y=[8,9)"},
    /* A carried value that never changes: the argument is its own yield. */
    {"an argument handed on",
     {"i:1 g:1 r:1 t:1 y:1", "i", "loop: > r [i g g r] {body(turn: > t |)}; last: > y", "y"},
     4,
     .lifetimes = " i=[0,1) g=[0,3) t=[1,2) y=[3,4)"},
};

static void expect(const char *name, const struct text *found, const char *expected)
{
    if (expected && strcmp(found->bytes, expected) != 0)
        printf("\n%s\nfound:   %s\nexpected:%s\n", name, found->bytes, expected);
    CU_ASSERT(!expected || strcmp(found->bytes, expected) == 0);
}

static void test_scenes(void)
{
    for (const struct scene *scene = scenes; scene < scenes + sizeof scenes / sizeof *scenes;
         scene++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scene->text);
        const struct graph *graph = sketch.graph;
        SCOPED(text_free) struct text lifetimes = {0}, regions = {0}, operators = {0};
        SCOPED(liveness_release) struct liveness *liveness = NULL;
        must(liveness_create(graph, &liveness, &error));
        CU_ASSERT_EQUAL(liveness->steps, scene->steps);
        for (uint32_t t = 0; t < graph->tensors; t++)
            if (liveness_has_place(liveness, t))
                text_append(&lifetimes, " %s=[%u,%u)", names_get(&graph->tensor_names, t),
                            liveness->lower[t], liveness->upper[t]);
        for (uint32_t r = 0; r < graph->regions; r++)
            text_append(&regions, " [%u,%u)", liveness->region_begin[r], liveness->region_end[r]);
        text_append(&operators, "%s", "");
        for (uint32_t o = 0; o < graph->operators; o++) {
            text_append(&operators, " %u-%u", liveness->enter_step[o], liveness->leave_step[o]);
            if (graph->op[o].first_region != GRAPH_NONE)
                text_append(&operators, ":%u", liveness->block_upper[o]);
        }
        expect(scene->name, &lifetimes, scene->lifetimes);
        expect(scene->name, &regions, scene->regions);
        expect(scene->name, &operators, scene->operators);
    }
    liveness_free(NULL);
}

static const struct test_case cases[] = {{"graphs by hand", test_scenes}};

TESTING_MAIN("planning/liveness", cases)
