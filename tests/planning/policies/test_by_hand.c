#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "support/testing.h"

/* Small graphs under policies that place them level by level or on one line, worked out by hand. */

#define SWITCH                                                                                     \
    {                                                                                              \
        "x:1 a:2 b:3 c:4 r:4 y:1", "x",                                                            \
            "switch: x > r {zero(first: > a | a) one(second: > b | b) two(third: > c | c)}; "      \
            "last: r > y",                                                                         \
            "y"                                                                                    \
    }

/* What is 0, or NULL, is not looked at. */
static const struct row {
    const char *policy;
    struct sketch (*sketch)(void); /* NULL: that of the text, or placing_copies of these tensors */
    const char *blocks, *offsets;
    struct sketch_text text;
    const char *merges, *copies;
    bool unsafe;
    uint64_t alignment_bytes;
    uint64_t peak, load, bound, naive;
    enum plan_status status;
} rows[] = {
    /* yes: p@0 s@6, 9 bytes; no: q@0, 5 bytes; so the inner block has 9. then: block@0 j@9, 11
       bytes; else: k@0 l@7, 8 bytes; so the outer block has 11. Outside: x@0, block@4, y@0: 15
       bytes, which is what is live at step 0. */
    {"recursive", placing_nested, "outer:11@4 inner:9@4", "x@0 p@4 s@10 q@4 j@13 k@4 l@11 y@0",
     .peak = 15, .load = 15, .bound = 15, .naive = 31, .status = PLAN_OPTIMAL},
    /* On one line: x@0 p@0 s@6 q@0, j above s at 9, k@0, l@7 between k and j, y@0. */
    {"flat", placing_nested, "", "x@0 p@0 s@6 q@0 j@9 k@0 l@7 y@0", .peak = 11, .load = 10,
     .bound = 10, .naive = 31, .status = PLAN_FEASIBLE},
    /* The regions of a loop run in one turn, so they make one level: c@0 u@1 v@5, 7 bytes. Outside,
       the init is read and the argument written when the loop is entered. */
    {"recursive", NULL, "loop:7@2", "i@0 g@9 c@2 u@3 v@7 y@0", .peak = 11, .status = PLAN_OPTIMAL,
     .text = {"i:2 g:2 c:1 u:4 v:2 r:2 y:3", "i",
              "loop: > r [i g v r] {cond(test: g > c | c) body(work: g > u; more: u > v |)}; last: "
              "r > y",
              "y"}},
    /* yes: p@0 s@6, 9 bytes, then no: q, so that the inner block has 14. then: block@0 j@14, 16
       bytes, then else: k@0 l@7. */
    {"sum", placing_nested, "outer:24@4 inner:14@4", "x@0 p@4 s@10 q@13 j@18 k@20 l@27 y@0",
     .peak = 28, .load = 28, .bound = 28, .naive = 31, .status = PLAN_OPTIMAL},
    {"sum", NULL, "switch:9@1", "x@0 a@1 b@3 c@6 y@0", .text = SWITCH},
    /* Every region begins at a multiple of the alignment. */
    {"sum", NULL, "switch:12@4", "x@0 a@4 b@8 c@12 y@0", .alignment_bytes = 4, .peak = 16,
     .bound = 13, .text = SWITCH},
    {"sum", NULL, "choose:4@6", "x@0 t@6 y@10", .copies = "x:6 t:4 a:6 b:6 y:1"},
    /* As under recursive, but j may lie over what the inner If leaves, so that q is lost. */
    {"max", placing_nested, "outer:9@4 inner:9@4", "x@0 p@4 s@10 q@4 j@4 k@4 l@11 y@0",
     .unsafe = true, .peak = 13},
    /* The second If is over what the first one left, which is read after it. */
    {"max", placing_siblings, "first:6@1 second:7@0", "x@0 t@1 u@5 e@1 v@0 w@6 f@0 y@0",
     .unsafe = true},
    /* Where nothing is read later than at the leaving, nothing is lost. */
    {"max", placing_external, NULL, "x@0 t@4 e@4 y@0", .unsafe = false},
    /* i is a buffer of 5 bytes in the then branch, in whose place s and q are; r one of 2 outside,
       of j and l. yes: p, 6 bytes. then: block@0 i@6, 11 bytes. else: k, 7 bytes. */
    {"hoist", placing_nested, "outer:11@4 inner:6@4",
     "x@0 p@4 s@10 q@10 i@10 j@15 k@4 l@15 r@15 y@0", .peak = 17, .bound = 17, .naive = 27,
     .status = PLAN_OPTIMAL},
    /* All are in the place of r, and no block is left. */
    {"hoist", NULL, "", "x@0 a@2 b@2 c@2 i@2 j@2 r@2 y@0", .peak = 7,
     .text = {"x:2 a:3 b:4 c:5 i:1 j:1 r:1 y:2", "x",
              "outer: x > r {then(middle: > j {left(inner: > i {yes(one: > a | a) no(two: > b | "
              "b)} | i) right(three: > c | c)} | j) else(| x)}; last: r > y",
              "y"}},
    /* t is yielded twice and x comes from outside: both are copied, so they have places of their
       own until then. */
    {"hoist", NULL, "choose:6@6", "x@0 t@6 a@12 b@18 y@0", .copies = "x:6 t:6 a:6 b:5 y:1"},
    {"hoist", placing_external, "choose:6@4", "x@0 t@4 e@4 y@0", .unsafe = false},
    {"hoist", placing_siblings, "first:4@1 second:6@7", "x@0 t@1 u@5 e@5 r@5 v@7 w@0 f@0 s@0 y@1",
     .peak = 13},
    /* The argument of a loop in a branch is in the place of the If's result; u is the body's. */
    {"hoist", NULL, "choose:7@2 loop:7@2", "i@0 g@9 c@2 u@3 v@7 r@9 y@0", .peak = 11,
     .text = {"i:2 g:2 c:1 u:4 v:2 l:2 r:2 y:3", "i",
              "choose: > r {then(loop: > l [i g v l] {cond(test: g > c | c) body(work: g > u; "
              "more: u > v |)} | l) else(| i)}; last: r > y",
              "y"}},
    /* w is in place of v, so v's place is in the block. */
    {"hoist", NULL, "choose:4@1", "x@0 v@1 w@1 r@5 y@0",
     .text = {"x:1 v:4 w:4 r:4 y:1", "x",
              "choose: x > r {then(one: > v; two: v > w | w)}; last: r > y", "y"},
     .merges = "w<v"},
};

