#ifndef MEMPLAN_PLANNING_VERIFY_STREAMS_H
#define MEMPLAN_PLANNING_VERIFY_STREAMS_H

#include "planning/plan/placement.h"
#include "planning/verify/verdict.h"

/* The check of a placement whose graph's operators run on several streams: tensors that share bytes
   have to come one after another, all uses of one ended before the other is first written, on every
   run that has both. Says VERIFY_OVERLAP with the step on the list at which the later of them is
   written, VERIFY_NO_OFFSET where the result of an If has no place of its own, else nothing. Every
   tensor with an offset has its extents in order and ends below 2^64. Nothing may be written over
   an input.

   The bytes of the arena are gone through in rising order, with all tensors that have a byte there
   in the order in which they are first written. As coming one after another is transitive, only
   neighbours in that order are asked for; and they change only where a tensor begins or ends.

   All runs are looked at where there are at most 4096 of them. Else each two tensors that share
   bytes are decided for all runs at once, planning/verify/stream_pairs.h; only where that takes too
   long samples are looked at that reach every region, and the verdict is VERIFY_SAMPLED unless
   these show a fault. O(runs * (n log n + edges * n / 64)) for n tensors and extents. */
enum status verify_streams(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error);

#endif
