#ifndef MEMPLAN_SOLVERS_MEMORIES_FILES_H
#define MEMPLAN_SOLVERS_MEMORIES_FILES_H

#include "core/text.h"
#include "planning/memories/memory_plan.h"

/* The whole program (whole.h) of a problem as a file for any solver, and what such a solver found.
   The objective is cost_thousandths. */

/* Appends the program in CPLEX's LP format, or in free MPS format. STATUS_BAD_INPUT as
   whole_program_create. */
enum status memory_program_write(const struct memory_problem *problem, bool as_mps,
                                 struct text *text, struct error *error);

/* Reads a solution of the program in any form of solvers/mip/files/solution.h. The caller verifies
   the plan, whose cost is that of its places. STATUS_BAD_INPUT, with file and line, as there. */
enum status memory_solution_read(const struct memory_problem *problem, const struct text *text,
                                 const char *file, struct memory_plan **plan, struct error *error);

#endif
