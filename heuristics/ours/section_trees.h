#ifndef MEMPLAN_HEURISTICS_OURS_SECTION_TREES_H
#define MEMPLAN_HEURISTICS_OURS_SECTION_TREES_H

#include "heuristics/ours/section_spans.h"

/* A number for each section, with trees over them that change and ask a run of sections at once in
   O(log sections). Node i has the nodes 2i and 2i + 1 below it. */

/* Heights, 0 at first, that only rise. */
struct height_tree {
    struct height_node {
        uint64_t most;  /* of all below, but for what was said of nodes above */
        uint64_t whole; /* all below are at least so high */
    } * node;           /* [2 * sections] section s is node sections + s */
    uint32_t sections;
};

enum status height_tree_create(struct height_tree *tree, uint32_t sections, struct error *error);
void height_tree_free(struct height_tree *tree);

void height_tree_clear(struct height_tree *tree); /* O(sections) */
/* All of the run get this height, which is not below any that they have. */
void height_tree_raise(struct height_tree *tree, struct section_run run, uint64_t height);
uint64_t height_tree_most(const struct height_tree *tree, struct section_run run);

/* Bytes, below 2^63. */
struct byte_tree {
    int64_t *more;   /* [2 * leaves] of the greatest below a node, how much of it stands there;
                        section   s is node leaves + s */
    uint32_t leaves; /* a power of two */
};

enum status byte_tree_create(struct byte_tree *tree, uint32_t sections, struct error *error);
void byte_tree_free(struct byte_tree *tree);

/* A tree is filled by its caller, a section in each byte_tree_leaf, and then made ready.
 * O(sections)
 */
void byte_tree_clear(struct byte_tree *tree, uint32_t sections);
static inline int64_t *byte_tree_leaf(const struct byte_tree *tree, uint32_t section)
{
    return &tree->more[tree->leaves + section];
}
void byte_tree_make_ready(struct byte_tree *tree);

void byte_tree_take(struct byte_tree *tree, struct section_run run, uint64_t bytes);
uint64_t byte_tree_at(const struct byte_tree *tree, uint32_t section);
uint64_t byte_tree_most(const struct byte_tree *tree, struct section_run run);
/* The first of the sections that have most of all. */
uint32_t byte_tree_fullest(const struct byte_tree *tree);

#endif
