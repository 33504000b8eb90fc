#ifndef MEMPLAN_SOLVERS_EXACT_LINE_PLAN_H
#define MEMPLAN_SOLVERS_EXACT_LINE_PLAN_H

#include "planning/problem/problem.h"

/* The quickest plan there is for very many buffers: one pass along the steps, in which each buffer
   gets and gives back its bytes as from an allocator at run time, which knows nothing of what comes
   later. Its free blocks are found by size, in lists of about equal ones (Masmano, Ripoll, Crespo
   and Real, "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004). A buffer
   with holes keeps its bytes from its first step to its last.

   offset [problem->buffers]; *peak_bytes is UINT64_MAX where there are fixed buffers, clocks alone
   or alignments without a small common multiple, which it cannot do. O(segments log segments), most
   of it sorting; about 40 bytes for a segment while it lasts. */
enum status line_plan_make(const struct problem *problem, uint64_t *offset, uint64_t *peak_bytes,
                           struct error *error);

#endif
