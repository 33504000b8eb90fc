#ifndef MEMPLAN_SOLVERS_WINDOW_WINDOW_SEARCH_H
#define MEMPLAN_SOLVERS_WINDOW_WINDOW_SEARCH_H

#include "solvers/exact/incumbent.h"

/* A search for large problems. Where many buffers come and go, the live bytes are near their
   greatest sum in few short windows of steps only, and these decide the peak. So the buffers that
   are live in such hot windows come first: together they are a small problem, which the exact
   search solves below a capacity, the lower bound at first. All others are then filled in around
   them by first fit, and what does not fit drives others out (eject.h). Where that gets nowhere,
   windows that are a little less hot join the problem, with all that did not fit. Where a capacity
   cannot be reached, the next one lies higher; later cycles try again below the best plan with more
   effort. */
struct window_search;

/* The options' values by default. */
enum { WINDOW_SHARE = 960, WINDOW_STEP = 20, WINDOW_TURNS = 4 };

struct window_options {
    uint64_t share;       /* thousandths of the capacity from which windows are hot at first */
    uint64_t step;        /* thousandths less with each turn */
    uint64_t turns;       /* at a capacity in the first cycle; two more in each later one */
    uint32_t threads;     /* at least 1 */
    uint64_t most_pairs;  /* of overlapping buffers in hot windows, which the memory allows */
    uint64_t deadline_ns; /* UINT64_MAX for none */
};

/* The incumbent, which has a plan, and error, to which later calls write, stay the caller's and
   must outlive it. O(segments log segments), about 160 bytes for a buffer. */
enum status window_search_create(struct exact_incumbent *incumbent,
                                 const struct window_options *options,
                                 struct window_search **search, struct error *error);
void window_search_free(struct window_search *search); /* NULL is fine */
SCOPED_POINTER(struct window_search, window_search_release, window_search_free);

/* Frees nearly all of its memory; the next attempt goes on where the last one ended, and makes it
   again, as a creation does. */
void window_search_rest(struct window_search *search);

/* Tries one capacity, for limit_ns at the most. advanced: another one may find out more. */
enum status window_search_advance(struct window_search *search, uint64_t limit_ns, bool *advanced);

/* How many buffers are live in windows that are hot at the bound. Where they are most, this search
   does about what the exact search of the whole does. Not while it rests. O(segments). */
uint32_t window_search_count_hot(struct window_search *search);

/* Whether the windows that are hot at first can be solved in the memory that it may take. Where
   not, only hotter ones are, which decides little. As above. */
enum status window_search_fits(struct window_search *search, bool *fits);

#endif
