#ifndef MEMPLAN_SOLVERS_MEMORIES_MASTER_H
#define MEMPLAN_SOLVERS_MEMORIES_MASTER_H

#include "solvers/memories/cuts.h"

/* The integer program that chooses an arena for each node and the edges that may be paid, so that
   no section is fuller than its arena and no cut is broken (an implicit hitting set; where nodes
   have a choice, logic-based Benders decomposition). */

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
