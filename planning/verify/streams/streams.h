#ifndef MEMPLAN_PLANNING_VERIFY_STREAMS_STREAMS_H
#define MEMPLAN_PLANNING_VERIFY_STREAMS_STREAMS_H

#include "planning/plan/placement.h"
#include "planning/verify/verdict.h"

/* Checks the placement of a graph whose operators run on several streams. On every run that has two
   tensors which share bytes, all uses of one have to end before the other is first written. The
   verdict is VERIFY_OVERLAP, with the step on the list at which the later tensor is written, or
   VERIFY_NO_OFFSET where the result of an If has no place of its own; else it is left unchanged.
   The caller has checked the extents of every tensor with an offset. Nothing may be written over an
   input.

   The bytes of the arena are gone through in rising order, with all tensors that have a byte there
   in the order in which they are first written. Since coming one after another is transitive, only
   neighbours in that order are compared, and these change only where a tensor begins or ends.

   All runs are looked at where there are at most 4096 of them. Else each two tensors that share
   bytes are decided for all runs at once, planning/verify/streams/pairs.h; only where that takes
   too long samples are looked at that reach every region, and the verdict is VERIFY_SAMPLED unless
   these show a fault. O(runs * (n log n + edges * n / 64)) for n tensors and extents. */
enum status verify_streams(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error);

#endif
