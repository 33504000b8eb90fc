#ifndef MEMPLAN_ORDERING_HIERARCHY_GROUP_ORDERS_H
#define MEMPLAN_ORDERING_HIERARCHY_GROUP_ORDERS_H

#include "ordering/hierarchy/hierarchy.h"
#include "planning/order/order_load.h"

/* The groups of a hierarchy, before any is dissolved, and the orders that were found for them. What
   ran before a group affects its orders only by the set of tensors from outside that die in the
   group. So one order is kept for each group and each such set. */

struct group_key {
    uint64_t dying; /* hash of that set, which another set has with a probability of 2^-64 */
    uint32_t group;
};

struct group_order {
    const uint32_t *op; /* [ops] */
    uint32_t ops;
};

struct group_orders {
    const struct hierarchy *hierarchy;
    struct order_lists chains; /* [groups] in the order of a walk backwards from the last chains */
    struct order_lists inputs; /* [groups] tensors from outside */
    uint32_t *reads;           /* [inputs] how many operators of the group read each */
    size_t reads_capacity;
    struct group_key *key;     /* [count] of orders that are known */
    struct order_lists orders; /* [count] */
    uint32_t count;
    size_t key_capacity;
};

/* O(uses). Leaves *orders fit for group_orders_free where it fails. */
enum status group_orders_create(const struct hierarchy *hierarchy, struct group_orders *orders,
                                struct error *error);
void group_orders_free(struct group_orders *orders);
uint64_t group_orders_bytes(const struct group_orders *orders); /* of memory for what is kept */

/* The chains of a group, in the order of `chains`, and how many they are. */
const uint32_t *group_orders_chains(const struct group_orders *orders, uint32_t group);
uint32_t group_orders_count(const struct group_orders *orders, uint32_t group);

/* The key of a group that would run next in the run. */
struct group_key group_orders_key(const struct group_orders *orders, uint32_t group,
                                  const struct order_run *run);
/* Finds the order that is kept under the key; false if there is none. O(orders that are kept). */
bool group_orders_find(const struct group_orders *orders, const struct group_key *key,
                       struct group_order *found);
/* Keeps a copy of the order under the key, which has none yet. O(ops) amortised. */
enum status group_orders_keep(struct group_orders *orders, const struct group_key *key,
                              const uint32_t *op, uint32_t ops, struct error *error);

#endif
