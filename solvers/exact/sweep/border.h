#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_BORDER_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_BORDER_H

#include "solvers/exact/sweep/pieces.h"

/* The borders of neighbouring sections, as a sweep crosses them one after another: forwards, or
   backwards, where what begins in time ends for the sweep. */

struct sweep_group {
    const uint32_t *piece; /* [count] */
    uint32_t count;
};

/* What the sweep leaves behind at a border, and what it meets. Bit i stands for piece i of one of
   the two; where either has too many pieces for that, one bit stands for all of them. */
struct sweep_border {
    struct sweep_group ending, beginning;
    bool has_bits;
};

/* The border that is crossed after `index` others. */
struct sweep_border sweep_border_find(const struct sweep_pieces *pieces, bool backwards,
                                      uint32_t index);

/* What is live in the section where the sweep begins. */
struct sweep_group sweep_border_start(const struct sweep_pieces *pieces, bool backwards);

/* The bits of a whole group of the border, which is not empty. */
uint64_t sweep_border_bits(const struct sweep_border *border, const struct sweep_group *group);

/* Lists the pieces of a group of the border that the bits stand for, and returns how many there
   are. */
uint32_t sweep_border_list(const struct sweep_border *border, const struct sweep_group *group,
                           uint64_t bits, uint32_t *listed);

#endif
