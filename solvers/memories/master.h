#ifndef MEMPLAN_SOLVERS_MEMORIES_MASTER_H
#define MEMPLAN_SOLVERS_MEMORIES_MASTER_H

#include "planning/memories/memory_planner.h"
#include "solvers/memories/load_sets.h"

/* The integer program that chooses an arena for each node and the edges that may be paid, so that
   no section is fuller than its arena and no cut is broken (an implicit hitting set; where nodes
   have a choice, logic-based Benders decomposition). */

/* Cuts. Each says that its nodes do not fit into its arena with its edges kept apart: a node lies
   elsewhere, or an edge is paid. Nodes without a choice are not listed. */
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

/* Says of each node whether several arenas are open to it, and which is the first of them. */
void master_find_choices(const struct memory_model *model, bool *has_choice, uint32_t *arena);

struct master_answer {
    bool choice_alone; /* asks CBC for a choice, which may not be the cheapest, and for no bound */
    bool infeasible;   /* no choice keeps all cuts and sections: nothing fits */
    bool solved;       /* arena and paid are the cheapest choice */
    uint64_t bound;    /* proved: every choice costs as much at least */
    uint32_t *arena;   /* [nodes] */
    bool *paid;        /* [edges] */
    double *share; /* [nodes] NULL, or asks for the relaxation, in which a node may be divided among
                      arenas: then arena is the one that has most of it, and share how much */
};

/* With no solver in this build, or no answer in time, nothing is found and the bound is the best of
   those that need no solver: by the least traffic and by disjoint cuts. Load sets that the
   relaxation breaks are added to the cuts; covers (covers.h) are added to the program. The caller
   owns arena and paid. */
enum status master_solve(struct master_cuts *cuts, const bool *has_choice, uint64_t deadline_ns,
                         struct master_answer *answer, struct error *error);

#endif
