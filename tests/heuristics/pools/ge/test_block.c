#include "heuristics/pools/ge/ranges.h"
#include "heuristics/pools/reference.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

static struct scratch scratch;

static void expect_ranges(const uint64_t *size, uint32_t count, const uint64_t *expected,
                          uint32_t expected_count)
{
    uint64_t ceilings[GE_RANGES_MOST];
    uint32_t ranges;
    must(ge_ranges(size, count, ceilings, &ranges, &scratch, &error));
    scratch_free(&scratch);
    CU_ASSERT_EQUAL_FATAL(ranges, expected_count);
    for (uint32_t i = 0; i < ranges; i++)
        CU_ASSERT_EQUAL(ceilings[i], expected[i]);
}

/* Three ranges for 4096 / 512: above 2048 + 512, above 1024 + 512, and the rest, which has none. */
static void test_ranges(void)
{
    static const uint64_t sizes[] = {600, 3000, 2100, 512, 4096, 1700, 1600, 4000, 1500, 1536};
    expect_ranges(sizes, 10, (const uint64_t[]){2100, 4096}, 2);
    CU_ASSERT_EQUAL(ge_ranges_round((const uint64_t[]){2100, 4096}, 2, 100), 2100);
    CU_ASSERT_EQUAL(ge_ranges_round((const uint64_t[]){2100, 4096}, 2, 2101), 4096);
    CU_ASSERT_EQUAL(ge_ranges_round((const uint64_t[]){2100, 4096}, 2, 5000), 5000);
    static const uint64_t small[] = {1000, 900, 20};
    expect_ranges(small, 3, NULL, 0);
}

/* A range with too few joins the one above; not with two of 8 MiB. */
static void test_ranges_join(void)
{
    static const uint64_t few[] = {4096, 4000, 3000, 2000, 600, 512, 512, 512};
    expect_ranges(few, 8, (const uint64_t[]){4096}, 1);
    enum { MIB = 1 << 20 };
    uint64_t sizes[64] = {64 * MIB, 10 * MIB, 9 * MIB};
    for (uint32_t i = 3; i < 64; i++)
        sizes[i] = 63 * MIB;
    expect_ranges(sizes, 64, (const uint64_t[]){10 * MIB, 64 * MIB}, 2);
    sizes[2] = 63 * MIB;
    expect_ranges(sizes, 64, (const uint64_t[]){64 * MIB}, 1);
}

/* The block of 10 takes those of 6 and 4 beside each other, and the 3, which lives when the 6 does
   not, inside the 6; 2 is live with the 10. The other 6 is the first one's block again. Where all
   blocks are of one size, the one with most in it comes first, then the one that begins first. */
static void test_nesting(void)
{
    static const struct made_buffer rows[] = {{0, 1, 10}, {1, 2, 6}, {1, 4, 4},
                                              {3, 4, 3},  {0, 4, 2}, {2, 3, 6}};
    static const struct reference_example examples[] = {
        {"ge_block_binary?alignment=1", rows, 6, {0, 0, 6, 0, 10, 0}, 12, 2},
        {"ge_block_max?alignment=1", rows, 6, {0, 0, 12, 0, 10, 0}, 16, 3},
        {"ge_block?alignment=1", rows, 6, {0, 0, 6, 0, 10, 0}, 12, 2},
        {"ge_block", rows, 6, {0, 0, 1024, 0, 512, 0}, 1536, 3},
    };
    for (int i = 0; i < 4; i++)
        reference_expect(&examples[i]);
}

struct nest {
    struct reference *blocks; /* as the first level made them */
    uint32_t around[REFERENCE_MOST], order[REFERENCE_MOST];
    uint64_t used[REFERENCE_MOST], offset[REFERENCE_MOST];
};

static uint32_t count_members(const struct reference *blocks, uint32_t block)
{
    uint32_t members = 0;
    for (uint32_t b = 0; b < blocks->problem->buffers; b++)
        members += blocks->object[b] == block;
    return members;
}

static uint32_t get_begin(const struct reference *blocks, uint32_t block)
{
    uint32_t begin = UINT32_MAX;
    for (uint32_t b = 0; b < blocks->problem->buffers; b++)
        if (blocks->object[b] == block && problem_lower(blocks->problem, b) < begin)
            begin = problem_lower(blocks->problem, b);
    return begin;
}

