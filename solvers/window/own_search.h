#ifndef MEMPLAN_SOLVERS_WINDOW_OWN_SEARCH_H
#define MEMPLAN_SOLVERS_WINDOW_OWN_SEARCH_H

#include "planning/plan/planner.h"
#include "solvers/exact/solve.h"

/* An exact search that another search uses, on a problem of some or all of its buffers. */
struct own_search {
    struct problem *problem;
    struct planner_task task;
    struct exact_incumbent incumbent; /* its plan has the search record */
    struct exact_solve *solve;        /* NULL where nothing needs to be searched */
};

/* Begins to search for a plan within the capacity or, with UINT64_MAX, of the least peak. The
   search, empty before, owns the problem from now on, and has to be cleared, also after an error.
   error, to which later calls write, must outlive it. Costs what making the lists of the exact
   search costs. */
enum status own_search_begin(struct own_search *search, struct problem *problem,
                             uint64_t capacity_bytes, uint32_t threads, struct error *error);
void own_search_clear(struct own_search *search);

/* Searches one round or a part of it, as exact_solve_advance. */
enum status own_search_advance(struct own_search *search, const struct exact_slice *slice,
                               bool *advanced);

/* Whether it has a plan within the capacity or, where none was given, any plan. */
bool own_search_found(const struct own_search *search);

/* Ends the search, but keeps its plan. Returns how many buffers it has placed and rejected. */
uint64_t own_search_end(struct own_search *search);

#endif
