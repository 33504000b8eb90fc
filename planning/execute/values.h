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
    uint32_t op;                 /* the operator that runs, GRAPH_NONE for the graph itself */
    bool raced; /* an access of this path may come at another time: to bytes for raced_tensor, which
                   raced_with was the last to write */
    uint32_t raced_tensor, raced_with;
    struct execution *execution;
};

/* Where a place is wrong by itself, execution says so, and nothing can be run. They live as long as
   the scratch. */
enum status execute_values_create(struct execute_run *run, const struct graph *graph,
                                  const struct placement *placement, struct execution *execution,
                                  struct scratch *scratch, struct error *error);

/* The checks are false, and say in execution what was found, where a cell of a value's tensor holds
   neither its version nor, unless that is 0, the pardoned one. Outside the arena nothing is checked
   or written. */
bool execute_check(struct execute_run *run, struct execute_value value, uint64_t pardoned);
bool execute_check_all(struct execute_run *run, struct span tensors);
void execute_write(struct execute_run *run, uint32_t tensor);
void execute_write_all(struct execute_run *run, struct span tensors);

/* The output is declared to share the place of the input and lies on its first bytes. */
bool execute_starts_on(const struct execute_run *run, uint32_t output, uint32_t input);

#endif
