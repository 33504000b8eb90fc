#ifndef MEMPLAN_SOLVERS_MIP_BACKENDS_SOLVER_H
#define MEMPLAN_SOLVERS_MIP_BACKENDS_SOLVER_H

#include <stdatomic.h>

#include "solvers/mip/model/formulation.h"

/* The question for a solver of integer programs, and its answer. solvers/mip/mip.c checks every
   answer. */

/* The solver's own cutting planes; the last value leaves them to the solver's default. */
enum mip_cuts { MIP_CUTS_NONE, MIP_CUTS_ALL, MIP_CUTS_AS_USUAL };

/* The work of a solver that counts it, in a unit of its own that is the same on every machine,
   where its time is not: `done` grows, and the solver stops when it reaches `most`, or exceeds the
   work that another solver needed. */
struct mip_meter {
    uint64_t done, most;
    const atomic_uint_least64_t *least; /* UINT64_MAX while no solver is ready */
};

static inline uint64_t mip_meter_left(const struct mip_meter *meter)
{
    return meter->done < meter->most ? meter->most - meter->done : 0;
}

/* Makes a solution of the values of a relaxation. */
struct mip_rounding {
    /* True where found[columns] are values of a plan with a lower peak than any before.
       work is what the solver did since it last asked. */
    bool (*round)(void *context, const double *values, uint64_t work, double *found);
    void *context;
};

struct mip_question {
    struct mip_model *model; /* a solver that separates adds rows to it */
    const double *start;     /* [columns] values that keep every row, or NULL */
    uint64_t deadline_ns;    /* UINT64_MAX: none */
    enum mip_cuts cuts;
    struct mip_meter *meter;             /* NULL for none; else the solver counts_work */
    const struct mip_rounding *rounding; /* NULL for none; GLPK asks it at each node */
};

struct mip_answer {
    double *values;    /* [columns] of the best solution, where found; allocated by the caller */
    bool found;        /* a solution, maybe only the start */
    bool infeasible;   /* the whole tree was searched and there is no solution */
    bool crashed;      /* the solver ended its process */
    bool missing;      /* the solver is not installed */
    double peak_bound; /* no solution has a lower peak, in scaled bytes; 0 for nothing known */
    double root_bound, cut_bound; /* of the relaxation, and when the root was done; 0: not told */
    uint64_t root_ns;             /* when that was, by the clock; 0: not told */
    uint64_t nodes;
    uint64_t bytes; /* the most memory that the solver took; 0: not told */
};

/* What solves the integer program. */
struct mip_solver {
    const char *name, *title;
    bool separates;   /* calls the formulation's separate itself, where that adds rows */
    bool counts_work; /* heeds a meter */
    bool rounds;      /* asks for plans that are made of its relaxations */
    /* Fails only for reasons outside the solver. NULL where this build does not have the solver. */
    enum status (*solve)(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error);
    const char *(*version)(void); /* "none" where it is not installed */
};

static inline const char *mip_no_version(void)
{
    return "none";
}
/* The row of a solver that this build does not have. */
#define MIP_SOLVER_MISSING(name_, title_)                                                          \
    {                                                                                              \
        .name = name_, .title = title_, .version = mip_no_version                                  \
    }

/* All solvers, in the order of the values of the option `solver`. To add one: a source file in
   backends/ that ends in `const struct mip_solver mip_solver_NAME`, and a row here. */
#define MIP_SOLVERS(SOLVER) SOLVER(glpk) SOLVER(cbc) SOLVER(symphony) SOLVER(lp_solve)

#define MIP_SOLVER_DECLARE(name) extern const struct mip_solver mip_solver_##name;
MIP_SOLVERS(MIP_SOLVER_DECLARE)
#undef MIP_SOLVER_DECLARE

#endif
