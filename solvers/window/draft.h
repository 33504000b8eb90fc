#ifndef MEMPLAN_SOLVERS_WINDOW_DRAFT_H
#define MEMPLAN_SOLVERS_WINDOW_DRAFT_H

#include "core/heap.h"
#include "core/scratch.h"
#include "planning/problem/timeline.h"

/* Finds the segments that are live at some step of a range. The segments are kept in the order in
   which they start; at some of them, the checkpoints, all live segments are listed, so that an
   answer need not go back to the first step. */
struct live_index {
    const struct problem *problem;
    struct timeline timeline;
    uint32_t checkpoints;
    uint32_t *position; /* [checkpoints] into timeline.by_lower: the checkpoint comes right before
                           the start of this segment */
    uint64_t *first;    /* [checkpoints + 1] into live */
    uint32_t *live;     /* segments that started before the position and are live at its step */
    uint32_t *found;    /* [segments] the last answer */
    struct scratch memory;
};

/* The problem must outlive the index. O(segments log segments) time, 24 bytes for a segment. */
enum status live_index_create(const struct problem *problem, struct live_index **index,
                              struct error *error);
void live_index_free(struct live_index *index); /* NULL is fine */
SCOPED_POINTER(struct live_index, live_index_release, live_index_free);

/* Lists in index->found, until the next call, the segments that are live at a step of
   [begin, end), and returns how many. O(log checkpoints + answer + live segments at `begin`). */
uint32_t live_index_find(struct live_index *index, uint32_t begin, uint32_t end);

/* A plan that is being made: every buffer with an offset fits below the capacity and collides with
   no other, and some buffers have no offset yet. */
struct draft {
    const struct problem *problem;
    struct live_index *index;
    uint64_t capacity_bytes;
    uint64_t *offset; /* [buffers] PROBLEM_FREE for those without */
    uint64_t *area;   /* [buffers] bytes times steps, at most UINT64_MAX */
    uint64_t *load;   /* [segments] live bytes right after the i-th segment of timeline.by_lower has
                         started; segments behind it in that list do not count */
    struct heap unplaced; /* buffers that wait, the greatest area on top; has room for all */
    struct scratch memory;
};

/* An empty draft. The problem must outlive it. O(segments log segments); about 60 bytes for a
   buffer. */
enum status draft_create(const struct problem *problem, struct draft **draft, struct error *error);
void draft_free(struct draft *draft); /* NULL is fine */
SCOPED_POINTER(struct draft, draft_release, draft_free);

/* Empties the draft: only fixed buffers have an offset, and no buffer waits. O(buffers). */
void draft_clear(struct draft *draft, uint64_t capacity_bytes);

/* Makes the buffer wait: it has no offset any more, and is to get one. O(log buffers). */
enum status draft_wait(struct draft *draft, uint32_t buffer, struct error *error);

/* Takes the buffer of greatest area from those that wait; there is one. O(log buffers). */
uint32_t draft_next(struct draft *draft);

#endif
