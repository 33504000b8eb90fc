#ifndef MEMPLAN_SOLVERS_MEMORIES_LOAD_SETS_H
#define MEMPLAN_SOLVERS_MEMORIES_LOAD_SETS_H

#include "planning/memories/model.h"

/* Sets of nodes of which each two conflict or have an edge. Where all of a set lie in one arena,
   their bytes exceed its capacity by no more than what pairs share, each pair at most the bytes of
   its smaller node; and a pair that shares bytes is paid. */
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

/* Adds sets whose load is above the arena's capacity. The load is the sum over the nodes of the
   share `in` of their bytes, less the sum over the edges of the share `paid` of what their nodes
   can have in common. Sets are grown greedily from single nodes; not all such sets are found. */
enum status load_sets_search(struct load_sets *sets, uint32_t arena, const double *in,
                             const double *paid, struct error *error);

#endif
