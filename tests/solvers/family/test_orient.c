#include "core/memory.h"
#include "solvers/family/improve.h"
#include "solvers/family/orient_exact.h"
#include "solvers/family/pile.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const struct random_problem kind = {.most_buffers = 6,
                                           .steps = 6,
                                           .most_size = 9,
                                           .holes = true,
                                           .alignment = true,
                                           .conflicts = true};

struct drawn {
    struct problem *problem;
    struct family family;
    struct orienter orienter;
    struct size_vectors vectors;
    struct orientation *orientation;
};

static void free_drawn(struct drawn *drawn)
{
    orientation_free(drawn->orientation);
    size_vectors_free(&drawn->vectors);
    orienter_free(&drawn->orienter);
    family_free(&drawn->family);
    problem_free(drawn->problem);
}

/* Few buffers at one step, many of them alike but for their alignments. */
static const struct random_problem alike = {
    .most_buffers = 3, .steps = 1, .most_size = 9, .alignment = true};

/* Sizes by two parameters, and three points of the box. */
static void draw(struct drawn *drawn, struct random_state *random)
{
    bool is_alike = random_below(random, 2);
    struct problem *problem = random_problem_create(is_alike ? &alike : &kind, random);
    drawn->problem = problem;
    must(sizes_create(&problem->sizes, &error));
    must(sizes_add_parameter(problem->sizes, "n", 1, 9, &error));
    must(sizes_add_parameter(problem->sizes, "m", 1, 9, &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        SCOPED(text_free) struct text text = {0};
        text_append(&text, "%u*n + %u*m + 1", is_alike ? 1 : (unsigned)random_below(random, 4),
                    is_alike ? 0 : (unsigned)random_below(random, 4));
        must(sizes_add(problem->sizes, text.bytes, &error));
        problem_resize(problem, b, 73);
    }
    must(problem_finish(problem, &error));
    must(family_create(problem, &drawn->family, &error));
    must(orienter_create(problem, &drawn->family.timeline, &drawn->orienter, &error));
    must(orientation_create(problem, &drawn->orientation, &error));
    drawn->vectors.family = &drawn->family;
    must(size_vectors_add(&drawn->vectors, problem->sizes->greatest, &error));
    for (int i = 0; i < 2; i++) {
        const uint64_t point[2] = {1 + random_below(random, 9), 1 + random_below(random, 9)};
        must(size_vectors_add(&drawn->vectors, point, &error));
    }
}

/* Goes to the next permutation in the order of the alphabet; false behind the last. */
static bool permute(uint32_t *item, uint32_t count)
{
    uint32_t i = count - 1, j = count - 1;
    while (i > 0 && item[i - 1] >= item[i])
        i--;
    if (i == 0)
        return false;
    while (item[j] <= item[i - 1])
        j--;
    uint32_t moved = item[i - 1];
    item[i - 1] = item[j];
    item[j] = moved;
    for (uint32_t k = count - 1; i < k; i++, k--) {
        moved = item[i];
        item[i] = item[k];
        item[k] = moved;
    }
    return true;
}

/* The exact search answers like trying all orders, within random limits. */
static void test_exact(void)
{
    struct random_state random = random_seed(3407);
    uint32_t refused = 0, found = 0;
    for (int round = 0; round < TESTING_COUNT(1000, 500); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
        uint32_t order[6];
        uint64_t limit[3], nodes;
        bool keeps = false;
        enum orient_answer answer;
        draw(&drawn, &random);
        const struct size_vectors *vectors = &drawn.vectors;
        uint32_t buffers = drawn.problem->buffers;
        for (uint32_t i = 0; i < vectors->count; i++)
            limit[i] = vectors->load[i] + random_below(&random, 1 + vectors->load[i] / 8);
        for (uint32_t b = 0; b < buffers; b++)
            order[b] = b;
        do {
            orienter_orient(&drawn.orienter, order, drawn.orientation);
            bool kept = true;
            for (uint32_t i = 0; i < vectors->count && kept; i++)
                kept = family_peak(&drawn.family, drawn.orientation,
                                   vectors->size + (size_t)i * buffers) <= limit[i];
            keeps = keeps || kept;
        } while (!keeps && permute(order, buffers));
        const struct orient_search search = {.orienter = &drawn.orienter,
                                             .vectors = vectors,
                                             .limit = limit,
                                             .deadline_ns = UINT64_MAX,
                                             .most_nodes = UINT64_MAX,
                                             .strategies = 1 + (uint32_t)round % 30,
                                             .threads = 1};
        must(orient_exact(&search, drawn.orientation, &answer, &nodes, &error));
        CU_ASSERT_EQUAL(answer, keeps ? ORIENT_FOUND : ORIENT_REFUSED);
        for (uint32_t i = 0; i < vectors->count && answer == ORIENT_FOUND; i++)
            CU_ASSERT_TRUE(family_peak(&drawn.family, drawn.orientation,
                                       vectors->size + (size_t)i * buffers) <= limit[i]);
        refused += answer == ORIENT_REFUSED;
        found += answer == ORIENT_FOUND;
    }
    CU_ASSERT_TRUE(refused > 10 && found > 10);
}

/* Moves never make the score worse, and the score is that of the orientation. */
static void test_improve(void)
{
    struct random_state random = random_seed(3408);
    uint32_t better = 0;
    for (int round = 0; round < TESTING_COUNT(500, 100); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
        draw(&drawn, &random);
        for (uint32_t b = 0; b < drawn.problem->buffers; b++)
            drawn.orientation->sorted[b] = b;
        orienter_orient(&drawn.orienter, drawn.orientation->sorted, drawn.orientation);
        struct family_score before = size_vectors_score(&drawn.vectors, drawn.orientation);
        struct family_score score = before;
        const struct improvement improvement = {.orienter = &drawn.orienter,
                                                .vectors = &drawn.vectors,
                                                .worst_first = round % 2,
                                                .is_first = round % 4 > 1,
                                                .deadline_ns = UINT64_MAX,
                                                .least = {1, 1},
                                                .turns = 50,
                                                .seed = (uint64_t)round};
        must(orientation_improve(&improvement, drawn.orientation, &score, &error));
        struct family_score after = size_vectors_score(&drawn.vectors, drawn.orientation);
        int compared = family_score_compare(&after, &before, round % 2);
        CU_ASSERT_TRUE(compared <= 0);
        CU_ASSERT_EQUAL(family_score_compare(&after, &score, round % 2), 0);
        better += compared < 0;
    }
    CU_ASSERT_TRUE(better > 20);
}

static bool conflict(const struct problem *problem, uint32_t b, uint32_t c)
{
    bool found = false;
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
        for (uint32_t t = problem->first[c]; t < problem->first[c + 1]; t++)
            found |= problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s];
    return found;
}

