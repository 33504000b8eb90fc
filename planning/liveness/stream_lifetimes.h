#ifndef MEMPLAN_PLANNING_LIVENESS_STREAM_LIFETIMES_H
#define MEMPLAN_PLANNING_LIVENESS_STREAM_LIFETIMES_H

#include "core/scratch.h"
#include "planning/graph/happens_before.h"

/* Lifetimes of tensors of a graph whose operators run on several streams. There is no line of
   steps: a tensor is before another one when every use of it has surely ended when the other is
   first written. Two tensors neither of which is before the other conflict, unless they are made in
   different branches of one operator.

       main   conv -> a    pool a -> b                 a is before c, as add waits for both readers;
       copy                send a      recv -> d       a and d conflict, as pool may still run
       main   add b, d -> c (waits for recv)

   The result of an operator with branches is copied into a place of its own when it is left. A
   loop's carried argument and result share one place, from entering the loop to the last reader of
   the result; but from the last time that a turn reads the argument until the turn ends, what is
   made in the turn may lie there. Whatever else a loop reads from outside is needed until it is
   left. */

#define STREAM_FROM_START UINT32_MAX /* of a tensor that is there before anything runs */

struct stream_lifetimes {
    struct happens_before *order;
    uint32_t *place; /* [tensors] the tensor in whose place it is; GRAPH_NONE: in no place, or not
                        made on this way */
    uint32_t *born_step;   /* [tensors] at which its place is first written, or STREAM_FROM_START */
    uint32_t *end;         /* [tensors * streams] one past the last step of a stream that uses it;
                              UINT32_MAX for what is kept to the end */
    uint32_t *turn_end;    /* [tensors * streams] as end, for reads of the tensor itself but not of
                              others in its place; NULL without carried values */
    uint32_t *region;      /* [tensors] in which it is made */
    struct scratch memory; /* that holds these arrays */
};

/* way: [operators] as in planning/graph/ways.h. With way NULL, the uses on all ways count, and only
   what has ended on every way counts as ended: that may name conflicts that no way has, but misses
   none. O(steps * streams + uses * depth of regions). */
enum status stream_lifetimes_create(const struct graph *graph, const uint32_t *way,
                                    struct stream_lifetimes **lifetimes, struct error *error);
void stream_lifetimes_free(struct stream_lifetimes *lifetimes); /* NULL is fine */
SCOPED_POINTER(struct stream_lifetimes, stream_lifetimes_release, stream_lifetimes_free);

/* Neither of two tensors that have places is before the other, nor are they made in different
   branches of one operator, nor does one fit in a turn beside the other. O(streams + depth of
   regions + carried values of a loop). */
bool stream_lifetimes_conflict(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                               uint32_t a, uint32_t b);

#endif
