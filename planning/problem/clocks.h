#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_H

#include "planning/problem/problem.h"

/* Lifetimes of buffers of several streams, as vector clocks (Fidge 1988, Mattern 1989). A clock has
   a component for each stream. The start of a buffer says how far each stream has come for sure
   when the buffer is first written, its end how far each must have come until nobody uses it.
   Buffer a is over before b begins where no component of a's end is above that of b's start; two
   buffers conflict when neither is over before the other begins:

       a  [0:0, 1:0]    stream 0 writes and ends it
       b  [0:0, 0:1]    the same on stream 1: conflicts with a
       c  [1:1, 2:1]    begins when both are over */
struct clock {
    uint32_t streams;
    const uint32_t *start, *end; /* [streams] */
};

/* The clock of a buffer of a problem that has clocks, borrowed from it. */
struct clock problem_clock(const struct problem *problem, uint32_t buffer);

/* Gives the last buffer a clock; the one before it has one of as many streams. Fails with
   STATUS_BAD_INPUT where it has no stream, where a start is above its end, or where both are equal
   everywhere. */
enum status problem_add_clock(struct problem *problem, struct clock clock, struct error *error);

#endif
