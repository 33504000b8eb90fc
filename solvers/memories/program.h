#ifndef MEMPLAN_SOLVERS_MEMORIES_PROGRAM_H
#define MEMPLAN_SOLVERS_MEMORIES_PROGRAM_H

#include <assert.h>

#include "solvers/memories/cuts.h"
#include "solvers/mip/model/formulation.h"

/* The integer program of a choice: an arena for each node, and the edges that are paid, so that no
   section is fuller than its arena and no cut is broken. Column 0 is what is paid above the least
   traffic of each node (in a file, all that is paid), divided by the greatest common divisor of all
   such costs. */
struct master_program {
    struct mip_formulation formulation; /* the first member, by which it is found again; separates
                                           covers and load sets, which are added to the cuts */
    struct master_cuts *cuts;
    const struct memory_model *model;
    const bool *has_choice;
    struct mip_model *program;
    uint32_t *column_of;   /* [nodes * arenas] of a node with a choice; 0: it may not lie there */
    uint32_t *edge_column; /* [edges] */
    bool *marked;          /* [nodes] scratch: those of the set whose row is made */
    double *in, *share;    /* [nodes], [edges] scratch: shares of a relaxation */
    uint64_t *least;       /* [nodes] the traffic that counts as none: the least; 0 in a file */
    uint64_t unit, base;   /* the cost is base + unit * column 0; base: the sum of least */
    bool relaxed;          /* a node may be divided among arenas */
};

/* Says of each node whether several arenas are open to it, and which is the first of them. */
void master_find_choices(const struct memory_model *model, bool *has_choice, uint32_t *arena);

/* has_choice as of master_find_choices. The columns get names where names is not NULL. The caller
   clears it, also after an error. O(nodes * arenas + sections * members). */
enum status master_program_create(struct master_cuts *cuts, const bool *has_choice, bool relaxed,
                                  struct names *names, struct master_program *made,
                                  struct error *error);
void master_program_clear(struct master_program *program);

static inline uint32_t master_program_column(const struct master_program *program, uint32_t node,
                                             uint32_t arena)
{
    assert(node < program->model->classes.count && arena < program->model->arenas);
    return program->column_of[(size_t)node * program->model->arenas + arena];
}

/* The cost of the most expensive choice, in units, plus one. A greater upper end of column 0 would
   make GLPK's sums inexact. */
double master_program_most(const struct master_program *program);

/* Names the column that was added last WHAT_FIRST~~SECOND. */
void master_program_name_pair(struct mip_model *program, const char *what, uint32_t first,
                              uint32_t second);

#endif
