#ifndef MEMPLAN_PLANNING_EXECUTE_VALUES_H
#define MEMPLAN_PLANNING_EXECUTE_VALUES_H

#include "planning/execute/races.h"

/* The values of the tensors while a path is run. */

struct execute_run {
    const struct graph *graph;
    const struct placement *placement;
    struct execute_arena arena;
    struct execute_races races;
    struct execute_value *value; /* [tensors] */
    struct execute_value *moved; /* [most outputs of an operator] scratch */
    uint64_t path_begin;         /* the last version before the path */
    uint64_t left;               /* events that may still be run, on all paths */
    uint32_t op;                 /* the operator that runs, GRAPH_NONE for the graph itself */
    bool raced; /* an access of this path races: one to the bytes of raced_tensor, which were last
                   written for raced_with */
    uint32_t raced_tensor, raced_with;
    struct execution *execution;
};

/* Where a place is wrong by itself, *execution says so and nothing can be run. The values live as
   long as the scratch. */
enum status execute_values_create(struct execute_run *run, const struct graph *graph,
                                  const struct placement *placement, struct execution *execution,
                                  struct scratch *scratch, struct error *error);

/* False, with what was found in execution, where one of the tensors does not hold its value any
   more. Outside the arena nothing is checked or written. */
bool execute_check_all(struct execute_run *run, struct span tensors);
void execute_write_all(struct execute_run *run, struct span tensors);

/* What running one operator does to the values. Each is false, and says in execution what was
   found, where a tensor was damaged. */

/* Runs an operator without regions. */
bool execute_plain(struct execute_run *run, uint32_t o);
/* What operators with regions move when a branch is left, and when a loop is entered, has ended a
   turn and is left. */
bool execute_leave_branch(struct execute_run *run, uint32_t o, uint32_t region);
bool execute_enter_loop(struct execute_run *run, uint32_t o);
bool execute_end_turn(struct execute_run *run, uint32_t o);
bool execute_leave_loop(struct execute_run *run, uint32_t o);

#endif
