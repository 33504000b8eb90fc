#include <string.h>

#include "core/memory.h"
#include "planning/family/corners.h"
#include "planning/family/worst.h"
#include "planning/verify/problem/orientation.h"
#include "planning/verify/problem/plan.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const struct random_problem kind = {.most_buffers = 12,
                                           .steps = 9,
                                           .most_size = 9,
                                           .many_holes = true,
                                           .holes = true,
                                           .alignment = true,
                                           .conflicts = true};

/* Makes the sizes c*n + d, with c from 0 to 3, in a box of n from 1 to most. */
static void make_family(struct problem *problem, uint64_t most, struct random_state *random)
{
    must(sizes_create(&problem->sizes, &error));
    must(sizes_add_parameter(problem->sizes, "n", 1, most, &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        SCOPED(text_free) struct text text = {0};
        uint64_t size = 0;
        text_append(&text, "%u*n + %u", (unsigned)random_below(random, 4),
                    (unsigned)random_below(random, 9) + 1);
        must(sizes_add(problem->sizes, text.bytes, &error));
        CU_ASSERT_TRUE(sizes_value(problem->sizes, b, problem->sizes->greatest, &size));
        problem_resize(problem, b, size);
    }
    must(problem_finish(problem, &error));
}

struct drawn {
    struct problem *problem;
    struct family family;
    struct orienter orienter;
    struct orientation *orientation;
};

static void free_drawn(struct drawn *drawn)
{
    orientation_free(drawn->orientation);
    orienter_free(&drawn->orienter);
    family_free(&drawn->family);
    problem_free(drawn->problem);
}

static void draw(struct drawn *drawn, uint64_t most, struct random_state *random)
{
    drawn->problem = random_problem_create(&kind, random);
    make_family(drawn->problem, most, random);
    must(family_create(drawn->problem, &drawn->family, &error));
    must(orienter_create(drawn->problem, &drawn->family.timeline, &drawn->orienter, &error));
    must(orientation_create(drawn->problem, &drawn->orientation, &error));
    for (uint32_t b = 0; b < drawn->problem->buffers; b++)
        drawn->orientation->sorted[b] = b;
    random_shuffle(random, drawn->orientation->sorted, drawn->problem->buffers);
    orienter_orient(&drawn->orienter, drawn->orientation->sorted, drawn->orientation);
}

/* Any order gives an orientation that both checks accept, for sizes that no expression has. */
static void test_safe(void)
{
    struct random_state random = random_seed(3402);
    for (int round = 0; round < TESTING_COUNT(20000, 60); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
        SCOPED(plan_release) struct plan *plan = NULL;
        struct verdict verdict;
        draw(&drawn, 5, &random);
        struct problem *problem = drawn.problem;
        const struct below_lists lists = {drawn.orientation->first, drawn.orientation->below};
        must(verify_orientation(problem, &lists, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
        must(plan_create(problem, &plan, &error));
        plan->status = PLAN_FEASIBLE;
        for (int sizes = 0; sizes < 50; sizes++) {
            for (uint32_t b = 0; b < problem->buffers; b++)
                problem_resize(problem, b, 1 + random_below(&random, 1000));
            CU_ASSERT_TRUE(orientation_place(drawn.orientation, problem, problem->size,
                                             plan->offset, &plan->measures.peak_bytes));
            must(verify_plan(problem, plan, &verdict, &error));
            CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
        }
        /* Its own offsets give the same orientation, which lies no higher. */
        SCOPED(orientation_release) struct orientation *again = NULL;
        SCOPED(memory_release) uint64_t *offset = NULL;
        uint64_t peak_bytes = 0;
        must(orientation_create(problem, &again, &error));
        must(memory_create(&offset, problem->buffers, sizeof *offset, &error));
        must(orienter_orient_by_offsets(&drawn.orienter, plan->offset, again, &error));
        CU_ASSERT_TRUE(orientation_place(again, problem, problem->size, offset, &peak_bytes));
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_TRUE(offset[b] <= plan->offset[b]);
    }
}

/* Lists that lost a pair, or say one the other way round, are refused, unless the pair followed
   from others. */
static void test_broken(void)
{
    struct random_state random = random_seed(3403);
    uint32_t refused[VERIFY_SAMPLED] = {0};
    for (int round = 0; round < TESTING_COUNT(2000, 300); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
        struct verdict verdict;
        char text[256];
        draw(&drawn, 5, &random);
        struct orientation *orientation = drawn.orientation;
        uint32_t pairs = orientation->first[orientation->buffers];
        if (!pairs)
            continue;
        uint32_t e = (uint32_t)random_below(&random, pairs), high = 0;
        while (orientation->first[high + 1] <= e)
            high++;
        bool lost = random_below(&random, 2);
        if (lost) {
            memmove(orientation->below + e, orientation->below + e + 1,
                    (pairs - e - 1) * sizeof *orientation->below);
            for (uint32_t b = high + 1; b <= orientation->buffers; b++)
                orientation->first[b]--;
        } else {
            orientation->below[e] = high;
        }
        const struct below_lists lists = {orientation->first, orientation->below};
        must(verify_orientation(drawn.problem, &lists, &verdict, &error));
        CU_ASSERT_TRUE(lost || verdict.fault == VERIFY_BELOW_ITSELF);
        refused[verdict.fault]++;
        verify_orientation_describe(drawn.problem, &verdict, text, sizeof text);
        CU_ASSERT_TRUE(strlen(text) > 0);
    }
    CU_ASSERT_TRUE(refused[VERIFY_NOT_ORIENTED] > 50 && refused[VERIFY_BELOW_ITSELF] > 50);
}

/* The worst point is that of looking at all points. */
static void test_worst(void)
{
    struct random_state random = random_seed(3404);
    for (int round = 0; round < TESTING_COUNT(1000, 200); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
        SCOPED(worst_free) struct worst worst = {.point = NULL};
        SCOPED(memory_release) uint64_t *size = NULL;
        struct family_ratio most = {0, 1};
        draw(&drawn, 1 + random_below(&random, 40), &random);
        must(worst_create(&drawn.family, &worst, &error));
        must(memory_create(&size, drawn.problem->buffers, sizeof *size, &error));
        const struct worst_search search = {.orientation = drawn.orientation,
                                            .deadline_ns = UINT64_MAX,
                                            .most_boxes = random_below(&random, 4) ? 100000 : 3};
        must(worst_find(&drawn.family, &search, &worst, &error));
        for (uint64_t n = 1; n <= drawn.problem->sizes->greatest[0]; n++) {
            CU_ASSERT_TRUE(family_sizes(&drawn.family, &n, size));
            struct family_ratio ratio = {family_peak(&drawn.family, drawn.orientation, size),
                                         family_load(&drawn.family, size)};
            if (family_ratio_compare(ratio, most) > 0)
                most = ratio;
            if (n == worst.point[0])
                CU_ASSERT_EQUAL(family_ratio_compare(ratio, worst.ratio), 0);
        }
        CU_ASSERT_TRUE(family_ratio_compare(most, worst.proved) <= 0);
        CU_ASSERT_TRUE(!worst.is_exact || family_ratio_compare(most, worst.ratio) == 0);
        CU_ASSERT_TRUE(worst.is_exact || search.most_boxes == 3);
    }
}

/* A size of two parameters, with products and roundings. */
static void add_spread_size(struct symbolic_sizes *sizes, struct random_state *random)
{
    static const char *const factor[] = {
        "n", "m", "n*n", "n*m", "(n + 1)*(n + 2)", "ceil(m / 2)", "(m + 3 - 1)*n"};
    SCOPED(text_free) struct text text = {0};
    text_append(&text, "%u*%s + %u*%s + %u", 1 + (unsigned)random_below(random, 3),
                factor[random_below(random, sizeof factor / sizeof *factor)],
                (unsigned)random_below(random, 3), factor[random_below(random, 2)],
                (unsigned)random_below(random, 9) * 8);
    must(sizes_add(sizes, text.bytes, &error));
}

/* Whether a ratio is kept at all points from one to another. */
static bool is_kept(struct drawn *drawn, const uint64_t *lower, const uint64_t *upper,
                    struct family_ratio ratio)
{
    SCOPED(memory_release) uint64_t *size = NULL;
    uint64_t point[2];
    bool kept = true;
    must(memory_create(&size, drawn->problem->buffers, sizeof *size, &error));
    for (point[0] = lower[0]; point[0] <= upper[0]; point[0]++)
        for (point[1] = lower[1]; point[1] <= upper[1]; point[1]++) {
            CU_ASSERT_TRUE(family_sizes(&drawn->family, point, size));
            struct family_ratio here = {family_peak(&drawn->family, drawn->orientation, size),
                                        family_load(&drawn->family, size)};
            kept = kept && family_ratio_compare(here, ratio) <= 0;
        }
    return kept;
}

/* What corners prove of a box holds at all of its points. */
static void test_corners(void)
{
    struct random_state random = random_seed(3410);
    struct random_problem plain = kind;
    uint32_t proved = 0, held = 0;
    plain.alignment = false;
    plain.most_buffers = 7;
    for (int round = 0; round < TESTING_COUNT(20000, 1000); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = random_problem_create(&plain, &random)};
        SCOPED(corners_release) struct corners *corners = NULL;
        struct problem *problem = drawn.problem;
        const uint64_t lower[2] = {1 + random_below(&random, 5), 1 + random_below(&random, 5)};
        const uint64_t upper[2] = {lower[0] + random_below(&random, 6),
                                   lower[1] + random_below(&random, 6)};
        must(sizes_create(&problem->sizes, &error));
        must(sizes_add_parameter(problem->sizes, "n", 1, 12, &error));
        must(sizes_add_parameter(problem->sizes, "m", 1, 12, &error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            add_spread_size(problem->sizes, &random);
        must(family_create(problem, &drawn.family, &error));
        must(orienter_create(problem, &drawn.family.timeline, &drawn.orienter, &error));
        must(orientation_create(problem, &drawn.orientation, &error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            drawn.orientation->sorted[b] = b;
        random_shuffle(&random, drawn.orientation->sorted, problem->buffers);
        orienter_orient(&drawn.orienter, drawn.orientation->sorted, drawn.orientation);
        must(corners_create(&drawn.family, &corners, &error));
        CU_ASSERT_PTR_NOT_NULL_FATAL(corners);
        struct family_ratio ratio = {100 + random_below(&random, 3) * random_below(&random, 40),
                                     100};
        bool kept = is_kept(&drawn, lower, upper, ratio);
        bool proves = corners_prove(corners, drawn.orientation, lower, upper, ratio);
        CU_ASSERT_TRUE(kept || !proves);
        proved += proves;
        held += kept;
    }
    CU_ASSERT_TRUE(proved > 300 && proved * 10 > held * 8);
}

/* A number that is said to divide a size divides it at all points. */
static void test_divisors(void)
{
    struct random_state random = random_seed(3411);
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    must(sizes_create(&sizes, &error));
    must(sizes_add_parameter(sizes, "n", 1, 99, &error));
    for (int round = 0; round < 300; round++) {
        SCOPED(text_free) struct text text = {0};
        static const char *const form[] = {"%u*n + %u", "align(%u*n, %u + 1)", "ceil(%u*n / 4)*%u",
                                           "max(%u*n, %u)*(n + 12)",
                                           "floor((%u + 4*n) / 2) + 2*%u*n"};
        text_append(&text, form[round % 3 == 1 ? 0 : round % 5], 12 * (unsigned)round + 12,
                    6 * (unsigned)random_below(&random, 5) + 6);
        if (sizes_add(sizes, text.bytes, &error))
            continue;
        for (uint64_t n = 1; n < 100; n++) {
            uint64_t value;
            CU_ASSERT_TRUE(sizes_value(sizes, sizes->count - 1, &n, &value));
            CU_ASSERT_EQUAL(value % sizes_divisor(sizes, sizes->count - 1), 0);
        }
    }
    CU_ASSERT_TRUE(sizes->count > 150);
}

/* Fixed offsets and windows are refused. */
static void test_refused(void)
{
    struct random_problem refused = kind;
    struct random_state random = random_seed(3405);
    refused.fixed = refused.windows = true;
    uint32_t seen = 0;
    for (int round = 0; round < 100; round++) {
        SCOPED(problem_release) struct problem *problem = random_problem_create(&refused, &random);
        SCOPED(family_free) struct family family = {.problem = NULL};
        bool plain = !problem_has_windows(problem) && !problem->any_fixed;
        if (plain)
            continue;
        must(sizes_create(&problem->sizes, &error));
        must(sizes_add_parameter(problem->sizes, "n", 1, 2, &error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            must(sizes_add_number(problem->sizes, problem->size[b], &error));
        enum status status = family_create(problem, &family, &error);
        seen += status == STATUS_BAD_INPUT;
        CU_ASSERT_TRUE(status == STATUS_BAD_INPUT || status == STATUS_OK);
    }
    CU_ASSERT_TRUE(seen > 50);
}

static enum status work(const void *input, struct error *fault)
{
    const struct problem *problem = input;
    SCOPED(family_free) struct family family = {.problem = NULL};
    SCOPED(orienter_free) struct orienter orienter = {.problem = NULL};
    SCOPED(orientation_release) struct orientation *orientation = NULL;
    SCOPED(worst_free) struct worst worst = {.point = NULL};
    struct verdict verdict;
    TRY(family_create(problem, &family, fault));
    TRY(orienter_create(problem, &family.timeline, &orienter, fault));
    TRY(orientation_create(problem, &orientation, fault));
    TRY(orienter_orient_by_offsets(&orienter, problem->size, orientation, fault));
    TRY(worst_create(&family, &worst, fault));
    const struct worst_search search = {
        .orientation = orientation, .deadline_ns = UINT64_MAX, .most_boxes = 1000};
    TRY(worst_find(&family, &search, &worst, fault));
    return verify_orientation(
        problem, &(struct below_lists){orientation->first, orientation->below}, &verdict, fault);
}

static void test_allocations(void)
{
    struct random_state random = random_seed(3406);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    make_family(problem, 9, &random);
    fail_each(work, problem);
}

static const struct test_case cases[] = {
    {"an orientation is safe for all sizes", test_safe},
    {"verify refuses lists that lost a pair", test_broken},
    {"the worst point by halving the box", test_worst},
    {"what corners prove of a box holds at its points", test_corners},
    {"what divides a size divides it everywhere", test_divisors},
    {"fixed offsets and windows are refused", test_refused},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("family", cases)
