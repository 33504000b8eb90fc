#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_CLOCKS_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_CLOCKS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Lifetimes of buffers of several streams, as vector clocks (Fidge 1988, Mattern 1989). A clock has
   a component for each stream. The start of a buffer says how far each stream has come for sure
   when the buffer is first written; its end says how far each stream must have come so that no
   operator uses it any more. Buffer a is over before b begins where no component of a's end is
   above that of b's start; two buffers conflict when neither is over before the other begins:

       a  [0:0, 1:0]    stream 0 writes and ends it
       b  [0:0, 0:1]    the same on stream 1: conflicts with a
       c  [1:1, 2:1]    begins when both are over */
struct clock {
    uint32_t streams;
    const uint32_t *start, *end; /* [streams] */
};

/* The clocks of all buffers of a problem. */
struct clocks {
    uint32_t buffers;
    uint32_t streams; /* components of each clock, at least 1 */
    uint32_t *row;    /* [buffers * 2 * streams] of each buffer its start, then its end */
    size_t room;      /* how many numbers fit into row */
    bool alone;       /* see problem_is_by_clocks in planning/problem/problem.h */
};

static inline struct clock clocks_get(const struct clocks *clocks, uint32_t buffer)
{
    assert(buffer < clocks->buffers);
    const uint32_t *row = clocks->row + (size_t)buffer * 2 * clocks->streams;
    return (struct clock){clocks->streams, row, row + clocks->streams};
}

/* Adds the clock of the next buffer, whose name is for messages; makes *clocks where it is NULL.
   Fails with STATUS_BAD_INPUT where the clock has no stream or another number of streams than the
   clocks before, where some component of the start is above that of the end, or where all
   components are equal. */
enum status clocks_add(struct clocks **clocks, struct clock clock, const char *name,
                       struct error *error);
void clocks_free(struct clocks *clocks); /* NULL is fine */

#endif
