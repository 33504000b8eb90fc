#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_TEXT_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_TEXT_H

#include "core/names.h"
#include "core/text.h"

/* An order as text: the names of operators, one a line; blank lines are passed over. */
struct order_text {
    const char *file;       /* name of the file, for messages */
    const char *graph;      /* name of the graph, for messages */
    struct names known;     /* names that may stand there, each once */
    const uint32_t *number; /* [names] the operator's number; ORDER_NONE: its name is passed over */
};

/* Fills permutation with the numbers in the order of their lines. STATUS_BAD_INPUT names the line,
   or an operator that is missing. Changes the text. */
enum status order_text_read(const struct order_text *order, struct text *text,
                            uint32_t *permutation, struct error *error);

#endif
