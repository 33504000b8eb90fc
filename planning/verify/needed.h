#ifndef MEMPLAN_PLANNING_VERIFY_NEEDED_H
#define MEMPLAN_PLANNING_VERIFY_NEEDED_H

#include "core/scratch.h"
#include "planning/plan/placement.h"
#include "planning/problem/timeline.h"
#include "planning/verify/spans.h"

/* What verify_paths keeps on its way back through a graph, from the last operator to the first:

       conv -> x
       relu x -> y         here x is needed and y is not
       dense y, x -> z     here x and y are needed

   - A tensor is needed from its last reader back to the operator that makes it.
   - A place is occupied, and must not be written, while something that is needed may be in it. That
     is mostly the place of the needed tensor itself. But the result of an If or a loop may have no
     place: needing it occupies the place of everything that it may turn out to be. Nor has a view a
     place of its own, if it lies exactly on the input of which the placement says that it is one.
   - A loop's carried argument is needed where a turn begins or ends, and in between as any tensor:
     a turn that reads it no more may do without it until its end. */

enum verify_place {
    VERIFY_PLACE_OUTSIDE,  /* external */
    VERIFY_PLACE_OWN,      /* at its own offset */
    VERIFY_PLACE_RESULT,   /* result of an If: at its own offset, into which it is copied */
    VERIFY_PLACE_YIELDED,  /* result of an If: where the taken branch left it */
    VERIFY_PLACE_ARGUMENT, /* result of a loop: where the carried argument is */
    VERIFY_PLACE_VIEWED,   /* view: where the input is that it is a view of */
};

/* Tensors in the order in which they were added. */
struct verify_list {
    uint32_t *tensor;
    size_t count, capacity;
};

struct verify_needs {
    const struct graph *graph;
    uint8_t *place;         /* [tensors] of enum verify_place */
    uint64_t *bytes;        /* [tensors] of its value, on the path on which that has most */
    struct live_set needed; /* tensors as they are named: an If's result, not what is yielded */
    struct verify_spans occupied; /* [tensors] places not to be written, first to last byte */
    uint32_t *link;    /* [tensors] of a result of an If its position among the outputs, of a loop's
                          result the argument, of a view the tensor viewed, which is no view itself */
    uint32_t *claims;  /* [tensors] how many needed tensors may have their value in it: itself,
                          views, results */
    uint32_t *pending; /* [tensors] scratch */
    uint32_t open_branches; /* how many are begun and not ended; changes are listed only where there
                               are any */
    struct verify_list change;  /* tensors that came to be needed, or ceased to be */
    struct verify_list rewound; /* which a branch needs at its start: needed again at the end */
    bool failed;                /* a list could not grow: what is needed may be wrong */
    struct scratch scratch;     /* of what does not grow */
};

/* Nothing is needed at first. Leaves *needs fit for verify_needs_free where it fails. */
enum status verify_needs_create(struct verify_needs *needs, const struct graph *graph,
                                const struct placement *placement, struct error *error);
void verify_needs_free(struct verify_needs *needs);

/* Says that the tensors are needed from here on back, or are not; where that is known already,
   nothing changes. O(log tensors) each without control flow. */
void verify_needs_set(struct verify_needs *needs, uint32_t tensor, bool needed);
void verify_needs_set_all(struct verify_needs *needs, struct span tensors, bool needed);

/* Whether the tensor has bytes of its own in the arena. */
bool verify_needs_has_place(const struct verify_needs *needs, uint32_t tensor);

/* For branches, which all start from what is needed after them, and before which whatever any of
   them needs is needed:

       begin; walk the first; rewind; walk the second; rewind; ... walk the last; end

   A branch needs all that is needed after it, since it cannot write any of that. Every change costs
   O(1) once more for each branch that it is in. */
struct verify_branches {
    size_t change, rewound; /* that there were before */
};
struct verify_branches verify_needs_begin(struct verify_needs *needs);
void verify_needs_rewind(struct verify_needs *needs, const struct verify_branches *branches);
void verify_needs_end(struct verify_needs *needs, const struct verify_branches *branches);

#endif
