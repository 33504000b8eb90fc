/* Sets of spans against a list that is gone through. */

#include "core/random.h"
#include "planning/verify/spans.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

enum { MOST = 40 };

struct listed {
    struct verify_span span[MOST];
    bool member[MOST];
    uint32_t count;
};

static struct verify_span draw_span(struct random_state *random)
{
    uint64_t lower = random_below(random, 60), bytes = random_below(random, 12);
    return (struct verify_span){lower, lower + bytes};
}

static bool meet(struct verify_span a, struct verify_span b)
{
    return a.lower < b.upper && b.lower < a.upper && a.lower < a.upper && b.lower < b.upper;
}

static void check_query(const struct listed *listed, const struct verify_spans *spans,
                        struct verify_span asked)
{
    uint32_t number, expected = 0, found = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < listed->count; i++)
        expected += listed->member[i] && meet(listed->span[i], asked);
    for (uint32_t at = 0; verify_spans_next(spans, asked, &at, &number); found++) {
        CU_ASSERT_FATAL(number < listed->count);
        CU_ASSERT(listed->member[number] && meet(listed->span[number], asked));
        CU_ASSERT(listed->span[number].lower >= before);
        before = listed->span[number].lower;
    }
    CU_ASSERT_EQUAL(found, expected);
}

static void test_any(void)
{
    struct random_state random = random_seed(5);
    for (uint32_t turn = 0; turn < TESTING_COUNT(300, 100); turn++) {
        struct listed listed = {.count = turn % MOST};
        SCOPED(scratch_free) struct scratch scratch = {0};
        struct verify_spans spans;
        for (uint32_t i = 0; i < listed.count; i++)
            listed.span[i] = draw_span(&random);
        must(verify_spans_create(listed.span, listed.count, &spans, &scratch, &error));
        for (uint32_t step = 0; step < 100; step++) {
            if (listed.count) {
                uint32_t number = (uint32_t)random_below(&random, listed.count);
                listed.member[number] = random_below(&random, 3) > 0;
                if (listed.member[number])
                    verify_spans_insert(&spans, number);
                else
                    verify_spans_remove(&spans, number);
                CU_ASSERT_EQUAL(verify_spans_get(&spans, number).upper, listed.span[number].upper);
            }
            check_query(&listed, &spans, draw_span(&random));
        }
    }
}

static void test_around(void)
{
    SCOPED(extents_release) struct extents *extents = NULL;
    must(extents_add(&extents, 2, 0, (struct extent){8, 3}, &error));
    must(extents_add(&extents, 2, 0, (struct extent){2, 4}, &error));
    struct verify_span around = verify_span_around(extents_begin(extents, 0, 8, 0, 7));
    CU_ASSERT_EQUAL(around.lower, 2);
    CU_ASSERT_EQUAL(around.upper, 11);
    around = verify_span_around(extents_begin(extents, 1, UINT64_MAX - 2, 0, 7));
    CU_ASSERT_EQUAL(around.lower, around.upper);
    around = verify_span_around(extents_begin(extents, 1, 5, 0, 0));
    CU_ASSERT_EQUAL(around.lower, around.upper);
}

static enum status create(const void *input, struct error *fault)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct verify_spans spans;
    return verify_spans_create(input, 3, &spans, &scratch, fault);
}

static void test_allocations(void)
{
    static const struct verify_span span[3] = {{0, 4}, {2, 3}, {9, 9}};
    fail_each(create, span);
}

static const struct test_case cases[] = {
    {"any", test_any},
    {"around", test_around},
    {"allocations", test_allocations},
};

TESTING_MAIN("planning/verify/spans", cases)
