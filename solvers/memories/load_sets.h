#ifndef MEMPLAN_SOLVERS_MEMORIES_LOAD_SETS_H
#define MEMPLAN_SOLVERS_MEMORIES_LOAD_SETS_H

#include "planning/memories/model.h"

/* Sets of nodes of which each two conflict or have an edge. Where all of a set lie in one arena,
   their bytes are within its capacity but for what pairs share, each at most as much as the smaller
   of the two has; and a pair that shares bytes is paid. */
struct load_sets {
    const struct memory_model *model;
    uint32_t count;
    uint32_t *first; /* [count + 1] into node */
    uint32_t *node;
    size_t first_capacity, node_capacity;
    uint32_t start;     /* the node with which the next search begins */
    uint32_t *met;      /* [nodes] scratch: how many of the set conflict or have an edge with it */
    uint32_t *open;     /* [nodes] scratch: those that may join the set */
    double *gain;       /* [nodes] scratch: by how many bytes it would add to the load */
    uint64_t *old_hash; /* of sets found in this search */
    size_t hash_capacity, hashes;
};

enum status load_sets_create(const struct memory_model *model, struct load_sets *sets,
                             struct error *error);
void load_sets_free(struct load_sets *sets);

/* Adds sets whose load is too much for the arena: of each node the share `in` of its bytes counts,
   and of each edge the share `paid` of what its nodes can have in common is taken off. They are
   grown from single nodes, greedily; not all such sets are found. */
enum status load_sets_search(struct load_sets *sets, uint32_t arena, const double *in,
                             const double *paid, struct error *error);

#endif
