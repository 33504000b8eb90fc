#ifndef MEMPLAN_PLANNING_VERIFY_STREAM_SEARCH_H
#define MEMPLAN_PLANNING_VERIFY_STREAM_SEARCH_H

#include "planning/verify/stream_order.h"

/* Decides whether some run has two steps of which the earlier one on the list may not have ended
   when the later one starts, without going through the runs. The steps and edges of all runs make
   one graph; on a run those of the regions that it takes are there, and each step has an edge to
   the next one on its stream that is there:

       main   read t    if -> then: (nothing)           write w, over t
       copy                   else: copy                        w waits for t's reader only by way
   of the copy, so not where `then` is taken

   What is chosen is decided step by step. Where a chain of steps that are there whatever is still
   open leads from the earlier step to the later one, no such run has them unordered; where not even
   the steps that may be there make a chain, all have. Else some chain needs a region that is still
   open: of the chain that needs fewest, all other choices of one operator are tried, then that one.
 */
struct stream_search {
    struct stream_run run; /* of all ways */
    uint32_t *choice;      /* [operators] as a run's, or STREAM_SEARCH_OPEN */
    uint32_t *trail; /* [decided] operators whose choice is not open, in the order of deciding */
    size_t decided;
    uint8_t *presence; /* [regions] whether the runs that are left take it */
    uint32_t *open;    /* [steps] how many steps of a chain from it to the later step are there only
                          perhaps, of that which has fewest; STREAM_SEARCH_NO_CHAIN without any */
    uint32_t *next;    /* [steps] the next one of that chain */
    uint32_t *last; /* [streams] the step that was met last on it, going back, which reaches it */
    uint64_t looks; /* steps that may still be looked at before it gives up */
};
#define STREAM_SEARCH_OPEN (UINT32_MAX - 1)

enum { STREAM_SEARCH_NEVER, STREAM_SEARCH_MAYBE, STREAM_SEARCH_SURE };

/* Leaves *search fit for stream_search_free where it fails. */
enum status stream_search_create(const struct graph *graph, struct stream_search *search,
                                 struct error *error);
void stream_search_free(struct stream_search *search);

/* Goes on with the runs that take the region; false where none is left. To go back: undo to what
   search->decided was. O(depth of regions). */
bool stream_search_take(struct stream_search *search, uint32_t region);
/* Goes on with the runs that take it once they reach its operator, a branch which is open. */
void stream_search_choose(struct stream_search *search, uint32_t op, uint32_t choice);
void stream_search_undo(struct stream_search *search, size_t decided);

/* Fills search->open for a step that all runs which are left have: 0 for steps that have ended when
   it starts, on each of these runs that has them. O(steps and edges). */
#define STREAM_SEARCH_NO_CHAIN UINT32_MAX
void stream_search_reach(struct stream_search *search, uint32_t later);

/* Whether two steps that all runs which are left have are unordered on one. STREAM_SEARCH_MAYBE
   where it gave up. Where the answer is STREAM_SEARCH_SURE, the choices of a run on which they are
   unordered are those decided, and it is up to the caller to undo them. */
int stream_search_unordered(struct stream_search *search, uint32_t earlier, uint32_t later);

#endif
