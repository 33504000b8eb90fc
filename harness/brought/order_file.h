#ifndef MEMPLAN_HARNESS_BROUGHT_ORDER_FILE_H
#define MEMPLAN_HARNESS_BROUGHT_ORDER_FILE_H

#include "core/names.h"
#include "core/text.h"
#include "planning/order/order.h"

/* Orders that are written in a file: the names of all operators, one a line. The operators of a
   region stand in the order in which they run; operators of other regions may stand between
   them. */

/* True if the text names such a file rather than an order: if it ends in .txt or has a slash. */
bool order_file_is(const char *name);

/* An order that reads the file, whose path is its name; the caller frees it with order_free. A file
   that cannot be read is STATUS_BAD_INPUT at once. When the order is asked for the operators of a
   region, STATUS_BAD_INPUT names the wrong line or the operator that is missing. Whether the order
   respects all edges is checked by the caller. */
enum status order_file_create(const char *path, struct order_row **created, struct error *error);

/* An order as text: the names of operators, one a line; blank lines are passed over. */
struct order_text {
    const char *file;       /* name of the file, for messages */
    const char *graph;      /* name of the graph, for messages */
    struct names known;     /* names that may stand in it, each once */
    const uint32_t *number; /* [names] the operator's number; ORDER_NONE: its name is passed over */
};

/* Fills permutation with the numbers in the order of their lines. STATUS_BAD_INPUT names the line,
   or an operator that is missing. Changes the text. */
enum status order_file_read(const struct order_text *order, struct text *text,
                            uint32_t *permutation, struct error *error);

#endif
