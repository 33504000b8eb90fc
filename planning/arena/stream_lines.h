#ifndef MEMPLAN_PLANNING_ARENA_STREAM_LINES_H
#define MEMPLAN_PLANNING_ARENA_STREAM_LINES_H

#include "core/scratch.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/problem.h"

/* Steps [lower, upper); none where upper is not above lower. */
struct live_range {
    uint32_t lower, upper;
    bool is_complete; /* segments that live all through it count, too */
};

/* Buffers with clocks, divided into sets such that the starts of the members can be sorted in
   rising order, and so can their ends: mostly one set for each stream. Each set has a line of steps
   of its own, on which each of its members is live in one segment. Every buffer, also one of
   another set, has a range of steps on that line: it conflicts with exactly those members that are
   live in the range. The lines stand one behind the other. */
struct stream_lines {
    const struct problem *problem; /* with clocks */
    struct precedence *precedence;
    uint32_t *identity;  /* [buffers + 1] the array `first` of both problems: each buffer has one
                            segment */
    struct problem line; /* the same buffers, each live on its own line only; owns its steps,
                            borrows all else from the problem */
    /* the same buffers, all on one line as if the streams took turns: buffers that are live there
       at one step conflict, but others may conflict too */
    struct problem serial;
    uint32_t lines;
    uint32_t *first;    /* [lines + 1] into starts and ends */
    uint32_t *chain;    /* [lines] the chain of precedence that its starts are in */
    uint32_t *starts;   /* [buffers] the members of each line by their starts */
    uint32_t *ends;     /* [buffers] the members of each line by their ends */
    uint32_t *position; /* [buffers] where each of the starts stands in its chain */
    uint32_t *over; /* [buffers * lines] for each buffer and line the first of the line's ends that
                       has not been reached when the buffer begins */
    uint32_t *last_serial; /* [buffers] for each of the ends the least serial end of it and of those
                              behind it on its line */
    struct live_range *range; /* [2 * lines] what stream_lines_find_rest returned last */
    struct scratch scratch;   /* of all but the precedence */
};

/* O(buffers * streams * (lines + log buffers)). STATUS_BAD_INPUT as precedence_create. */
enum status stream_lines_create(const struct problem *problem, struct stream_lines **lines,
                                struct error *error);
void stream_lines_free(struct stream_lines *lines); /* NULL is fine */

/* Finds ranges of steps, in rising order, that tell which buffers conflict with this one although
   they are not live with it on the serial line. Each such buffer begins or ends in one of the
   ranges, or lives through one that is complete; and all buffers that are live in the ranges
   conflict with this one. Where streams seldom wait for each other the ranges are few and long,
   else they are short. Good until the next call. O(lines * log buffers). */
const struct live_range *stream_lines_find_rest(const struct stream_lines *lines, uint32_t buffer,
                                                uint32_t *ranges);

#endif
