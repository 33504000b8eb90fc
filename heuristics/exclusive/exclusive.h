#ifndef MEMPLAN_HEURISTICS_EXCLUSIVE_EXCLUSIVE_H
#define MEMPLAN_HEURISTICS_EXCLUSIVE_EXCLUSIVE_H

#include "planning/plan/planner.h"

/* The Chinese patent document "memory management method, device and system" (published 2022),
   paragraphs 57 to 97: operators get memory one after another, largest first. Each takes bytes of
   operators before it, of those that do not exclude it (see exclusion.h) and none that one that
   does uses too, and only what is missing is new memory at the end. What it gets may be scattered
   over several extents.

   Read out of the document, or settled where it is silent:
   - Ties are broken by position. Each output of an operator with several is placed by itself, and
     they exclude each other.
   - Bytes that only one operator uses so far come first, as figure 5 puts operator 8 into operator
     4 beside operator 1; paragraph 95 allows the bytes that operator 1 uses as well, and they come
     next. Of each the lowest come first.
   - Each extent begins at a multiple of the buffer's alignment. The document has no alignment.
   - Fixed buffers are placed before all others, each in one piece, and so are the blocks that
     regions of a graph share, since what lies in them was planned as one run of bytes.

   exclusive_plan also heeds lifetimes. exclusive_published_plan takes the kinds of the document
   for all there is, whose plans may overwrite what is still needed; it is the same where there are
   no kinds to tell. Graphs of more than EXCLUSION_MOST_NODES operators are PLAN_UNSUPPORTED.
   O(n^2 + exclusions log exclusions) for n buffers, and what exclusion_create costs. */
enum status exclusive_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error);
enum status exclusive_published_plan(const struct planner *planner, const struct planner_task *task,
                                     struct plan *plan, struct error *error);

#endif
