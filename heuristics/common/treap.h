#ifndef MEMPLAN_HEURISTICS_COMMON_TREAP_H
#define MEMPLAN_HEURISTICS_COMMON_TREAP_H

#include <stdint.h>

#include "core/error.h"

/* An ordered set of items 0 .. items - 1, each with a key whose parts are compared one after
   another; keys in the set differ. A treap over one array: every operation is O(log items)
   expected, and the same calls always build the same tree. */

#define ORDERED_NONE UINT32_MAX

struct ordered_key {
    uint64_t group, rank, tie;
};

struct ordered {
    struct ordered_node {
        struct ordered_key key;
        uint32_t left, right;
    } * node; /* [items] */
    uint32_t root;
};

enum status ordered_create(struct ordered *set, uint32_t items, struct error *error);
void ordered_free(struct ordered *set);

void ordered_add(struct ordered *set, uint32_t item, struct ordered_key key); /* not in the set */
void ordered_remove(struct ordered *set, uint32_t item);                      /* in the set */

uint32_t ordered_first(const struct ordered *set);
/* The least item whose key is not below, and the greatest whose key is; ORDERED_NONE without. */
uint32_t ordered_at_least(const struct ordered *set, struct ordered_key key);
uint32_t ordered_below(const struct ordered *set, struct ordered_key key);

#endif
