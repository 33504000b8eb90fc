#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_H

#include "core/scratch.h"
#include "heuristics/ours/dive_task.h"
#include "planning/problem/problem.h"

/* Turns ranks of buffers into an order in which to place them, from the bottom up.

   Every buffer has a lowest offset: the end of the highest placed buffer that conflicts with it. A
   dive chooses a section by its rule. Among the buffers of the section that are not placed yet it
   takes those with the lowest offset, and of these the one of least rank, places it there, and goes
   on. It never takes a choice back. Choosing a section first finds the steps that are hard to fill,
   while an order alone knows only the buffers. */
struct dive;

/* Lists of conflicts and of sections (dive_lists.h) are faster where there are few buffers and
   short lists, trees (dive_trees.h) from some thousand buffers on. Lists are used for up to
   DIVE_LISTED_BUFFERS buffers if they take at most list_bytes. Both give the same orders, unless
   segments of one buffer meet, which makes other sections (section_spans.h). */
enum { DIVE_LISTED_BUFFERS = 4000, DIVE_LIST_BYTES = 16 << 20 };
enum status dive_create(const struct problem *problem, uint64_t list_bytes, struct dive **dive,
                        struct scratch *scratch, struct error *error);
/* What is not in the scratch; also to be called after an error. NULL is fine. */
void dive_free(struct dive *dive);

/* Fills task->order with the movable buffers and returns the peak. The result is UINT64_MAX as soon
   as the peak is certain to be above limit_bytes, and when the deadline passes. Fixed buffers are
   ignored. Allocates nothing. */
uint64_t dive_order(struct dive *dive, const struct dive_task *task);

uint32_t dive_sections(const struct dive *dive); /* how many sections there are */
/* The section at which the last failing dive failed. */
uint32_t dive_failed(const struct dive *dive);
/* The movable buffers that are live in a section, ascending, valid until the next call; returns
   their number. */
uint32_t dive_members(struct dive *dive, uint32_t section, const uint32_t **member);

#endif
