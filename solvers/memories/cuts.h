#ifndef MEMPLAN_SOLVERS_MEMORIES_CUTS_H
#define MEMPLAN_SOLVERS_MEMORIES_CUTS_H

#include "planning/memories/memory_planner.h"
#include "solvers/memories/load_sets.h"

/* Cuts. Each says that its nodes do not fit into its arena while its edges are kept apart, so one
   of its nodes has to lie elsewhere or one of its edges has to be paid. Nodes without a choice are
   not listed. */
struct master_cuts {
    const struct memory_model *model;
    struct load_sets loads; /* beside those of the sections */
    double room;     /* the share of each capacity that loads may have: 1, or less where no bound is
                        asked for but a choice that is easier to place */
    uint32_t *arena; /* [cuts] */
    uint32_t *first_node, *first_edge; /* [cuts + 1] */
    uint32_t *node, *edge;
    uint32_t cuts;
    size_t arena_capacity, bounds_capacity[2], node_capacity, edge_capacity;
};

enum status master_cuts_create(const struct memory_model *model, struct master_cuts *cuts,
                               struct error *error);
void master_cuts_free(struct master_cuts *cuts);
/* Adds a cut, which lists nodes only where has_choice says so. */
enum status master_cuts_add(struct master_cuts *cuts, uint32_t arena, const uint32_t *node,
                            uint32_t nodes, const uint32_t *edge, uint32_t edges,
                            const bool *has_choice, struct error *error);

#endif
