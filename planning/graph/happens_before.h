#ifndef MEMPLAN_PLANNING_GRAPH_HAPPENS_BEFORE_H
#define MEMPLAN_PLANNING_GRAPH_HAPPENS_BEFORE_H

#include "planning/graph/graph.h"

/* Which operators have surely ended when another one starts, where operators run on several
   streams. An operator starts when the operator before it on its stream, and all operators that it
   waits for, have ended. The order is kept in vector clocks (Lamport 1978, Fidge 1988, Mattern
   1989), a row of [streams] steps for each step: all that runs on stream s at steps below
   clock[step * streams + s] has ended when the step starts.

   Steps number the launches: entering an operator, what its regions hold, leaving it, as in
   planning/liveness/liveness.h.

       main   conv 0    pool 1              add 3        copy waits for conv, add for copy:
       copy             copy 2                           clock of 2 is (1, 0), of 3 (2, 3)

   What an operator's regions hold starts when the operator has been entered. The operator is left
   when all that its regions hold has ended, and a turn of a loop ends likewise. The order has to
   hold on each run: after an operator with branches, only what has ended on every branch counts as
   ended. */
struct happens_before {
    uint32_t streams, steps;
    uint32_t *enter_step, *leave_step; /* [operators] */
    uint32_t *step_stream;             /* [steps] */
    uint32_t *clock;                   /* [steps * streams] */
};

/* Checks that each tensor that an operator reads, or hands out when it is left, is surely written
   by then. If not, the status is STATUS_BAD_INPUT and *op is the reader. Waits that the graph
   implies are taken into account. Costs as happens_before_create. */
enum status happens_before_check(const struct graph *graph, uint32_t *op, struct error *error);

/* The graph has passed happens_before_check. way: [operators] as in planning/graph/ways.h, for the
   order on this way; NULL for the order that holds on every way. O(steps * streams + operators with
   regions * streams^2). */
enum status happens_before_create(const struct graph *graph, const uint32_t *way,
                                  struct happens_before **order, struct error *error);
void happens_before_free(struct happens_before *order); /* NULL is fine */
SCOPED_POINTER(struct happens_before, happens_before_release, happens_before_free);

/* The step at whose end the tensor can be read: its producer's last one, or, for the argument of a
   loop, entering the loop. false for one that is there from the start. O(carried values). */
bool happens_before_written(const struct happens_before *order, const struct graph *graph,
                            uint32_t tensor, uint32_t *step);

/* What ran at the step `earlier` has ended when the step `later` starts. O(1). */
bool happens_before_is(const struct happens_before *order, uint32_t earlier, uint32_t later);

#endif
