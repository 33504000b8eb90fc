#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_H

#include "heuristics/ours/dive_task.h"
#include "planning/problem/problem.h"

/* Turns ranks of buffers into the order in which to place them from the bottom up.

   Every buffer has a lowest offset: the end of the highest placed one that conflicts with it. A
   dive chooses a section by its rule, in it, of the buffers that are left and can lie lowest, the
   one of least rank, puts it there, and goes on. It never turns back. The choice by section goes
   after the steps that are hard to fill, where an order alone goes after the buffers. */
struct dive;

/* Lists of conflicts and of sections (dive_lists.h) are faster where buffers and lists are few,
   trees (dive_trees.h) from some thousand buffers on: lists are used up to so many buffers, and to
   list_bytes bytes of them. The orders are the same, unless segments of a buffer meet, which makes
   other sections (section_spans.h). */
enum { DIVE_LISTED_BUFFERS = 4000, DIVE_LIST_BYTES = 16 << 20 };
enum status dive_create(const struct problem *problem, uint64_t list_bytes, struct dive **dive,
                        struct error *error);
void dive_free(struct dive *dive); /* NULL is fine */

/* Fills task->order with the movable buffers and returns the peak; UINT64_MAX as soon as it is sure
   to be above limit_bytes, and at the deadline. Fixed buffers are left out of everything. Allocates
   nothing. */
uint64_t dive_order(struct dive *dive, const struct dive_task *task);

uint32_t dive_sections(const struct dive *dive);
/* The section at which the last dive that failed did so. */
uint32_t dive_failed(const struct dive *dive);
/* The movable buffers that are live in a section, ascending, until the next call; how many. */
uint32_t dive_members(struct dive *dive, uint32_t section, const uint32_t **member);

#endif
