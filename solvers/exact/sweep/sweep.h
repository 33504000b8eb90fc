#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_SWEEP_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_SWEEP_H

#include "solvers/exact/model/model.h"
#include "solvers/exact/model/round.h"

/* Looks for a plan of a component whose sections are nearly full, see docs/exact-search.md. It goes
   through them in the order of time and keeps many states side by side, each with all orders in
   which the live buffers may lie. It proves nothing. */
struct exact_sweep;

/* NULL in *sweep where buffers have windows, fixed offsets, alignments or holes. The model stays
   the caller's and must outlive the sweep. O(buffers). */
enum status exact_sweep_create(const struct exact_model *model, struct exact_sweep **sweep,
                               struct error *error);
void exact_sweep_free(struct exact_sweep *sweep); /* NULL is fine */
SCOPED_POINTER(struct exact_sweep, exact_sweep_release, exact_sweep_free);

/* EXACT_FOUND or EXACT_STOPPED. Goes on until it has gone through the sections `passes` times at
   this capacity, by turns in either direction; every second time it keeps twice as many states. */
enum status exact_sweep_run(struct exact_sweep *sweep, const struct exact_round *round,
                            uint32_t passes, struct exact_answer *answer, struct error *error);

#endif
