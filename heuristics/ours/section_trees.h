#ifndef MEMPLAN_HEURISTICS_OURS_SECTION_TREES_H
#define MEMPLAN_HEURISTICS_OURS_SECTION_TREES_H

#include "heuristics/ours/section_spans.h"

/* Trees that keep a number for each section. Changing or asking about a run of consecutive sections
   takes O(log sections). Node i has the children 2i and 2i + 1. */

/* Heights of sections. They are 0 at first and only rise. */
struct height_tree {
    struct height_node {
        /* The greatest height below the node, as far as the `whole` of nodes above does not say
           more. */
        uint64_t most;
        uint64_t whole; /* all sections below the node are at least so high */
    } * node;           /* [2 * sections] section s is node sections + s */
    uint32_t sections;
};

enum status height_tree_create(struct height_tree *tree, uint32_t sections, struct scratch *scratch,
                               struct error *error);

void height_tree_clear(struct height_tree *tree); /* O(sections) */
/* Raises all sections of a run to a height, which is at least as high as any of them; and finds the
   greatest height in a run. */
void height_tree_raise(struct height_tree *tree, struct section_run run, uint64_t height);
uint64_t height_tree_most(const struct height_tree *tree, struct section_run run);

/* Bytes of sections, each number below 2^63. */
struct byte_tree {
    /* [2 * leaves] the greatest number below a node is the sum of `more` over the node and all
       nodes above it; so of two children one has 0 and the other 0 or less. Section s is node
       leaves + s. */
    int64_t *more;
    uint32_t leaves; /* a power of two */
};

enum status byte_tree_create(struct byte_tree *tree, uint32_t sections, struct scratch *scratch,
                             struct error *error);

/* To fill a tree, clear it, write the number of each section to its byte_tree_leaf, and make it
   ready. O(sections). */
void byte_tree_clear(struct byte_tree *tree, uint32_t sections);
static inline int64_t *byte_tree_leaf(const struct byte_tree *tree, uint32_t section)
{
    return &tree->more[tree->leaves + section];
}
void byte_tree_make_ready(struct byte_tree *tree);

/* Takes bytes from the number of each section of a run, of which each has as many; gives the number
   of one section, and the greatest of a run. */
void byte_tree_take(struct byte_tree *tree, struct section_run run, uint64_t bytes);
uint64_t byte_tree_at(const struct byte_tree *tree, uint32_t section);
uint64_t byte_tree_most(const struct byte_tree *tree, struct section_run run);
/* The first of the sections with the greatest number. */
uint32_t byte_tree_fullest(const struct byte_tree *tree);

#endif
