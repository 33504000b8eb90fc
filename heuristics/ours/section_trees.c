#include "heuristics/ours/section_trees.h"

#include <assert.h>
#include <string.h>

enum status height_tree_create(struct height_tree *tree, uint32_t sections, struct scratch *scratch,
                               struct error *error)
{
    tree->sections = sections;
    return scratch_take(scratch, &tree->node, 2 * (size_t)sections, sizeof *tree->node, error);
}

void height_tree_clear(struct height_tree *tree)
{
    if (tree->sections)
        memset(tree->node, 0, 2 * (size_t)tree->sections * sizeof *tree->node);
}

static uint64_t get_higher(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void raise_above(struct height_tree *tree, uint32_t node, uint64_t height)
{
    for (node /= 2; node; node /= 2)
        tree->node[node].most = get_higher(tree->node[node].most, height);
}

void height_tree_raise(struct height_tree *tree, struct section_run run, uint64_t height)
{
    uint32_t first = tree->sections + run.first, end = tree->sections + run.end;
    const struct height_node whole = {height, height};
    assert(run.first < run.end && run.end <= tree->sections);
    for (uint32_t a = first, b = end; a < b; a /= 2, b /= 2) {
        if (a & 1)
            tree->node[a++] = whole;
        if (b & 1)
            tree->node[--b] = whole;
    }
    raise_above(tree, first, height);
    raise_above(tree, end - 1, height);
}

/* The greatest height in a run of sections. Besides the nodes that cover the run, the field `whole`
   of all nodes above them counts; each of these is above the first or the last section of the run.
   The path from the last section may be one node longer; the other then reads node 0, whose `whole`
   stays 0. */
uint64_t height_tree_most(const struct height_tree *tree, struct section_run run)
{
    uint32_t first = tree->sections + run.first, end = tree->sections + run.end;
    uint64_t most = 0;
    assert(run.first < run.end && run.end <= tree->sections);
    for (uint32_t a = first, b = end; a < b; a /= 2, b /= 2) {
        if (a & 1)
            most = get_higher(most, tree->node[a++].most);
        if (b & 1)
            most = get_higher(most, tree->node[--b].most);
    }
    for (uint32_t a = first / 2, b = (end - 1) / 2; b; a /= 2, b /= 2)
        most = get_higher(most, get_higher(tree->node[a].whole, tree->node[b].whole));
    return most;
}

enum status byte_tree_create(struct byte_tree *tree, uint32_t sections, struct scratch *scratch,
                             struct error *error)
{
    tree->leaves = 1;
    while (tree->leaves < sections)
        tree->leaves *= 2;
    return scratch_take(scratch, &tree->more, 2 * (size_t)tree->leaves, sizeof *tree->more, error);
}

/* Empties the tree. Leaves that stand for no section get -1, so that they are never the
   greatest. */
void byte_tree_clear(struct byte_tree *tree, uint32_t sections)
{
    for (uint32_t leaf = 0; leaf < tree->leaves; leaf++)
        tree->more[tree->leaves + leaf] = leaf < sections ? 0 : -1;
}

/* Moves the greatest number of two children up to their node, so that one child is left with 0 and
   the other with what it is below that. */
static void lift(struct byte_tree *tree, uint32_t node)
{
    int64_t *child = &tree->more[2 * (size_t)node];
    int64_t most = child[0] > child[1] ? child[0] : child[1];
    child[0] -= most;
    child[1] -= most;
    tree->more[node] += most;
}

void byte_tree_make_ready(struct byte_tree *tree)
{
    for (uint32_t node = tree->leaves - 1; node; node--) {
        tree->more[node] = 0;
        lift(tree, node);
    }
}

void byte_tree_take(struct byte_tree *tree, struct section_run run, uint64_t bytes)
{
    uint32_t first = tree->leaves + run.first, end = tree->leaves + run.end;
    assert(run.first < run.end && run.end <= tree->leaves && bytes <= INT64_MAX);
    for (uint32_t a = first, b = end; a < b; a /= 2, b /= 2) {
        if (a & 1)
            tree->more[a++] -= (int64_t)bytes;
        if (b & 1)
            tree->more[--b] -= (int64_t)bytes;
    }
    for (uint32_t a = first / 2, b = (end - 1) / 2; a; a /= 2, b /= 2) {
        lift(tree, a);
        if (a != b)
            lift(tree, b);
    }
}

uint64_t byte_tree_at(const struct byte_tree *tree, uint32_t section)
{
    int64_t bytes = 0;
    for (uint32_t node = tree->leaves + section; node; node /= 2)
        bytes += tree->more[node];
    assert(bytes >= 0);
    return (uint64_t)bytes;
}

uint64_t byte_tree_most(const struct byte_tree *tree, struct section_run run)
{
    uint32_t a = tree->leaves + run.first, b = tree->leaves + run.end - 1;
    int64_t first = tree->more[a], last = tree->more[b];
    while (a / 2 != b / 2) {
        if (!(a & 1) && tree->more[a + 1] > first)
            first = tree->more[a + 1];
        if ((b & 1) && tree->more[b - 1] > last)
            last = tree->more[b - 1];
        first += tree->more[a /= 2];
        last += tree->more[b /= 2];
    }
    int64_t most = first > last ? first : last;
    while (a /= 2)
        most += tree->more[a];
    assert(most >= 0);
    return (uint64_t)most;
}

uint32_t byte_tree_fullest(const struct byte_tree *tree)
{
    uint32_t node = 1;
    while (node < tree->leaves)
        node = 2 * node + (tree->more[2 * (size_t)node] < 0);
    return node - tree->leaves;
}
