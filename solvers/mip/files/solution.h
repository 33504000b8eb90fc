#ifndef MEMPLAN_SOLVERS_MIP_FILES_SOLUTION_H
#define MEMPLAN_SOLVERS_MIP_FILES_SOLUTION_H

#include "core/text.h"
#include "solvers/mip/files/program.h"

/* Reads what a solver found for a program that was written to a file. These formats are read:

     NAME VALUE              SCIP, HiGHS, Gurobi and others: what comes before the first column of
     INDEX NAME VALUE        the program is passed over; a column without a line is 0. With an
                             index: CBC, also with ** before it
     <variable name="NAME" index="INDEX" value="VALUE"/>     CPLEX, a line for each
     glpsol -o               a report with the names of the columns

   The first line that is not blank tells them apart. STATUS_BAD_INPUT, with file and line, where
   the text has none of these formats, says that there is no solution, or belongs to another
   program. O(columns + length). */

/* The values, [columns] and 0 at first, of a program of any kind. *objective is NAN where the file
   has none. */
enum status mip_solution_read_values(const struct text *text, const char *file,
                                     const struct mip_program *program, double *values,
                                     double *objective, struct error *error);

/* A plan by the solution of a file that mip_write made, by whichever formulation: the first of them
   whose columns the file has. Offsets are rounded down to whole units, which keeps the order of
   buffers that lie above each other; where the formulation has no columns for them, they are what
   its other columns stand for. The caller has to verify the plan. Its peak is where the highest
   buffer ends, or the objective in the file where that is lower, so that verify_plan finds the
   contradiction. */
enum status mip_solution_read(const struct text *text, const char *file,
                              const struct problem *problem, struct plan *plan,
                              struct error *error);

#endif
