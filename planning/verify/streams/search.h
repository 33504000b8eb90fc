#ifndef MEMPLAN_PLANNING_VERIFY_STREAMS_SEARCH_H
#define MEMPLAN_PLANNING_VERIFY_STREAMS_SEARCH_H

#include "planning/verify/streams/order.h"

/* Decides whether some run has two steps of which the earlier one on the list may not have ended
   when the later one starts, without going through the runs. The steps and edges of all runs make
   one graph. A run has the steps and edges of the regions that it takes, and on each stream an edge
   from each of its steps to the next one:

       main   read t    if -> then: (nothing)           write w, over t
       copy                   else: copy

   Here w waits for t's reader only by way of the copy, so not where `then` is taken.

   The choices are decided one after another. If a chain of steps that all remaining runs have leads
   from the earlier step to the later one, none of these runs has the two unordered. If even the
   steps that only some of the runs have make no chain, all of the runs have them unordered. Else
   each chain needs a region that is still open. The search takes the chain that needs the fewest,
   and an operator on it, and tries all other choices of this operator, then the one that the chain
   needs. */
struct stream_search {
    struct stream_run run; /* of all ways */
    uint32_t *choice;      /* [operators] as of a run, or STREAM_SEARCH_OPEN */
    uint32_t *trail; /* [decided] operators whose choice is not open, in the order of deciding */
    size_t decided;
    uint8_t *presence; /* [regions] whether the remaining runs take it */
    uint32_t
        *open; /* [steps] over all chains from it to the later step, the fewest steps that only some
                  of the remaining runs have; STREAM_SEARCH_NO_CHAIN where there is no chain */
    uint32_t *next; /* [steps] the next one of that chain */
    uint32_t *last; /* [streams] the last step found on it, going back, from which a chain leads to
                       the later step */
    uint64_t looks; /* steps that may still be looked at before it gives up */
};
#define STREAM_SEARCH_OPEN (UINT32_MAX - 1)

enum { STREAM_SEARCH_NEVER, STREAM_SEARCH_MAYBE, STREAM_SEARCH_SURE };

/* Leaves *search fit for stream_search_free where it fails. */
enum status stream_search_create(const struct graph *graph, struct stream_search *search,
                                 struct error *error);
void stream_search_free(struct stream_search *search);

/* Keeps only the runs that take the region; false where none remains. stream_search_undo with the
   earlier value of search->decided goes back. O(depth of regions). */
bool stream_search_take(struct stream_search *search, uint32_t region);
/* Keeps only the runs that make this choice if they reach the operator, whose choice is open. */
void stream_search_choose(struct stream_search *search, uint32_t op, uint32_t choice);
void stream_search_undo(struct stream_search *search, size_t decided);

/* Fills search->open for a later step that all remaining runs have. It is 0 for steps that, on each
   of these runs that has them, have ended when the later one starts. O(steps and edges). */
#define STREAM_SEARCH_NO_CHAIN UINT32_MAX
void stream_search_reach(struct stream_search *search, uint32_t later);

/* Whether two steps that all remaining runs have are unordered on one of these runs;
   STREAM_SEARCH_MAYBE where the search gave up. With STREAM_SEARCH_SURE the choices of such a run
   stay decided, and the caller has to undo them. */
int stream_search_unordered(struct stream_search *search, uint32_t earlier, uint32_t later);

#endif
