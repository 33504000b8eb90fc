#ifndef MEMPLAN_SOLVERS_MIP_SOLVER_H
#define MEMPLAN_SOLVERS_MIP_SOLVER_H

#include "solvers/mip/model/model.h"

/* The question for a solver of integer programs, and its answer. solvers/mip/mip.c checks every
   answer. */

struct mip_question {
    const struct mip_model *model;
    const double *start;  /* [columns] values that keep every row, or NULL */
    uint64_t deadline_ns; /* UINT64_MAX: none */
};

struct mip_answer {
    double *values;    /* [columns] of the best solution, where found; allocated by the caller */
    bool found;        /* a solution, maybe only the start */
    bool infeasible;   /* the whole tree was searched and there is no solution */
    bool crashed;      /* the solver ended its process */
    bool missing;      /* the solver is not installed */
    double peak_bound; /* no solution has a lower peak, in scaled bytes; 0 for nothing known */
    uint64_t nodes;
};

/* What solves the integer program. */
struct mip_solver {
    /* Fails only for reasons outside the solver. NULL where this build does not have the solver. */
    enum status (*solve)(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error);
};

#endif
