#ifndef MEMPLAN_DMA_PROGRAM_CHECK_H
#define MEMPLAN_DMA_PROGRAM_CHECK_H

#include "dma/program/program.h"

/* Runs a program on a machine with buffers and a channel, and trusts nothing that the writer of the
   program claims. It has no clock: weights arrive when they are waited for and no sooner, and a
   transfer may overwrite its buffer as soon as it is started, so what passes here is right for any
   bandwidth. It refuses

   - a start into a buffer that is too small, to which a transfer is under way or whose weights
     are kept or have not been computed with;
   - a wait for weights or a keep of them, or a cancel of a transfer, that are not on their way to
     that buffer; a drop of weights that are not kept there;
   - a compute whose weights have not arrived in its buffer, or have been overwritten since;
   - a region that does not compute each of its operators once, in order;
   - an end that leaves a transfer under way or weights kept.

   Instructions are fixed, whatever path execution takes. So wherever paths meet, before a region,
   the same transfers have to be under way and the same weights kept on all of them. That no path
   breaks a rule is therefore found by running each region once. Weights are computed with in the
   region in which they are waited for.

   STATUS_NO with the first rule that is broken. O(instructions + buffers). */
enum status transfer_check(const struct transfer_program *program, struct error *error);

#endif
