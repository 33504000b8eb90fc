#ifndef MEMPLAN_PLANNING_LIVENESS_VALUE_PLACES_H
#define MEMPLAN_PLANNING_LIVENESS_VALUE_PLACES_H

#include "core/scratch.h"
#include "planning/graph/moves.h"

/* The places in which the value of a tensor may be. For most tensors that is their own place. A
   loop's result is in the place of the argument. The result of an If without a place of its own is
   where the taken branch left what it yields. */

struct value_places {
    const struct graph *graph;
    const bool *has_place; /* [tensors] results of Ifs that have one; NULL: none has */
    uint32_t *stamp;       /* [tensors] the last search, by number, that met it */
    uint32_t *found;       /* [count] of [tensors] what the last search found */
    uint32_t *pending;     /* [tensors] those that a search has yet to look at */
    uint32_t count, searches;
    bool outside; /* the value may also be in an external tensor */
};

/* Its arrays are from the scratch, and live as long as that. */
enum status value_places_create(struct value_places *places, const struct graph *graph,
                                const bool *has_place, struct scratch *scratch,
                                struct error *error);

/* The tensor is the result of an If without a place of its own: branches may leave its value in
   several places, or in none. */
bool value_places_in_branches(const struct value_places *places, uint32_t tensor);
/* Fills found with all places in the arena where the tensor's value may be, each once. O(yields
   that are passed through). */
void value_places_find(struct value_places *places, uint32_t tensor);
/* Whether the move writes into a place in the arena, which it does where its value may be in
   another place. root[tensors]: tensors with the same root are in one place; NULL where each is
   alone. Overwrites found. */
bool value_places_written(struct value_places *places, const struct graph_move *move,
                          const uint32_t *root);

#endif
