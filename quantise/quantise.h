#ifndef MEMPLAN_QUANTISE_QUANTISE_H
#define MEMPLAN_QUANTISE_QUANTISE_H

#include "quantise/fixed_point.h"
#include "quantise/weight_source.h"

/* Weights of a graph as whole numbers of 8 or 4 bits: their bytes, and the accuracy that they lose.
   Each weight is quantised as a whole; those that are not floating point stay as they are. */

struct quantised_weight {
    uint32_t op;    /* operator that has it */
    bool quantised; /* false: the weight keeps its dtype, and only the bytes below have a meaning */
    uint64_t elements;
    uint64_t bytes_before, bytes_after;
    struct fixed_point format;
    struct fixed_point_loss loss;
};

struct quantisation {
    uint32_t bits, weights;
    uint32_t quantised;              /* how many of the weights were quantised */
    struct quantised_weight *weight; /* [weights] as in the graph */
    uint64_t bytes_before, bytes_after;
    /* The loss of all weights together, in the units of their values; it may be infinite. */
    struct fixed_point_loss loss;
};

/* Quantises the weights of the source's graph to each of the widths bits[widths], which are 4 or 8,
   else STATUS_USAGE. Writes quantisation[widths], which the caller frees. STATUS_BAD_INPUT where a
   value is NaN or infinite, where the bytes of a weight are no whole number of elements, and where
   bytes overflow in sum. O(elements) time; a file is read twice, drawn values once. */
enum status quantise_graph(struct weight_source *source, const uint32_t *bits, uint32_t widths,
                           struct quantisation **quantisation, struct error *error);
void quantise_free(struct quantisation *quantisation); /* NULL is fine */
SCOPED_POINTER(struct quantisation, quantise_release, quantise_free);

/* Gives each quantised weight of the graph its new dtype, int8 or int4, and its new number of
   bytes. */
void quantise_apply(const struct quantisation *quantisation, struct graph *graph);

/* The bytes of elements of 8 or 4 bits; two numbers of four bits share a byte. */
uint64_t quantise_bytes(uint64_t elements, uint32_t bits);

/* 10 log10(signal / noise) in decibels; infinite where nothing was lost. */
double quantise_decibels(const struct fixed_point_loss *loss);

#endif
