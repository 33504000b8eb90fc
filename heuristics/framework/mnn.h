#ifndef MEMPLAN_HEURISTICS_FRAMEWORK_MNN_H
#define MEMPLAN_HEURISTICS_FRAMEWORK_MNN_H

#include "planning/plan/planner.h"

/* The BufferAllocator of alibaba/MNN, source/core/BufferAllocator.cpp, 2018 to 2022, as it is
   called while a model is resized: an allocation takes the smallest free node that is large enough,
   the one freed first of equals, and splits what is over off it; else a new node of its size is
   made. A node that was split is whole again when both parts are free. Groups for threads are left
   out.

   New nodes lie end to end in the order in which they are made, and above all fixed buffers.
   Buffers are kept from their first step to their last (events.h). */

/* alignment: to which splits are rounded up; a common multiple of it and of all buffers' alignments
   is used. MNN's is 64. */
extern const struct planner_option mnn_options[];

/* O(n log n) and the number of free nodes for each event. */
enum status mnn_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);

#endif
