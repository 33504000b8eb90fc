#ifndef MEMPLAN_SOLVERS_WINDOW_LIVE_INDEX_H
#define MEMPLAN_SOLVERS_WINDOW_LIVE_INDEX_H

#include "planning/problem/timeline.h"

/* Which segments are live somewhere in a stretch of steps. The segments are kept in the order in
   which they start; at some of them, the checkpoints, all that are live then are listed, so that an
   answer need not go back to the first step. */
struct live_index {
    const struct problem *problem;
    struct timeline timeline;
    uint32_t checkpoints;
    uint32_t *position; /* [checkpoints] into timeline.by_lower: the segment before whose start it
                           comes */
    uint64_t *first;    /* [checkpoints + 1] into live */
    uint32_t *live;     /* segments that started before the position and are live at its step */
    uint32_t *found;    /* [segments] the last answer */
};

/* The problem must outlive the index. O(segments log segments) time, 24 bytes for a segment. */
enum status live_index_create(const struct problem *problem, struct live_index **index,
                              struct error *error);
void live_index_free(struct live_index *index); /* NULL is fine */

/* Lists in index->found, until the next call, the segments that are live at a step of
   [begin, end), and returns how many. O(log checkpoints + answer + live segments at `begin`). */
uint32_t live_index_find(struct live_index *index, uint32_t begin, uint32_t end);

#endif
