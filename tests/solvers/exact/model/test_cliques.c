#include <string.h>

#include "core/memory.h"
#include "planning/problem/sections.h"
#include "solvers/exact/model/cover.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

enum { MOST = 12 };

/* The sections of a problem, as cliques of their own. */
static struct cliques_of {
    struct problem *problem;
    struct conflicts *conflicts;
    struct exact_cliques cliques;
    bool conflict[MOST][MOST];
} begin(struct problem *problem)
{
    struct cliques_of made = {.problem = problem};
    struct sections *sections;
    must(conflicts_create(problem, &made.conflicts, &error));
    must(sections_create(problem, &sections, &error));
    made.cliques = (struct exact_cliques){sections->count, sections->first, sections->member};
    sections->first = NULL;
    sections->member = NULL;
    sections_free(sections);
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint64_t i = made.conflicts->first[b]; i < made.conflicts->first[b + 1]; i++)
            made.conflict[b][made.conflicts->other[i]] = true;
    return made;
}

static void end(struct cliques_of *made)
{
    memory_free(made->cliques.first);
    memory_free(made->cliques.member);
    conflicts_free(made->conflicts);
    problem_free(made->problem);
}

static void extend(struct cliques_of *made)
{
    must(exact_cliques_extend(made->conflicts, made->problem->size, made->problem->buffers,
                              &made->cliques, &error));
}

static bool has(const struct exact_cliques *cliques, uint32_t clique, uint32_t buffer)
{
    for (uint64_t i = cliques->first[clique]; i < cliques->first[clique + 1]; i++)
        if (cliques->member[i] == buffer)
            return true;
    return false;
}

static bool conflicts_with_all(const struct cliques_of *made, uint32_t clique, uint32_t buffer)
{
    const struct exact_cliques *cliques = &made->cliques;
    for (uint64_t i = cliques->first[clique]; i < cliques->first[clique + 1]; i++)
        if (cliques->member[i] != buffer && !made->conflict[buffer][cliques->member[i]])
            return false;
    return true;
}

/* Members conflict with each other and ascend, and no buffer could be added. */
static bool is_greatest_clique(const struct cliques_of *made, uint32_t clique)
{
    const struct exact_cliques *cliques = &made->cliques;
    for (uint64_t i = cliques->first[clique]; i + 1 < cliques->first[clique + 1]; i++)
        if (cliques->member[i] >= cliques->member[i + 1])
            return false;
    for (uint32_t b = 0; b < made->problem->buffers; b++)
        if (has(cliques, clique, b) != conflicts_with_all(made, clique, b))
            return false;
    return true;
}

static void check_cliques(const struct cliques_of *made)
{
    const struct exact_cliques *cliques = &made->cliques;
    for (uint32_t c = 0; c < cliques->count; c++)
        CU_ASSERT_TRUE(is_greatest_clique(made, c));
    for (uint32_t a = 0; a < made->problem->buffers; a++)
        for (uint32_t b = 0; b < a; b++) {
            bool held = false;
            for (uint32_t c = 0; c < cliques->count; c++)
                held |= has(cliques, c, a) && has(cliques, c, b);
            CU_ASSERT_EQUAL(made->conflict[a][b], held);
        }
}

static uint64_t add_sizes(const struct cliques_of *made, uint32_t clique)
{
    uint64_t load = 0;
    for (uint64_t i = made->cliques.first[clique]; i < made->cliques.first[clique + 1]; i++)
        load += made->problem->size[made->cliques.member[i]];
    return load;
}

static uint64_t find_heaviest(const struct cliques_of *made)
{
    uint64_t most = 0;
    for (uint32_t c = 0; c < made->cliques.count; c++)
        most = add_sizes(made, c) > most ? add_sizes(made, c) : most;
    return most;
}

/* Some pair, or a buffer alone, is held by the clique and by none that is heavier. */
static bool is_needed(const struct cliques_of *made, uint32_t clique)
{
    const struct exact_cliques *cliques = &made->cliques;
    for (uint64_t i = cliques->first[clique]; i < cliques->first[clique + 1]; i++)
        for (uint64_t j = i; j < cliques->first[clique + 1]; j++) {
            bool held = false;
            for (uint32_t c = 0; c < cliques->count; c++)
                held |= add_sizes(made, c) > add_sizes(made, clique) &&
                        has(cliques, c, cliques->member[i]) && has(cliques, c, cliques->member[j]);
            if (!held)
                return true;
        }
    return false;
}

