#ifndef MEMPLAN_SOLVERS_MIP_BACKENDS_COPIED_H
#define MEMPLAN_SOLVERS_MIP_BACKENDS_COPIED_H

#include "solvers/mip/backends/solver.h"

/* Solvers that are not safe in a process with threads, or that may end their process, run in a copy
   of this one. It is killed where it does not stop by itself within 1 s and a tenth after the
   limit: what it had found is lost then. Their libraries are loaded when they are needed: linked,
   they would make every start of the program take longer, and their licences would count for the
   whole program. */

/* Runs in the copy: fills the answer, whose values are there. False where there was no memory. */
typedef bool mip_solve_copied(const void *library, const struct mip_question *question,
                              struct mip_answer *answer);

/* Calls solve in a copy of this process and takes over its answer; crashed where there is none.
   What the copy prints is thrown away. */
enum status mip_solve_in_copy(mip_solve_copied *solve, const void *library,
                              const struct mip_question *question, struct mip_answer *answer,
                              struct error *error);

/* Loads a library by the first of the names (NULL at the end) that is found; it stays loaded. NULL
   where it is not installed. */
void *mip_load_library(const char *const *names);
/* Sets the pointer to a function at `function` to that of this name. False where there is none.
   ISO C has no conversion from the pointers that dlsym gives to those of functions. */
bool mip_load_function(void *library, const char *name, void *function);

#endif
