#ifndef MEMPLAN_PLANNING_VERIFY_PATHS_NEEDED_H
#define MEMPLAN_PLANNING_VERIFY_PATHS_NEEDED_H

#include "core/scratch.h"
#include "planning/plan/placement.h"
#include "planning/problem/timeline.h"
#include "planning/verify/spans.h"

/* What verify_paths knows on its way back through a graph, from the last operator to the first:

       conv -> x
       relu x -> y         here x is needed and y is not
       dense y, x -> z     here x and y are needed

   - A tensor is needed from its last reader back to the operator that makes it.
   - A place is occupied, and must not be written, while something that is needed may be in it. That
     is mostly the place of the needed tensor itself. But the result of an If or a loop may have no
     place: while it is needed, the places of all tensors that it may stand for are occupied. A view
     has no place of its own either, if it lies exactly on the input that the placement names for
     it.
   - A loop's carried argument is needed where a turn begins and where it ends. In between it is
     needed like any tensor: from its last reader in the turn up to the end of the turn it is
     not. */

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
    uint64_t *bytes;        /* [tensors] of its value, on the path on which the value is largest */
    struct live_set needed; /* tensors by the names that readers use: an If's result, not what is
                               yielded for it */
    struct verify_spans occupied; /* [tensors] places not to be written, first to last byte */
    uint32_t *link;    /* [tensors] for the result of an If its position among the outputs, for a
                          loop's result the argument, for a view the tensor that it views, which
                          is no view itself */
    uint32_t *claims;  /* [tensors] how many needed tensors may have their value in it: itself,
                          views, results */
    uint32_t *pending; /* [tensors] scratch */
    uint32_t open_branches; /* how many have begun and not ended; changes are listed only if there
                               are any */
    struct verify_list change;  /* tensors that became needed, or are no longer needed */
    struct verify_list rewound; /* needed at the start of a branch, and again at verify_needs_end */
    bool failed;                /* a list could not grow: what is needed may be wrong */
    struct scratch scratch;     /* of what does not grow */
};

/* Nothing is needed at first. Leaves *needs fit for verify_needs_free where it fails. */
enum status verify_needs_create(struct verify_needs *needs, const struct graph *graph,
                                const struct placement *placement, struct error *error);
void verify_needs_free(struct verify_needs *needs);

/* Says that the tensors are needed from here on backwards, or are not. Where that is known already,
   nothing changes. O(log tensors) each without control flow. */
void verify_needs_set(struct verify_needs *needs, uint32_t tensor, bool needed);
void verify_needs_set_all(struct verify_needs *needs, struct span tensors, bool needed);

/* Whether the tensor has bytes of its own in the arena. */
bool verify_needs_has_place(const struct verify_needs *needs, uint32_t tensor);

/* For the branches of an operator: each is walked from what is needed after the operator, and
   before the operator all is needed that any branch needs:

       begin; walk the first; rewind; walk the second; rewind; ... walk the last; end

   What is needed after a branch is needed throughout it, unless the branch itself makes it. Every
   change costs O(1) more for each branch around it. */
struct verify_branches {
    size_t change, rewound; /* how many there were at the beginning */
};
struct verify_branches verify_needs_begin(struct verify_needs *needs);
void verify_needs_rewind(struct verify_needs *needs, const struct verify_branches *branches);
void verify_needs_end(struct verify_needs *needs, const struct verify_branches *branches);

#endif