static void cover(struct cliques_of *made)
{
    must(exact_cover_conflicts(made->conflicts, made->problem->size, made->problem->buffers,
                               &made->cliques, &error));
}

/* Sections that are extended, and the heavier cliques that cover the same conflicts: each is a
   greatest one, and a pair conflicts where some clique holds it. */
static void test_random_cliques(void)
{
    uint64_t before = 0, after = 0, heavier = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {
            .most_buffers = MOST, .steps = 9, .most_size = 9, .holes = true, .many_holes = true};
        SCOPED(end) struct cliques_of made = begin(random_problem_create(&kind, &random));
        before += made.cliques.first[made.cliques.count];
        extend(&made);
        after += made.cliques.first[made.cliques.count];
        check_cliques(&made);
        uint64_t heaviest = find_heaviest(&made);
        cover(&made);
        check_cliques(&made);
        CU_ASSERT_TRUE(find_heaviest(&made) >= heaviest);
        heavier += find_heaviest(&made) > heaviest;
        for (uint32_t c = 0; c < made.cliques.count; c++)
            CU_ASSERT_TRUE(is_needed(&made, c));
    }
    CU_ASSERT_TRUE(before != after && heavier > 0);
}

/* Three pairs in a row: the heaviest comes first, each other behind one that it shares a buffer
   with. */
static void test_covers_follow_each_other(void)
{
    const struct made_buffer path[] = {{0, 2, 1}, {1, 4, 2}, {3, 6, 3}, {5, 7, 9}};
    SCOPED(end) struct cliques_of made = begin(made_problem(path, 4));
    cover(&made);
    CU_ASSERT_EQUAL_FATAL(made.cliques.count, 3);
    CU_ASSERT_EQUAL(
        memcmp(made.cliques.member, (const uint32_t[]){2, 3, 1, 2, 0, 1}, 6 * sizeof(uint32_t)), 0);
}

static void add(struct problem *problem, uint64_t size, const uint32_t *steps)
{
    made_problem_buffer(problem, "b", size, 1, PROBLEM_FREE);
    for (; *steps != UINT32_MAX; steps++)
        made_problem_segment(problem, (struct problem_segment){*steps, *steps + 1, 0, size});
}

/* Three that meet in pairs, each pair at a step of its own, and a small one that meets the first
   two: the section of these two gets the largest that meets both, and five sections become two
   cliques. */
static void test_largest_is_added_and_equal_ones_are_dropped(void)
{
    struct problem *problem = made_problem_start();
    add(problem, 4, (const uint32_t[]){0, 4, 8, UINT32_MAX});
    add(problem, 4, (const uint32_t[]){0, 2, 10, UINT32_MAX});
    add(problem, 5, (const uint32_t[]){2, 4, UINT32_MAX});
    add(problem, 1, (const uint32_t[]){8, 10, UINT32_MAX});
    must(problem_finish(problem, &error));
    SCOPED(end) struct cliques_of made = begin(problem);
    CU_ASSERT_EQUAL(made.cliques.count, 5);
    extend(&made);
    CU_ASSERT_EQUAL_FATAL(made.cliques.count, 2);
    CU_ASSERT_EQUAL_FATAL(made.cliques.first[2], 6);
    CU_ASSERT_EQUAL(
        memcmp(made.cliques.member, (const uint32_t[]){0, 1, 2, 0, 1, 3}, 6 * sizeof(uint32_t)), 0);
}

static const struct test_case cases[] = {
    {"greatest and heavy cliques that cover all conflicts", test_random_cliques},
    {"heavy ones follow each other", test_covers_follow_each_other},
    {"the largest is added, equal ones are dropped",
     test_largest_is_added_and_equal_ones_are_dropped},
};

TESTING_MAIN("solvers/exact/model/cliques", cases)
