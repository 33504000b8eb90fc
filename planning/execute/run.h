#ifndef MEMPLAN_PLANNING_EXECUTE_RUN_H
#define MEMPLAN_PLANNING_EXECUTE_RUN_H

#include "planning/execute/arena.h"
#include "planning/execute/execute.h"
#include "planning/execute/samples.h"

/* What a tensor's name stands for while a path is run: what one write left in the place of one
   tensor. The result of an If stands for what the taken branch yielded, or for its copy in the
   place of the result. */
struct execute_value {
    uint32_t tensor;  /* GRAPH_NONE outside the arena, where nothing can be damaged */
    uint64_t bytes;   /* the first ones in that place */
    uint64_t version; /* 0 before anything was written */
};

struct execute_run {
    const struct graph *graph;
    const struct placement *placement;
    struct execute_arena arena;
    struct execute_value *value; /* [tensors] */
    struct execute_value *moved; /* [most outputs of an operator] scratch */
    uint64_t path_begin;         /* version before the path */
    uint32_t op;                 /* that runs, GRAPH_NONE for the graph itself */
    struct execution *execution;
};

/* Where a place is wrong by itself, execution says so, and nothing can be run. Leaves *run fit for
   execute_run_free. */
enum status execute_run_create(struct execute_run *run, const struct graph *graph,
                               const struct placement *placement, struct execution *execution,
                               struct error *error);
void execute_run_free(struct execute_run *run);

/* Runs the path that is next from the graph's inputs to its outputs. False where a tensor was
   damaged, which execution names. O(cells of all tensors that the path reads and writes). */
bool execute_run_path(struct execute_run *run, struct execute_samples *samples);

/* What the moments of a path are made of. The checks are false, and say in execution what was
   found, where a cell of a value's tensor holds neither its version nor, unless that is 0, the
   pardoned one. Outside the arena nothing is checked or written. */
bool execute_check(struct execute_run *run, struct execute_value value, uint64_t pardoned);
bool execute_check_all(struct execute_run *run, struct span tensors);
void execute_write(struct execute_run *run, uint32_t tensor);
void execute_write_all(struct execute_run *run, struct span tensors);

/* The output is declared to share the place of the input and lies on its first bytes. */
bool execute_starts_on(const struct execute_run *run, uint32_t output, uint32_t input);

/* planning/execute/plain.c: runs an operator without regions. */
bool execute_plain(struct execute_run *run, uint32_t o);
/* planning/execute/operators.c: the moments at which operators with regions move values. */
bool execute_leave_branch(struct execute_run *run, uint32_t o, uint32_t region);
bool execute_enter_loop(struct execute_run *run, uint32_t o);
bool execute_end_turn(struct execute_run *run, uint32_t o);
bool execute_leave_loop(struct execute_run *run, uint32_t o);

#endif
