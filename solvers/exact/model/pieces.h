#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_PIECES_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_PIECES_H

#include <stdint.h>

#include "core/error.h"

/* The rectangles of sections and bytes that buffers are made of: without windows one for each run
   of neighbouring sections, else one for each run that sees the same bytes. */

struct exact_model;

struct exact_pieces {
    uint32_t count;
    uint32_t *first;         /* [buffers + 1] pieces first[b] .. first[b + 1] - 1 are b's */
    uint32_t *buffer;        /* [count] */
    uint32_t *begin, *end;   /* [count] sections begin .. end - 1 */
    uint64_t *lower, *width; /* [count] units, from the buffer's offset on */
};

/* Fills pieces, which the caller clears even after an error. O(members). */
enum status exact_pieces_fill(const struct exact_model *model, struct exact_pieces *pieces,
                              struct error *error);
void exact_pieces_clear(struct exact_pieces *pieces);

#endif