/* Whether the reaches are those of chains of all buffers but one, by the definition. */
static bool is_right(const struct pile *pile, uint32_t without)
{
    uint32_t buffers = pile->problem->buffers, width = pile->width;
    pile_lanes right[6][2];
    bool same = true;
    assert(width <= 2 && buffers <= 6);
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < buffers; i++) {
            uint32_t b = pile->order[side == PILE_BELOW ? i : buffers - 1 - i];
            for (uint32_t q = 0; q < width; q++) {
                right[b][q] = (pile_lanes){0};
                for (uint32_t k = 0; k < i; k++) {
                    uint32_t c = pile->order[side == PILE_BELOW ? k : buffers - 1 - k];
                    if (b != without && c != without && conflict(pile->problem, b, c))
                        pile_raise(&right[b][q], &right[c][q]);
                }
                right[b][q] += b == without ? right[b][q] : pile->size[b * width + q];
            }
            same = same && memcmp(right[b], pile->reach[side] + (size_t)b * width,
                                  width * sizeof(pile_lanes)) == 0;
        }
    return same;
}

/* Buffers are taken out, put back and put elsewhere; the links are those of the order. */
static void test_pile(void)
{
    struct random_state random = random_seed(3410);
    for (int round = 0; round < TESTING_COUNT(500, 100); round++) {
        SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
        SCOPED(pile_free) struct pile pile = {.width = 0};
        draw(&drawn, &random);
        uint32_t buffers = drawn.problem->buffers;
        for (uint32_t b = 0; b < buffers; b++)
            drawn.orientation->sorted[b] = b;
        must(pile_create(&drawn.vectors, &drawn.orienter, &pile, &error));
        pile.most_changes = round % 2 ? pile.most_changes : 2;
        pile_set(&pile, drawn.orientation->sorted);
        for (int turn = 0; turn < 20; turn++) {
            uint32_t b = (uint32_t)random_below(&random, buffers);
            CU_ASSERT_TRUE(is_right(&pile, UINT32_MAX));
            pile_take_out(&pile, b);
            CU_ASSERT_TRUE(is_right(&pile, b));
            if (pile.nears == 0 || random_below(&random, 2))
                pile_put_back(&pile);
            else
                pile_put(&pile, b, (uint32_t)random_below(&random, pile.nears + 1));
            orienter_link(&drawn.orienter, pile.order);
            CU_ASSERT_EQUAL(memcmp(drawn.orienter.link, pile.link,
                                   drawn.problem->segments * 2 * sizeof *pile.link),
                            0);
        }
    }
}

static enum status work(const void *input, struct error *fault)
{
    const struct problem *problem = input;
    SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
    uint64_t limit[1] = {1000}, nodes;
    enum orient_answer answer;
    TRY(family_create(problem, &drawn.family, fault));
    TRY(orienter_create(problem, &drawn.family.timeline, &drawn.orienter, fault));
    TRY(orientation_create(problem, &drawn.orientation, fault));
    drawn.vectors.family = &drawn.family;
    TRY(size_vectors_add(&drawn.vectors, problem->sizes->greatest, fault));
    const struct orient_search search = {.orienter = &drawn.orienter,
                                         .vectors = &drawn.vectors,
                                         .limit = limit,
                                         .deadline_ns = UINT64_MAX,
                                         .most_nodes = 1000,
                                         .strategies = 3,
                                         .threads = 1};
    TRY(orient_exact(&search, drawn.orientation, &answer, &nodes, fault));
    struct family_score score = size_vectors_score(&drawn.vectors, drawn.orientation);
    const struct improvement improvement = {.orienter = &drawn.orienter,
                                            .vectors = &drawn.vectors,
                                            .is_first = true,
                                            .deadline_ns = UINT64_MAX,
                                            .least = {1, 1},
                                            .turns = 3,
                                            .seed = 1};
    return orientation_improve(&improvement, drawn.orientation, &score, fault);
}

static void test_allocations(void)
{
    struct random_state random = random_seed(3409);
    SCOPED(free_drawn) struct drawn drawn = {.problem = NULL};
    draw(&drawn, &random);
    fail_each(work, drawn.problem);
}

static const struct test_case cases[] = {
    {"the exact search answers like all orders", test_exact},
    {"moves make no score worse", test_improve},
    {"chains are those of the order", test_pile},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("orient", cases)
