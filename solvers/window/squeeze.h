#ifndef MEMPLAN_SOLVERS_WINDOW_SQUEEZE_H
#define MEMPLAN_SOLVERS_WINDOW_SQUEEZE_H

#include "solvers/exact/incumbent.h"

/* A local search for large problems that needs no lists of conflicts: it lowers the best plan step
   by step. Buffers that end above a capacity a little below the peak wait, and ejection chains
   (eject.h) find places for them. It begins with a plan of its own, by first fit in an order that
   puts large buffers and those of hot steps first. Where thousands of buffers are live, hot windows
   are too large for exact search, and this search gets within one or two percent of the load. */
struct squeeze;

/* The incumbent, which has a plan, and error, to which later calls write, stay the caller's and
   must outlive it. O(1). */
enum status squeeze_create(struct exact_incumbent *incumbent, struct squeeze **squeeze,
                           struct error *error);
void squeeze_free(struct squeeze *squeeze); /* NULL is fine */
SCOPED_POINTER(struct squeeze, squeeze_release, squeeze_free);

/* The share of the segments that begin at a load near the greatest one. Where it is small, what is
   above a capacity finds room elsewhere. Takes about as long as a plan along the line. */
enum status squeeze_find_high_share(struct squeeze *squeeze, double *share);

/* To be called before the first advance: makes no plan of its own, but lowers the incumbent's by
   quarters of what lies between bound and peak. O(1). */
void squeeze_begin_with_plan(struct squeeze *squeeze);

/* Frees nearly all of its memory; the next call makes it again. */
void squeeze_rest(struct squeeze *squeeze);

/* Searches for at most limit_ns. *advanced: another call may lower the peak. Holds about 90 bytes
   for a buffer, 160 in the first call. */
enum status squeeze_advance(struct squeeze *squeeze, uint64_t limit_ns, bool *advanced);

#endif
