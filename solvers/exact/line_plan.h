#ifndef MEMPLAN_SOLVERS_EXACT_LINE_PLAN_H
#define MEMPLAN_SOLVERS_EXACT_LINE_PLAN_H

#include "planning/problem/problem.h"

/* The quickest plan there is for very many buffers: one pass along the steps, in which each buffer
   gets its bytes from an allocator, and gives them back, as at run time, without knowledge of later
   steps. Free chunks are found in lists of chunks of about equal size (Masmano, Ripoll, Crespo and
   Real, "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004). A buffer with
   holes keeps its bytes from its first step to its last.

   offset [problem->buffers]; *peak_bytes is UINT64_MAX where there are fixed buffers, clocks alone
   or alignments without a small common multiple, which it cannot plan. O(segments log segments),
   mostly for sorting; about 40 bytes of scratch for a segment. */
enum status line_plan_make(const struct problem *problem, uint64_t *offset, uint64_t *peak_bytes,
                           struct error *error);

#endif
