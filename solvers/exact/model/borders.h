#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_BORDERS_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_BORDERS_H

#include "solvers/exact/model/rectangles.h"

/* Who ends and who begins at the border before each section: a buffer ends there where it is live
   in the section before and not in this one, and begins there where it is the other way round. A
   buffer whose life has holes ends and begins more than once. */
struct exact_borders {
    uint32_t *first_end, *first_begin; /* [sections + 1] into ending and beginning: at the border
                                          before section s from first_end[s] up to the first of
                                          s + 1; none before section 0 */
    uint32_t *ending, *beginning;      /* buffers, those of each border with the largest first */
};

/* Fills borders, which the caller clears even after an error. The rectangles are those of a model
   without windows. O(sections + rectangles). */
enum status exact_borders_fill(const struct exact_rectangles *rectangles,
                               struct exact_borders *borders, struct error *error);
void exact_borders_clear(struct exact_borders *borders);

#endif
