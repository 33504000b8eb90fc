#ifndef MEMPLAN_SOLVERS_MIP_COMPONENT_H
#define MEMPLAN_SOLVERS_MIP_COMPONENT_H

#include "planning/plan/planner.h"
#include "solvers/mip/backends/solver.h"

/* How a component is searched, and how long. */
struct mip_way {
    const struct mip_formulation *formulation;
    const struct mip_solver *solver;
    unsigned switches; /* of mip_switch */
    enum mip_cuts cuts;
    uint64_t deadline_ns;    /* UINT64_MAX: none */
    struct mip_meter *meter; /* of a solver that counts its work; or NULL */
};

/* The programs of one component, solved by a solver. The plan, which was created for the problem,
   has a proved bound, which is at most the capacity, and maybe offsets of a plan within the
   capacity, which was verified: these are raised and replaced where something better is found. A
   solution counts only as the plan it stands for: offsets are worked out again in whole numbers and
   verified. Solvers work in floating point: their bounds, and their word that there is no solution,
   count only while the peak is at most 100000 scaled bytes. Where there is no plan in the end, the
   status says why. It is crash, and the search ends, where the solver ended without an answer. */
enum status mip_search(const struct mip_way *way, const struct planner_task *task,
                       struct plan *plan, struct error *error);

/* Whether the plan's peak is its bound. */
bool mip_is_proved(const struct plan *plan);

/* Searches by several formulations at once, on up to task->threads threads, as mip_search does by
   one; way->formulation and way->meter are not read. All search in rounds, in which each may do the
   same work, twice that of the round before. After a round all know the best plan and the best
   bound. The first to prove an optimum, by the work that it took, ends the others, and its plan
   counts: so the plan is the same for any number of threads above one, unless the time is up. On
   one thread all that a race could add is waiting, and the first formulation searches alone. Only
   for solvers that count their work. */
enum status mip_race(const struct mip_way *way, const struct planner_task *task, struct plan *plan,
                     struct error *error);

#endif
