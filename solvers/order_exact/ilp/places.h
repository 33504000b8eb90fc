#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_ILP_PLACES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_ILP_PLACES_H

#include "solvers/order_exact/ilp/program.h"

/* Adds offsets to a program that says when tensors are live: one for each tensor, and one for what
   each operator takes beside its outputs. Column 0 is then the least peak over all orders and
   plans, which is at most most_bytes. Entries are O(tensors^2 * operators). */
enum status order_places_add(struct order_program *program, uint64_t most_bytes);

#endif