static bool comes_before(const struct reference *blocks, uint32_t a, uint32_t b)
{
    if (blocks->bytes[a] != blocks->bytes[b])
        return blocks->bytes[a] > blocks->bytes[b];
    if (count_members(blocks, a) != count_members(blocks, b))
        return count_members(blocks, a) > count_members(blocks, b);
    return get_begin(blocks, a) < get_begin(blocks, b);
}

static void order_blocks(struct nest *nest)
{
    for (uint32_t i = 0; i < nest->blocks->objects; i++) {
        uint32_t at = i;
        for (; at > 0 && comes_before(nest->blocks, i, nest->order[at - 1]); at--)
            nest->order[at] = nest->order[at - 1];
        nest->order[at] = i;
    }
}

static bool take(struct nest *nest, uint32_t outer, uint32_t inner)
{
    const struct reference *blocks = nest->blocks;
    for (uint32_t a = 0; a < blocks->problem->buffers; a++)
        for (uint32_t b = 0; b < blocks->problem->buffers; b++)
            if (blocks->object[a] == outer && blocks->object[b] == inner &&
                reference_overlap(blocks->problem, a, b))
                return false;
    for (uint32_t i = 0; i < blocks->objects; i++)
        if (nest->around[nest->order[i]] == outer && take(nest, nest->order[i], inner))
            return true;
    if (nest->used[outer] + blocks->bytes[inner] > blocks->bytes[outer])
        return false;
    nest->around[inner] = outer;
    nest->offset[inner] = nest->used[outer];
    nest->used[outer] += blocks->bytes[inner];
    return true;
}

static void nest_blocks(struct nest *nest)
{
    uint32_t count = nest->blocks->objects;
    for (uint32_t i = 0; i < count; i++)
        nest->around[i] = REFERENCE_NONE;
    order_blocks(nest);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (nest->around[nest->order[i]] == REFERENCE_NONE &&
                nest->around[nest->order[j]] == REFERENCE_NONE && !nest->used[nest->order[j]])
                take(nest, nest->order[i], nest->order[j]);
}

static struct reference flatten(const struct nest *nest, uint64_t unit)
{
    struct reference flat = *nest->blocks;
    uint32_t number[REFERENCE_MOST];
    flat.objects = 0;
    for (uint32_t i = 0; i < nest->blocks->objects; i++)
        if (nest->around[nest->order[i]] == REFERENCE_NONE)
            number[nest->order[i]] = flat.objects++;
    for (uint32_t o = 0; o < flat.objects; o++)
        flat.bytes[o] = 0;
    for (uint32_t b = 0; b < flat.problem->buffers; b++) {
        uint32_t block = flat.object[b];
        if (block == REFERENCE_NONE)
            continue;
        for (flat.inside[b] = 0; nest->around[block] != REFERENCE_NONE; block = nest->around[block])
            flat.inside[b] += nest->offset[block];
        flat.object[b] = number[block];
        uint64_t end = reference_round_up(flat.inside[b] + flat.problem->size[b], unit);
        if (end > flat.bytes[number[block]])
            flat.bytes[number[block]] = end;
    }
    return flat;
}

static void compare(const char *planner, const struct problem *problem, uint64_t unit, bool largest,
                    uint64_t seed)
{
    uint64_t bytes[REFERENCE_MOST], most = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE && problem->size[b] > most)
            most = problem->size[b];
    for (uint32_t b = 0; b < problem->buffers; b++)
        bytes[b] = reference_round_up(largest ? most : problem->size[b], unit);
    struct reference blocks = reference_in_order(problem, bytes, reference_newest_equal, 0, false);
    struct nest nest = {.blocks = &blocks};
    nest_blocks(&nest);
    const struct reference flat = flatten(&nest, unit);
    reference_compare(planner, &flat, unit, seed);
}

static void test_against_reference(void)
{
    for (uint64_t seed = 0; seed < 10000; seed++) {
        const struct random_problem kind = {.most_buffers = 16,
                                            .steps = 14,
                                            .most_size = seed % 2 ? 30 : 8,
                                            .holes = seed % 3 == 0,
                                            .fixed = seed % 4 == 0};
        struct problem *problem = rule_test_draw(&kind, seed);
        if (planned_can_be(problem)) {
            compare("ge_block_binary?alignment=1", problem, 1, false, seed);
            compare("ge_block_binary?alignment=4", problem, 4, false, seed);
            compare("ge_block_max?alignment=2", problem, 2, true, seed);
        }
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"binary ranges", test_ranges},
    {"small ranges join", test_ranges_join},
    {"nesting", test_nesting},
    {"against a plain one", test_against_reference},
};

TESTING_MAIN("heuristics/ge_block", cases)
