#ifndef MEMPLAN_PLANNING_LOWERING_HEAVIEST_PATH_H
#define MEMPLAN_PLANNING_LOWERING_HEAVIEST_PATH_H

#include "planning/lowering/tracks.h"

/* The step and the conditions under which the most bytes are live at once, where that is more than
   on the line, track 0. The search tries which conditions can hold together, the heaviest first. It
   passes over steps at which very many conditions are active, and after a fixed number of tries at
   a step it takes the best choice so far. */
enum { PATH_MOST_CONDITIONS = 64 };
struct path_heaviest {
    uint32_t step;                            /* GRAPH_NONE where no step has more than the line */
    uint32_t condition[PATH_MOST_CONDITIONS]; /* [conditions] that hold besides PATH_ALWAYS */
    uint32_t conditions;
};

/* bytes[tensors]. O(intervals + steps + tries). */
enum status path_heaviest_find(struct path_heaviest *heaviest, const struct path_liveness *paths,
                               const struct path_tracks *tracks, const uint64_t *bytes,
                               struct error *error);

#endif
