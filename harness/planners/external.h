#ifndef MEMPLAN_HARNESS_PLANNERS_EXTERNAL_H
#define MEMPLAN_HARNESS_PLANNERS_EXTERNAL_H

#include "planning/plan/planner.h"

/* A planner that is a program of its own: it reads a problem as MiniMalloc's CSV and writes it back
   with a column offset. The time of a plan contains starting it and both files. Ids are the
   positions of the buffers, from 0; the columns alignment, gaps and offset (fixed ones) are there
   only where a buffer needs them. In its command stand

     {in} {out}     the files' paths ({input} and {output} are the same)
     {capacity}     bytes; without one what is enough without any reuse
     {seed}         a number
     {time_limit}   seconds, as a decimal fraction

   Exit code 0: there is a plan. 20: proved, nothing fits the capacity. 21: no plan found, nothing
   proved. Any other, a signal, and a file that is no plan are errors. At the time limit the program
   is killed with what it has started. The files are in a folder of the temporary directory, which
   is removed with them when the program ends or this process dies; what a killed machine or watcher
   has left of this user's is removed when the next external planner is made. */
struct external;

enum { EXTERNAL_INFEASIBLE = 20, EXTERNAL_GAVE_UP = 21 };

/* From "name=command". Fails with STATUS_USAGE where that is none, the name is no name of a planner
   or the command lacks {in} or {out}. */
enum status external_create(const char *definition, struct external **external,
                            struct error *error);
void external_free(struct external *external); /* NULL is fine; ends its planner */

const struct planner *external_planner(const struct external *external);

#endif
