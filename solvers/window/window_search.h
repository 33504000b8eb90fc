#ifndef MEMPLAN_SOLVERS_WINDOW_WINDOW_SEARCH_H
#define MEMPLAN_SOLVERS_WINDOW_WINDOW_SEARCH_H

#include "solvers/exact/incumbent.h"

/* A search for large problems. Where many buffers come and go, the live bytes are near their
   greatest sum in few short windows of steps only, and these decide the peak. So the buffers that
   are live in such hot windows come first: together they are a small problem, which the exact
   search solves below a capacity, the lower bound at first. All others are then filled in around
   them by first fit, and what does not fit drives others out (eject.h). If buffers are left over,
   those of windows that are a little less hot join the problem, with all that did not fit. If a
   capacity cannot be reached, the next one is higher; later cycles try again below the best plan
   with more effort. */
struct window_search;

/* The options' values by default. */
enum { WINDOW_SHARE = 960, WINDOW_STEP = 20, WINDOW_TURNS = 4 };

struct window_options {
    uint64_t share;       /* thousandths of the capacity from which windows are hot at first */
    uint64_t step;        /* thousandths less with each iteration */
    uint64_t iterations;  /* at a capacity in the first cycle; two more in each later one */
    uint32_t threads;     /* at least 1 */
    uint64_t most_pairs;  /* of overlapping buffers in hot windows, which the memory allows */
    uint64_t fill_ns;     /* what filling in the rest takes, roughly */
    uint64_t deadline_ns; /* UINT64_MAX for none */
};

/* The incumbent, which has a plan, and error, to which later calls write, stay the caller's and
   must outlive it. O(segments log segments), about 160 bytes for a buffer. */
enum status window_search_create(struct exact_incumbent *incumbent,
                                 const struct window_options *options,
                                 struct window_search **search, struct error *error);
void window_search_free(struct window_search *search); /* NULL is fine */
SCOPED_POINTER(struct window_search, window_search_release, window_search_free);

/* Frees nearly all of its memory. The next call of window_search_advance continues where the last
   one ended, after making the lists again, which costs as much as window_search_create. */
void window_search_rest(struct window_search *search);

/* Tries one capacity, for at most limit_ns. *advanced: another call may find out more. */
enum status window_search_advance(struct window_search *search, uint64_t limit_ns, bool *advanced);

/* How many buffers are live in windows that are hot at the bound. If these are most buffers, this
   search does about the same as the exact search of the whole. Not to be called after
   window_search_rest, before the next advance. O(segments). */
uint32_t window_search_count_hot(struct window_search *search);

/* *fits: whether the windows that are hot at first can be solved in the memory allowed. If not,
   only hotter windows are solved, which decide little. Called under the same condition. */
enum status window_search_fits(struct window_search *search, bool *fits);

#endif
