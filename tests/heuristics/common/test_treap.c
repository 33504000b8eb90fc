#include "core/random.h"
#include "heuristics/common/max_tree.h"
#include "heuristics/common/spans.h"
#include "heuristics/common/treap.h"
#include "support/random_problem.h"
#include "support/testing.h"

static struct scratch scratch;

enum { ITEMS = 24, CALLS = 400 };

static bool is_below(struct treap_key a, struct treap_key b)
{
    if (a.group != b.group)
        return a.group < b.group;
    return a.rank != b.rank ? a.rank < b.rank : a.tie < b.tie;
}

/* Both neighbours of a key by looking at all items. */
static void check_neighbours(const struct treap *set, const bool *there,
                             const struct treap_key *keys, struct treap_key key)
{
    uint32_t below = TREAP_NONE, at_least = TREAP_NONE;
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (!there[i])
            continue;
        if (is_below(keys[i], key) && (below == TREAP_NONE || is_below(keys[below], keys[i])))
            below = i;
        if (!is_below(keys[i], key) &&
            (at_least == TREAP_NONE || is_below(keys[i], keys[at_least])))
            at_least = i;
    }
    CU_ASSERT_EQUAL(treap_below(set, key), below);
    CU_ASSERT_EQUAL(treap_at_least(set, key), at_least);
}

static void change_set(struct treap *set, struct random_state *random)
{
    struct treap_key keys[ITEMS];
    bool there[ITEMS] = {false};
    for (uint32_t call = 0; call < CALLS; call++) {
        uint32_t item = (uint32_t)random_below(random, ITEMS);
        const struct treap_key key = {random_below(random, 3), random_below(random, 4), item};
        if (there[item]) {
            treap_remove(set, item);
        } else {
            keys[item] = key;
            treap_add(set, item, key);
        }
        there[item] = !there[item];
        check_neighbours(set, there, keys, key);
        check_neighbours(set, there, keys, (struct treap_key){0, 0, 0});
    }
}

static void test_ordered(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct random_state random = random_seed(seed);
        struct treap set;
        struct error error;
        CU_ASSERT_EQUAL_FATAL(treap_create(&set, ITEMS, &scratch, &error), STATUS_OK);
        CU_ASSERT_EQUAL(treap_first(&set), TREAP_NONE);
        change_set(&set, &random);
        scratch_free(&scratch);
    }
}

static void test_max_tree(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct random_state random = random_seed(seed);
        uint32_t places = 1 + (uint32_t)random_below(&random, ITEMS);
        int64_t number[ITEMS];
        struct max_tree tree;
        struct error error;
        CU_ASSERT_EQUAL_FATAL(max_tree_create(&tree, places, &scratch, &error), STATUS_OK);
        CU_ASSERT_EQUAL(max_tree_next(&tree, 0, INT64_MIN), MAX_TREE_NONE);
        for (uint32_t i = 0; i < places; i++)
            number[i] = INT64_MIN;
        for (uint32_t call = 0; call < CALLS; call++) {
            uint32_t place = (uint32_t)random_below(&random, places);
            uint32_t from = (uint32_t)random_below(&random, places + 1);
            int64_t bound = (int64_t)random_below(&random, 9) - 4;
            number[place] = (int64_t)random_below(&random, 9) - 4;
            max_tree_set(&tree, place, number[place]);
            uint32_t next = from;
            while (next < places && number[next] <= bound)
                next++;
            CU_ASSERT_EQUAL(max_tree_next(&tree, from, bound),
                            next < places ? next : MAX_TREE_NONE);
        }
        scratch_free(&scratch);
    }
}

static void check_live(const struct spans *spans, const bool *there, uint32_t lower, uint32_t upper)
{
    const struct problem *problem = spans->problem;
    uint32_t found[ITEMS], live = 0, last = 0;
    uint32_t count = spans_find(spans, lower, upper, found);
    for (uint32_t b = 0; b < problem->buffers; b++)
        live += there[b] && problem_lower(problem, b) < upper && lower < problem_upper(problem, b);
    CU_ASSERT_EQUAL(count, live);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = found[i];
        CU_ASSERT_TRUE(there[b] && problem_lower(problem, b) < upper &&
                       lower < problem_upper(problem, b));
        CU_ASSERT_TRUE(problem_lower(problem, b) >= last);
        last = problem_lower(problem, b);
    }
}

static void test_spans(void)
{
    static const struct random_problem kind = {
        .most_buffers = ITEMS, .steps = 20, .most_size = 3, .holes = true};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&kind, &random);
        bool there[ITEMS] = {false};
        struct spans spans;
        struct error error;
        CU_ASSERT_EQUAL_FATAL(spans_create(&spans, problem, &scratch, &error), STATUS_OK);
        for (uint32_t call = 0; call < CALLS / 4; call++) {
            uint32_t b = (uint32_t)random_below(&random, problem->buffers);
            uint32_t lower = (uint32_t)random_below(&random, 20);
            there[b] = !there[b];
            if (there[b])
                spans_add(&spans, b);
            else
                spans_remove(&spans, b);
            check_live(&spans, there, lower, lower + 1 + (uint32_t)random_below(&random, 5));
        }
        scratch_free(&scratch);
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"ordered sets", test_ordered},
    {"trees of maxima", test_max_tree},
    {"spans", test_spans},
};

TESTING_MAIN("heuristics/ordered", cases)
