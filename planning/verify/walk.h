#ifndef MEMPLAN_PLANNING_VERIFY_WALK_H
#define MEMPLAN_PLANNING_VERIFY_WALK_H

#include "planning/verify/needed.h"
#include "planning/verify/paths.h"

/* What the parts of verify_paths have in common. What finds a fault puts it into the verdict, which
   keeps the first one. */

struct verify_walk {
    const struct graph *graph;
    const struct placement *placement;
    struct verify_needs needs;
    uint32_t *step;       /* [operators] at which it is entered */
    uint32_t *leave_step; /* [operators]; the same without regions */
    uint32_t *meant;      /* [tensors] in whose place it is meant to be written, or GRAPH_NONE */
    struct verdict *verdict;
    struct error *error;
};

/* planning/verify/places.c: each place by itself. */
enum status verify_check_places(struct verify_walk *walk);
/* A block may be larger than what lies in it, so the peak need not be reached. */
void verify_check_peak(struct verify_walk *walk);

/* planning/verify/writes.c: what is written against what is needed at that time. */

/* Where the first bytes of a tensor are. */
struct extents_walk verify_begin(const struct verify_walk *walk, uint32_t tensor, uint64_t bytes);
bool verify_share_bytes(struct extents_walk a, const struct extents_walk *b);
void verify_report(struct verify_walk *walk, uint32_t a, uint32_t b, uint32_t step);

/* Fills walk->meant: what the placement says, and for what a branch yields exactly into its
   result's place what it says of that result. O(graph). */
enum status verify_find_meant(struct verify_walk *walk);
/* The place that the tensor is meant to be written over and lies on, where nothing needs it but
   `reads` readings; GRAPH_NONE where there is none. Holding is not needing. */
uint32_t verify_find_spared(const struct verify_walk *walk, uint32_t tensor, uint32_t reads);
/* Writing a tensor at its own offset must not hit any occupied place but itself and the spared one.
   O(occupied). */
void verify_check_written(struct verify_walk *walk, uint32_t tensor, uint32_t spared,
                          uint32_t step);

/* planning/verify/copies.c: values that operators with regions move into places of their own, all
   of one step as if at once, except those that lie there already. */

/* The results of an If, where this branch was taken; needs hold what is needed after the If beside
   its results. O(results * (occupied + results)) unless values overlap that do so on some paths
   only. */
enum status verify_check_leave(struct verify_walk *walk, uint32_t o, uint32_t region);
/* The arguments of a loop from its inits, against what else is read at that step. */
enum status verify_check_enter(struct verify_walk *walk, uint32_t o);
/* And from its yields. */
enum status verify_check_turn_end(struct verify_walk *walk, uint32_t o);

#endif
