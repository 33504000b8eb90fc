#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_RECTANGLES_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_RECTANGLES_H

#include "core/scratch.h"
#include "solvers/exact/model/model.h"

/* The rectangles of sections and bytes that buffers are made of: without windows one for each run
   of neighbouring sections, else one for each run that uses the same bytes. */
struct exact_rectangles {
    uint32_t sections; /* of the model */
    uint32_t count;
    uint32_t *first;         /* [buffers + 1] those of b are first[b] .. first[b + 1] - 1 */
    uint32_t *buffer;        /* [count] */
    uint32_t *begin, *end;   /* [count] sections begin .. end - 1 */
    uint64_t *lower, *width; /* [count] units, from the buffer's offset on */
    struct scratch memory;
};

/* Fills rectangles, whose memory the caller frees even after an error. O(members of sections). */
enum status exact_rectangles_fill(const struct exact_model *model,
                                  struct exact_rectangles *rectangles, struct error *error);

#endif
