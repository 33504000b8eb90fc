#ifndef MEMPLAN_PLANNING_GRAPH_MOVES_H
#define MEMPLAN_PLANNING_GRAPH_MOVES_H

#include "planning/graph/graph.h"

/* The values that operators with regions move. Those that are moved at the same time stand side by
   side:

       if -> r s                  t -> r, u -> s   when the first branch is left
         then: yields t u         x -> r, x -> s   when the second one is
         else: yields x x
       loop -> p [init i,         i -> a           when the loop is entered
         argument a, yield y]     y -> a           when a turn ends

   Outputs of a loop that are not carried are written when it is entered: they are listed as moves
   without a source. */

struct graph_move {
    uint32_t source, target; /* tensors; source GRAPH_NONE for a move without a source */
    uint32_t o;
    uint32_t region; /* the region of o that ends; GRAPH_NONE where a loop is entered */
};

struct graph_moves {
    struct graph_move *move; /* [count] */
    uint32_t count;
    uint32_t *first; /* [operators + 1] the first move of each operator */
};

/* O(graph). Leaves *moves fit for graph_moves_clear where it fails. */
enum status graph_moves_create(const struct graph *graph, struct graph_moves *moves,
                               struct error *error);
void graph_moves_clear(struct graph_moves *moves);

/* The moves that are made at the same time as this one, which is among them. O(their number). */
struct span graph_moves_at_once(const struct graph_moves *moves, uint32_t move);

#endif
