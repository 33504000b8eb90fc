#ifndef MEMPLAN_DMA_QUANTISE_QUANTISE_H
#define MEMPLAN_DMA_QUANTISE_QUANTISE_H

#include "dma/quantise/fixed_point.h"
#include "dma/quantise/weight_source.h"

/* Weights of a graph as whole numbers of 8 or 4 bits: what they take, and what that costs. Each
   weight is quantised as a whole; those that are not floating point stay as they are. */

struct quantised_weight {
    uint32_t op;    /* operator that has it */
    bool quantised; /* false: it stays as it is, and only the bytes below mean anything */
    uint64_t elements;
    uint64_t bytes_before, bytes_after;
    struct fixed_point format;
    struct fixed_point_loss loss;
};

struct quantisation {
    uint32_t bits, weights;
    uint32_t quantised;              /* how many of the weights were */
    struct quantised_weight *weight; /* [weights] as in the graph */
    uint64_t bytes_before, bytes_after;
    struct fixed_point_loss loss; /* of all weights, in units of their own: may be infinite */
};

/* Quantises the graph of the source: quantisation[widths], one for each of bits[widths], which are
   4 or 8, else STATUS_USAGE. The caller frees them. STATUS_BAD_INPUT where a value is NaN or
   infinite, and where the bytes of a weight are no whole number of elements or overflow in sum.
   O(elements) time, two passes over a file, one over what is drawn. */
enum status quantise_graph(struct weight_source *source, const uint32_t *bits, uint32_t widths,
                           struct quantisation **quantisation, struct error *error);
void quantise_free(struct quantisation *quantisation); /* NULL is fine */

/* Gives the weights of the graph that was quantised the dtype int8 or int4 and the bytes of that.
 */
void quantise_apply(const struct quantisation *quantisation, struct graph *graph);

/* 10 log10(signal / noise) in decibels; infinite where nothing was lost. */
double quantise_decibels(const struct fixed_point_loss *loss);

#endif
