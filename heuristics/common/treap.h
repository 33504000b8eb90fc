#ifndef MEMPLAN_HEURISTICS_COMMON_TREAP_H
#define MEMPLAN_HEURISTICS_COMMON_TREAP_H

#include <stdint.h>

#include "core/scratch.h"

/* An ordered set of items 0 .. items - 1, each with a key whose parts are compared one after
   another; keys in the set differ. A treap over one array: every operation is O(log items)
   expected, and the same calls always build the same tree. */

#define TREAP_NONE UINT32_MAX

struct treap_key {
    uint64_t group, rank, tie;
};

struct treap {
    struct treap_node {
        struct treap_key key;
        uint32_t left, right;
    } * node; /* [items] */
    uint32_t root;
};

/* Makes an empty set for items below `items`. */
enum status treap_create(struct treap *set, uint32_t items, struct scratch *scratch,
                         struct error *error);

/* The item must not be in the set. */
void treap_add(struct treap *set, uint32_t item, struct treap_key key);
void treap_remove(struct treap *set, uint32_t item); /* the item must be in the set */

/* The item of the least key; TREAP_NONE of an empty set. */
uint32_t treap_first(const struct treap *set);
/* The least item whose key is not below `key`, and the greatest item whose key is below it;
   TREAP_NONE where there is none. */
uint32_t treap_at_least(const struct treap *set, struct treap_key key);
uint32_t treap_below(const struct treap *set, struct treap_key key);

#endif
