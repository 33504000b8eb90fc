#ifndef MEMPLAN_HARNESS_PLANNERS_EXTERNAL_H
#define MEMPLAN_HARNESS_PLANNERS_EXTERNAL_H

#include "planning/plan/planner.h"

/* A planner that is a program of its own (program.h): it reads a problem as MiniMalloc's CSV and
   writes it back with a column offset. The time of a plan contains starting it and both files. Ids
   are the positions of the buffers, from 0; the columns alignment, gaps and offset (fixed ones) are
   there only where a buffer needs them. Without a capacity {capacity} is what is enough without any
   reuse.

   Exit code 0: there is a plan. 20: proved, nothing fits the capacity. 21: no plan found, nothing
   proved. Any other, a signal, and a file that is no plan are errors. */
struct external;

enum { EXTERNAL_INFEASIBLE = 20, EXTERNAL_GAVE_UP = 21 };

/* Makes a planner of "name=command". STATUS_USAGE where the text has not this form, the name cannot
   be that of a planner, or the command lacks {in} or {out}. */
enum status external_create(const char *definition, struct external **external,
                            struct error *error);
void external_free(struct external *external); /* NULL is fine; ends its planner */

const struct planner *external_planner(const struct external *external);

#endif