static void expect_bytes(const struct row *row, const char *what, uint64_t found, uint64_t expected)
{
    if (expected && found != expected)
        printf("\n%s: %s is %llu, expected %llu\n", row->policy, what, (unsigned long long)found,
               (unsigned long long)expected);
    CU_ASSERT(!expected || found == expected);
}

static void test_rows(void)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        SCOPED(sketch_free)
        struct sketch sketch = row->sketch   ? row->sketch()
                               : row->copies ? placing_copies(row->copies)
                                             : sketch_of(&row->text);
        if (row->merges)
            sketch_merge(&sketch, row->merges);
        placing_place(&sketch, row->policy, row->alignment_bytes ? row->alignment_bytes : 1);
        const struct measures *measures = &sketch.placement->measures;
        if (row->blocks)
            placing_expect_blocks(&sketch, row->blocks);
        placing_expect_offsets(&sketch, row->offsets);
        expect_bytes(row, "the peak", measures->peak_bytes, row->peak);
        expect_bytes(row, "the load", measures->load_bytes, row->load);
        expect_bytes(row, "the bound", measures->lower_bound_bytes, row->bound);
        expect_bytes(row, "the sum", measures->naive_bytes, row->naive);
        expect_bytes(row, "the status", sketch.placement->status, row->status);
        placing_expect_safe(&sketch, !row->unsafe);
    }
}

static void test_unsafe_policies(void)
{
    for (uint32_t q = 0; q < policy_count(); q++)
        CU_ASSERT_EQUAL((policy_at(q)->flags & POLICY_UNSAFE) != 0,
                        policy_at(q) == &policy_max || policy_at(q) == &policy_launch_order);
}

static const struct test_case cases[] = {
    {"graphs by hand", test_rows},
    {"no other is unsafe", test_unsafe_policies},
};

TESTING_MAIN("planning/policies/by_hand", cases)
