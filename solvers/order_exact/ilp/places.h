#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_ILP_PLACES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_ILP_PLACES_H

#include "solvers/order_exact/ilp/program.h"

/* Adds an offset for each tensor, and for what each operator takes beside its outputs, to a program
   that says when they are live: column 0 is then the least peak over all orders and plans. No
   offset has to be above most_bytes. Entries are O(tensors^2 * operators). */
enum status order_places_add(struct order_program *program, uint64_t most_bytes);

#endif
