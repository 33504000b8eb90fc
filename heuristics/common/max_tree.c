#include "heuristics/common/max_tree.h"

#include <assert.h>

enum status max_tree_create(struct max_tree *tree, uint32_t positions, struct scratch *scratch,
                            struct error *error)
{
    tree->leaves = 1;
    while (tree->leaves < positions)
        tree->leaves *= 2;
    size_t nodes = (size_t)tree->leaves * 2;
    TRY(scratch_take(scratch, &tree->most, nodes, sizeof *tree->most, error));
    for (size_t i = 0; i < nodes; i++)
        tree->most[i] = INT64_MIN;
    return STATUS_OK;
}

void max_tree_set(struct max_tree *tree, uint32_t position, int64_t number)
{
    int64_t *most = tree->most;
    uint32_t i = tree->leaves + position;
    assert(position < tree->leaves);
    most[i] = number;
    for (i /= 2; i; i /= 2) {
        int64_t of_children = most[2 * i] > most[2 * i + 1] ? most[2 * i] : most[2 * i + 1];
        if (most[i] == of_children)
            break;
        most[i] = of_children;
    }
}

uint32_t max_tree_next(const struct max_tree *tree, uint32_t from, int64_t bound)
{
    if (from >= tree->leaves)
        return MAX_TREE_NONE;
    uint32_t node = tree->leaves + from;
    for (; tree->most[node] <= bound; node++) {
        while (node & 1)
            node /= 2;
        if (!node)
            return MAX_TREE_NONE;
    }
    while (node < tree->leaves)
        node = 2 * node + (tree->most[2 * node] <= bound);
    return node - tree->leaves;
}
