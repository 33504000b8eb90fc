#include "solvers/exact/sweep/order_tree.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "support/must.h"

/* Trees of orders against lists of all orders: buffers leave their place to others again and
   again. */

enum { SEEDS = TESTING_COUNT(10000, 300), MOST_LIVE = 6, MOST_ORDERS = 720, EXCHANGES = 8 };

/* All orders of the live buffers that are left, one after another. */
struct orders {
    uint32_t live, count;
    uint8_t order[MOST_ORDERS][MOST_LIVE];
};

static void add_order(struct orders *orders, const uint8_t *order)
{
    for (uint32_t i = 0; i < orders->count; i++)
        if (memcmp(orders->order[i], order, orders->live) == 0)
            return;
    memcpy(orders->order[orders->count++], order, orders->live);
}

/* Adds the order with all orders of what stands at `from` and behind it, up to `to`. */
static void add_permuted(struct orders *orders, uint8_t *order, uint32_t from, uint32_t to)
{
    if (from == to) {
        add_order(orders, order);
        return;
    }
    for (uint32_t i = from; i < to; i++) {
        uint8_t first = order[from];
        order[from] = order[i];
        order[i] = first;
        add_permuted(orders, order, from + 1, to);
        order[i] = order[from];
        order[from] = first;
    }
}

/* The orders in which the marked ones lie side by side, with the new ones in their place. */
static struct orders exchange(const struct orders *before, const bool *mark, const uint8_t *placed,
                              uint32_t count)
{
    uint32_t marked = 0;
    struct orders after = {.count = 0};
    for (uint32_t i = 0; i < before->live; i++)
        marked += mark[before->order[0][i]];
    after.live = before->live - marked + count;
    for (uint32_t o = 0; o < before->count; o++) {
        const uint8_t *order = before->order[o];
        uint8_t made[MOST_LIVE];
        uint32_t first = 0, end;
        while (!mark[order[first]])
            first++;
        for (end = first; end < before->live && mark[order[end]];)
            end++;
        if (end - first < marked)
            continue;
        memcpy(made, order, first);
        memcpy(made + first, placed, count);
        memcpy(made + first + count, order + end, before->live - end);
        add_permuted(&after, made, first, first + count);
    }
    return after;
}

static bool has_order(const struct orders *orders, const struct order_node *tree)
{
    uint32_t leaf[MOST_LIVE];
    if (tree->leaves != orders->live)
        return false;
    order_tree_leaves(tree, leaf);
    for (uint32_t o = 0; o < orders->count; o++) {
        uint32_t i = 0;
        while (i < orders->live && orders->order[o][i] == leaf[i])
            i++;
        if (i == orders->live)
            return true;
    }
    return false;
}

static bool agrees(const struct orders *orders, const struct order_node *tree)
{
    double log_factorial[MOST_LIVE + 2] = {0};
    for (uint32_t i = 2; i < MOST_LIVE + 2; i++)
        log_factorial[i] = log_factorial[i - 1] + log(i);
    if (!tree)
        return orders->count == 0;
    return fabs(exp(order_tree_freedom(tree, log_factorial)) - orders->count) < 0.01 &&
           has_order(orders, tree);
}

/* Exchanges random buffers until no order is left. Returns how often trees and lists agreed. */
static uint32_t exchange_some(struct order_pool *pool, struct random_state *random)
{
    static struct orders orders;
    struct order_node *tree, *stack[4 * MOST_LIVE], *placed;
    uint32_t live = 1 + (uint32_t)random_below(random, MOST_LIVE), next = live;
    uint32_t start[MOST_LIVE] = {0, 1, 2, 3, 4, 5};
    uint8_t first[MOST_LIVE] = {0, 1, 2, 3, 4, 5};
    orders = (struct orders){.live = live};
    add_permuted(&orders, first, 0, live);
    must(order_tree_group(pool, start, live, &tree, &error));
    for (uint32_t turn = 0; turn < EXCHANGES; turn++) {
        bool mark[MOST_LIVE * (EXCHANGES + 1)] = {false};
        uint32_t marked = 0, chosen[MOST_LIVE];
        uint8_t added[MOST_LIVE];
        for (uint32_t i = 0; i < orders.live; i++)
            marked += mark[orders.order[0][i]] = random_below(random, 2);
        if (!marked)
            continue;
        uint32_t count = 1 + (uint32_t)random_below(random, MOST_LIVE - (orders.live - marked));
        for (uint32_t i = 0; i < count; i++) {
            chosen[i] = next++;
            added[i] = (uint8_t)chosen[i];
        }
        order_tree_count(tree, mark);
        must(order_tree_group(pool, chosen, count, &placed, &error));
        must(order_tree_replace(pool, tree, placed, stack, &tree, &error));
        orders = exchange(&orders, mark, added, count);
        CU_ASSERT_FATAL(agrees(&orders, tree));
        if (!tree)
            return turn + 1;
    }
    return EXCHANGES;
}

static void test_orders(void)
{
    uint32_t agreed = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct order_pool pool = {.used = 0};
        struct random_state random = random_seed(seed);
        agreed += exchange_some(&pool, &random);
        order_pool_free(&pool);
    }
    CU_ASSERT(agreed > 3 * SEEDS);
}

/* Copies have the digest of what they copy, whichever way children that may lie in any order lie;
   another order of a sequence has another one. */
static void test_digests(void)
{
    struct order_pool pool = {.used = 0};
    const uint32_t up[] = {1, 2, 3}, down[] = {3, 2, 1};
    struct order_node *a, *b, *copy;
    must(order_tree_group(&pool, up, 3, &a, &error));
    must(order_tree_group(&pool, down, 3, &b, &error));
    CU_ASSERT_EQUAL(order_tree_digest(a), order_tree_digest(b));
    a->is_sequence = b->is_sequence = true;
    CU_ASSERT_EQUAL(order_tree_digest(a), order_tree_digest(b));
    must(order_tree_copy(&pool, a, &copy, &error));
    CU_ASSERT_EQUAL(order_tree_digest(a), order_tree_digest(copy));
    struct order_node *first = b->child[0];
    b->child[0] = b->child[1];
    b->child[1] = first;
    CU_ASSERT_NOT_EQUAL(order_tree_digest(a), order_tree_digest(b));
    b->is_sequence = false;
    CU_ASSERT_NOT_EQUAL(order_tree_digest(a), order_tree_digest(b));
    order_pool_free(&pool);
}

static const struct test_case cases[] = {{"orders", test_orders}, {"digests", test_digests}};
TESTING_MAIN("solvers/exact/sweep/order_tree", cases)
