#ifndef MEMPLAN_DMA_QUANTISE_VALUES_H
#define MEMPLAN_DMA_QUANTISE_VALUES_H

#include "core/text.h"
#include "dma/quantise/quantise.h"

/* Appends the quantised values of all weights that were quantised, one weight after the other as
   the graph lists them: a byte for each value, or two of four bits in a byte, the first in its low
   half. So a weight takes its bytes_after. Fails as quantise_graph does. O(elements). */
enum status values_append(struct weight_source *source, const struct quantisation *quantisation,
                          struct text *values, struct error *error);

/* How far restored values are from those of the source. */
struct values_error {
    uint64_t compared;
    double worst_steps; /* the largest difference in steps of its weight; at most a half where the
                           values are the nearest ones */
};

/* Restores values[length], as values_append wrote them. STATUS_BAD_INPUT where they are not as many
   as the quantisation has. O(elements). */
enum status values_compare(struct weight_source *source, const struct quantisation *quantisation,
                           const struct text *values, struct values_error *found,
                           struct error *error);

#endif
