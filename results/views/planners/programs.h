#ifndef MEMPLAN_RESULTS_VIEWS_PROGRAMS_H
#define MEMPLAN_RESULTS_VIEWS_PROGRAMS_H

#include "results/views/planners/grid.h"

/* How the planners that solve integer programs did: those with some row whose counters tell the
   size of a program. A row that a formulation or this build does not take counts as refused and
   nowhere else. */

/* Means over the rows of a planner that need a program: where the start met the bound, there is
   none, and nothing is measured. Times and nodes are shifted geometric means, as Mittelmann's
   benchmarks have them: exp(mean(log(x + shift))) - shift; a row that is not proved counts with its
   time, which is about the limit. */
struct program {
    uint32_t planner; /* of the grid */
    uint32_t rows, refused;
    uint32_t started; /* of the rows, those that are proved without a program */
    uint32_t proved;  /* of the others */
    uint32_t told;    /* rows that tell the size of a program; the means of sizes are over these */
    uint32_t rooted;  /* rows that tell the bound of the root, where a plan is known */
    double root_gap;  /* mean of (least peak - bound of the root) / that bound */
    double cut_gap;   /* the same when the root was done */
    double seconds, nodes;
    double columns, rows_of_program, entries; /* geometric means */
    uint64_t solver_bytes;                    /* the most */
};

enum { PROGRAM_SHIFT_SECONDS = 10, PROGRAM_SHIFT_NODES = 10 };

/* Planners whose rows are compared. */
struct program_peers {
    uint32_t count, planner[4];
};
/* Over the lines on which all peers have a row, or over all lines where `peers` is NULL. False
   where the planner solves no programs there. O(lines * planners). */
bool program_measure(const struct grid *grid, uint32_t planner, const struct program_peers *peers,
                     struct program *program);

/* The least known peak of a line / the bound of the planner's root; false where either is not
   known. O(planners). */
bool program_root_ratio(const struct grid *grid, uint32_t line, uint32_t planner, double *ratio);

/* The number behind "name=" in the counters of a row; 0 where there is none. */
uint64_t program_counter(const struct result_row *row, const char *name);

/* What a planner's name says: ilp_MODEL?solver=NAME&SWITCH=0. */
struct program_name {
    char model[48], solver[32];
    char off[16][24]; /* [offs] switches that are 0, in the order of the name */
    uint32_t offs;
    bool has_others; /* settings that are neither the solver nor a switch at 0 */
};
void program_name_parse(const char *planner, struct program_name *name);

#endif
