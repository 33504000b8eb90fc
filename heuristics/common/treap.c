#include "heuristics/common/treap.h"

#include <assert.h>
#include <stdbool.h>

enum status treap_create(struct treap *set, uint32_t items, struct scratch *scratch,
                         struct error *error)
{
    set->root = TREAP_NONE;
    return scratch_take(scratch, &set->node, items, sizeof *set->node, error);
}

static bool is_below(struct treap_key a, struct treap_key b)
{
    if (a.group != b.group)
        return a.group < b.group;
    return a.rank != b.rank ? a.rank < b.rank : a.tie < b.tie;
}

/* The priority of an item, by which the treap is a heap. It is hashed from the item's number, so
   that no order of insertions makes the tree deep. */
static uint32_t mix_item(uint32_t item)
{
    uint64_t mixed = (item + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(mixed >> 32);
}

/* Splits a tree into the items below the key and all others. */
static void split_tree(struct treap_node *node, uint32_t root, struct treap_key key, uint32_t *left,
                       uint32_t *right)
{
    while (root != TREAP_NONE)
        if (is_below(node[root].key, key)) {
            *left = root;
            left = &node[root].right;
            root = *left;
        } else {
            *right = root;
            right = &node[root].left;
            root = *right;
        }
    *left = *right = TREAP_NONE;
}

static void join_trees(struct treap_node *node, uint32_t left, uint32_t right, uint32_t *link)
{
    while (left != TREAP_NONE && right != TREAP_NONE)
        if (mix_item(left) >= mix_item(right)) {
            *link = left;
            link = &node[left].right;
            left = *link;
        } else {
            *link = right;
            link = &node[right].left;
            right = *link;
        }
    *link = left != TREAP_NONE ? left : right;
}

void treap_add(struct treap *set, uint32_t item, struct treap_key key)
{
    struct treap_node *node = set->node;
    uint32_t *link = &set->root;
    while (*link != TREAP_NONE && mix_item(*link) >= mix_item(item))
        link = is_below(node[*link].key, key) ? &node[*link].right : &node[*link].left;
    assert(*link != item);
    node[item].key = key;
    split_tree(node, *link, key, &node[item].left, &node[item].right);
    *link = item;
}

void treap_remove(struct treap *set, uint32_t item)
{
    struct treap_node *node = set->node;
    uint32_t *link = &set->root;
    while (*link != item) {
        assert(*link != TREAP_NONE);
        link = is_below(node[*link].key, node[item].key) ? &node[*link].right : &node[*link].left;
    }
    join_trees(node, node[item].left, node[item].right, link);
}

uint32_t treap_first(const struct treap *set)
{
    return treap_at_least(set, (struct treap_key){0, 0, 0});
}

uint32_t treap_at_least(const struct treap *set, struct treap_key key)
{
    uint32_t found = TREAP_NONE;
    for (uint32_t at = set->root; at != TREAP_NONE;)
        if (is_below(set->node[at].key, key)) {
            at = set->node[at].right;
        } else {
            found = at;
            at = set->node[at].left;
        }
    return found;
}

uint32_t treap_below(const struct treap *set, struct treap_key key)
{
    uint32_t found = TREAP_NONE;
    for (uint32_t at = set->root; at != TREAP_NONE;)
        if (is_below(set->node[at].key, key)) {
            found = at;
            at = set->node[at].right;
        } else {
            at = set->node[at].left;
        }
    return found;
}
