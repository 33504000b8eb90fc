#ifndef MEMPLAN_PLANNING_LOWERING_HEAVIEST_PATH_H
#define MEMPLAN_PLANNING_LOWERING_HEAVIEST_PATH_H

#include "planning/lowering/tracks.h"

/* The step and the conditions under which the most bytes are live at once, where that is more than
   on the line, track 0. They are found by trying which conditions can hold together, the heaviest
   first. Steps at which very many conditions are active are passed over, and after a number of
   tries at a step the best choice so far counts. */
enum { PATH_MOST_CONDITIONS = 64 };
struct path_heaviest {
    uint32_t step;                            /* GRAPH_NONE where the line has as much */
    uint32_t condition[PATH_MOST_CONDITIONS]; /* [conditions] that hold besides PATH_ALWAYS */
    uint32_t conditions;
};

/* bytes[tensors]. O(intervals + steps) and the trying. */
enum status path_heaviest_find(struct path_heaviest *heaviest, const struct path_liveness *paths,
                               const struct path_tracks *tracks, const uint64_t *bytes,
                               struct error *error);

#endif
