#ifndef MEMPLAN_ORDERING_HIERARCHY_LAYERS_H
#define MEMPLAN_ORDERING_HIERARCHY_LAYERS_H

#include "ordering/hierarchy/hierarchy.h"

/* Finds orders in which each group runs from its first to its last operator without a break, by the
   dynamic program of Serenity (Ahn et al. 2020) over chains and groups: it keeps the best way to
   each set that may have run. A group is ordered by a walk backwards from its last chains if that
   takes no more than the way so far did, else by the same program over its chains, once for each
   set of outside tensors that die in it. */

struct layers;

struct layers_limits {
    uint64_t deadline_ns, most_bytes; /* of memory for sets and ways */
};

/* The hierarchy stays the caller's, who may dissolve groups between searches. O(uses). */
enum status layers_create(const struct hierarchy *hierarchy, const struct layers_limits *limits,
                          struct layers **layers, struct scratch *scratch, struct error *error);
/* Frees what is not in the scratch; to be called after an error, too. NULL is fine. */
void layers_free(struct layers *layers);

enum layers_end { LAYERS_FOUND, LAYERS_NONE, LAYERS_STOPPED };

/* Fills permutation[operators] with an order of the least load that groups without a break allow,
   given the orders within groups, if that load is at most budget_bytes. */
enum status layers_search(struct layers *layers, uint64_t budget_bytes, uint32_t *permutation,
                          enum layers_end *end, struct error *error);

uint64_t layers_expanded(const struct layers *layers); /* sets that all searches expanded */

#endif
