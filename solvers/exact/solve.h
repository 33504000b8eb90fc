#ifndef MEMPLAN_SOLVERS_EXACT_SOLVE_H
#define MEMPLAN_SOLVERS_EXACT_SOLVE_H

#include "solvers/exact/component.h"
#include "solvers/exact/incumbent.h"

/* The most pairs of overlapping segments: a component that has more is not searched, for lack of
   memory. */
enum { EXACT_MOST_PAIRS = 1 << 23 };

/* The number of pairs, at most EXACT_MOST_PAIRS, that can be searched in this number of bytes. The
   memory holds lists of pairs and of sections, and for each thread a trail that grows with the
   depth of its tree. The estimate was measured on hot windows of the generator `layered`, with 200
   to 500 buffers live. */
uint64_t exact_count_affordable_pairs(uint64_t bytes, uint32_t threads);

/* The search of all components of a problem, round after round, for a better plan than the
   incumbent's and for higher bounds. */
struct exact_solve;

/* Cuts the incumbent's problem into components. Those that are too large are not searched. The
   incumbent and error, to which later calls write, stay the caller's and must outlive *solve. */
enum status exact_solve_create(struct exact_incumbent *incumbent,
                               const struct exact_component_options *options,
                               struct exact_solve **solve, struct error *error);

/* When a call ends; UINT64_MAX for no end. From pause_ns on it ends as soon as a later call can
   continue the round, at deadline_ns at once. */
struct exact_slice {
    uint64_t pause_ns, deadline_ns;
};

/* Searches one round, with twice the effort of the round before, or as much of it as there is time
   for before a pause, after which the next call continues. *advanced: another call may find out
   more. It is false where what is asked for is known or nothing is left to search. */
enum status exact_solve_advance(struct exact_solve *solve, const struct exact_slice *slice,
                                bool *advanced);

/* Adds the counters to the plan's search record, then frees. NULL is fine. */
void exact_solve_free(struct exact_solve *solve);
SCOPED_POINTER(struct exact_solve, exact_solve_release, exact_solve_free);

struct exact_effort {
    uint32_t rounds;
    uint64_t deadline_ns; /* UINT64_MAX for none */
};

/* Calls exact_solve_create, exact_solve_advance until the effort is used up, and
   exact_solve_free. */
enum status exact_solve(struct exact_incumbent *incumbent,
                        const struct exact_component_options *options,
                        const struct exact_effort *effort, struct error *error);

#endif
