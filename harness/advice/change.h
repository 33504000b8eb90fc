#ifndef MEMPLAN_HARNESS_ADVICE_CHANGE_H
#define MEMPLAN_HARNESS_ADVICE_CHANGE_H

#include "core/text.h"
#include "planning/graph/graph.h"

/* One change of a graph itself, made to a tensor between two operators that no region, loop or end
   of the graph hands on.
   quantise: its floating-point elements become int8. split: the operator that writes it and its
   only reader, which computes element by element, each run twice, for one half of a dimension after
   the other, so that the tensor is never there whole: write half, read half, write half, read half.
   Every operator that read the reader's output reads both halves of it instead. */
struct change {
    bool is_split; /* else: quantise */
    uint32_t tensor;
};

bool change_is_possible(const struct graph *graph, const struct change *change);

/* A copy of the graph with the change, which has to be possible. The caller frees it. */
enum status change_apply(const struct graph *graph, const struct change *change,
                         struct graph **changed, struct error *error);

/* "quantise:TENSOR" or "split:TENSOR", as change_parse reads it. STATUS_USAGE where the text is no
   change of this graph. */
void change_write(const struct graph *graph, const struct change *change, struct text *text);
enum status change_parse(const struct graph *graph, const char *text, struct change *change,
                         struct error *error);

#endif
