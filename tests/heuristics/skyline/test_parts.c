#include "core/random.h"
#include "heuristics/skyline/best_block.h"
#include "heuristics/skyline/contour.h"
#include "support/testing.h"

static struct scratch scratch;

/* The contour and the tree of waiting blocks against arrays that are gone through. */

enum { MOST = 60 };

static struct error error;

/* The lowest piece of heights by time, the earliest of equals. */
static struct skyline_piece find_lowest(const uint64_t *height, uint32_t times)
{
    struct skyline_piece lowest = {0, 0, UINT64_MAX};
    for (uint32_t begin = 0, end; begin < times; begin = end) {
        for (end = begin + 1; end < times && height[end] == height[begin];)
            end++;
        if (height[begin] < lowest.height)
            lowest = (struct skyline_piece){begin, end, height[begin]};
    }
    return lowest;
}

static void fill(uint64_t *height, uint32_t begin, uint32_t end, uint64_t value)
{
    for (uint32_t i = begin; i < end; i++)
        height[i] = value;
}

static struct skyline_piece draw_raised(struct random_state *random, struct skyline_piece piece)
{
    uint32_t length = piece.end - piece.begin;
    uint32_t begin = piece.begin + (uint32_t)random_below(random, length);
    uint32_t end = begin + 1 + (uint32_t)random_below(random, piece.end - begin);
    return (struct skyline_piece){begin, end, piece.height + 1 + random_below(random, 3)};
}

static uint64_t find_lower_neighbour(const uint64_t *height, uint32_t times,
                                     struct skyline_piece piece)
{
    uint64_t before = piece.begin ? height[piece.begin - 1] : UINT64_MAX;
    uint64_t after = piece.end < times ? height[piece.end] : UINT64_MAX;
    return before < after ? before : after;
}

static void test_contour(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct random_state random = random_seed(seed);
        uint32_t times = 1 + (uint32_t)(seed % MOST);
        uint64_t height[MOST] = {0};
        struct skyline_contour contour;
        CU_ASSERT_EQUAL_FATAL(skyline_contour_create(times, &contour, &scratch, &error), STATUS_OK);
        for (int turn = 0; turn < 100; turn++) {
            struct skyline_piece piece = skyline_contour_lowest(&contour);
            struct skyline_piece expected = find_lowest(height, times);
            CU_ASSERT_TRUE_FATAL(piece.begin == expected.begin && piece.end == expected.end &&
                                 piece.height == expected.height);
            uint64_t lifted = find_lower_neighbour(height, times, piece);
            if (lifted != UINT64_MAX && random_below(&random, 3) == 0) {
                CU_ASSERT_EQUAL(skyline_contour_lift(&contour, piece, &error), STATUS_OK);
                fill(height, piece.begin, piece.end, lifted);
            } else {
                struct skyline_piece raised = draw_raised(&random, piece);
                CU_ASSERT_EQUAL(skyline_contour_raise(&contour, piece, raised, &error), STATUS_OK);
                fill(height, raised.begin, raised.end, raised.height);
            }
        }
        heap_free(&contour.lowest);
        scratch_free(&scratch);
    }
}

/* Each block in turn is the one of least rank inside an interval, until none is left. */
static void test_blocks(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_state random = random_seed(seed);
        uint32_t count = 1 + (uint32_t)(seed % MOST);
        struct skyline_block block[MOST], copy[MOST];
        bool taken[MOST] = {false};
        struct skyline_blocks *blocks;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t lower = (uint32_t)random_below(&random, 20);
            uint32_t upper = lower + 1 + (uint32_t)random_below(&random, 10);
            block[i] = copy[i] = (struct skyline_block){lower, upper, (i * 7 + 3) % count, i};
            if (count % 7 == 0)
                block[i].rank = copy[i].rank = i;
        }
        CU_ASSERT_EQUAL_FATAL(skyline_blocks_create(block, count, &blocks, &scratch, &error),
                              STATUS_OK);
        for (int turn = 0; turn < 150; turn++) {
            uint32_t from = (uint32_t)random_below(&random, 20), best = count;
            uint32_t to = from + (uint32_t)random_below(&random, 20);
            for (uint32_t i = 0; i < count; i++)
                if (!taken[i] && copy[i].lower >= from && copy[i].upper <= to &&
                    (best == count || copy[i].rank < copy[best].rank))
                    best = i;
            const struct skyline_block *found = skyline_blocks_take(blocks, from, to);
            CU_ASSERT_EQUAL_FATAL(found == NULL, best == count);
            if (!found)
                continue;
            CU_ASSERT_EQUAL(found->buffer, best);
            taken[best] = true;
        }
        scratch_free(&scratch);
    }
}

static const struct test_case cases[] = {
    {"the contour", test_contour},
    {"the best block inside an interval", test_blocks},
};
TESTING_MAIN("heuristics/skyline_parts", cases)
