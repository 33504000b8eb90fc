#ifndef MEMPLAN_QUANTISE_VALUES_H
#define MEMPLAN_QUANTISE_VALUES_H

#include "core/text.h"
#include "quantise/quantise.h"

/* Appends the quantised values of all weights that were quantised, one weight after the other as
   the graph lists them: a byte for each value, or two of four bits in a byte, the first in its low
   half. So a weight takes its bytes_after. Fails as quantise_graph does. O(elements). */
enum status values_append(struct weight_source *source, const struct quantisation *quantisation,
                          struct text *values, struct error *error);

/* How far the restored values are from the original ones. */
struct values_error {
    uint64_t compared;
    /* The largest difference, in steps of the weight's format; at most a half where every value was
       rounded to the nearest. */
    double worst_steps;
};

/* Restores the values in `values`, as values_append wrote them, and compares them with those of
   the source. STATUS_BAD_INPUT where there are not as many bytes as the quantisation has.
   O(elements). */
enum status values_compare(struct weight_source *source, const struct quantisation *quantisation,
                           const struct text *values, struct values_error *found,
                           struct error *error);

#endif
