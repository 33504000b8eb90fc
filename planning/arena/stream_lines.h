#ifndef MEMPLAN_PLANNING_ARENA_STREAM_LINES_H
#define MEMPLAN_PLANNING_ARENA_STREAM_LINES_H

#include "core/scratch.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/problem.h"

/* Steps [lower, upper); none where upper is not above lower. */
struct live_range {
    uint32_t lower, upper;
    bool is_complete; /* what neither begins nor ends in it but lives through it counts, too */
};

/* Buffers with clocks, cut into sets in which all starts are above one another and so are all ends:
   mostly one for each stream. Each set is a line of steps of its own, on which its members are
   live in one segment, and on which every buffer, also of other sets, has a range of steps: it
   conflicts with just those members that are live in it. The lines stand one behind the other. */
struct stream_lines {
    const struct problem *problem; /* with clocks */
    struct precedence *precedence;
    uint32_t *identity;  /* [buffers + 1] problem->first of the two: each buffer has one segment */
    struct problem line; /* the same buffers, each live on its own line alone; owns its steps, all
                            else is the problem's */
    struct problem serial; /* the same again, all on one line as if streams took turns: what is live
                              there at one step conflicts, but that is not all */
    uint32_t lines;
    uint32_t *first;       /* [lines + 1] into starts and ends */
    uint32_t *chain;       /* [lines] the chain of precedence that its starts are in */
    uint32_t *starts;      /* [buffers] the members of each line by their starts */
    uint32_t *ends;        /* [buffers] and by their ends */
    uint32_t *position;    /* [buffers] of the starts: where they stand in their chain */
    uint32_t *over;        /* [buffers * lines] of each buffer: the first of a line's ends that is
                              not over when it begins */
    uint32_t *last_serial; /* [buffers] of the ends: the least serial end of it and those behind
                              it on its line */
    struct live_range *range; /* [2 * lines] what stream_lines_find_rest returned last */
    struct scratch scratch;   /* of all but the precedence */
};

/* O(buffers * streams * (lines + log buffers)). STATUS_BAD_INPUT as precedence_create. */
enum status stream_lines_create(const struct problem *problem, struct stream_lines **lines,
                                struct error *error);
void stream_lines_free(struct stream_lines *lines); /* NULL is fine */

/* Ranges of steps, in rising order, with which it can be told what the buffer conflicts with beside
   all that is live with it on the serial line: each such member of a line begins or ends in one of
   them, or lives through one that is complete, and all that is live in them conflicts. Of members
   that know little of each other these are few long ranges, else short ones. Good until the next
   call. O(lines * log buffers). */
const struct live_range *stream_lines_find_rest(const struct stream_lines *lines, uint32_t buffer,
                                                uint32_t *ranges);

#endif
