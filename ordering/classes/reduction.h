#ifndef MEMPLAN_ORDERING_CLASSES_REDUCTION_H
#define MEMPLAN_ORDERING_CLASSES_REDUCTION_H

#include "ordering/classes/strings.h"

/* Joins operators, and with them their strings, for as long as two nodes have the same predecessors
   and successors, or are each other's only ones: a graph that becomes one node is series-parallel
   (Valdes, Tarjan and Lawler 1982). An edge beside a node that has no other neighbours than the two
   that it joins is implied and goes; of at most 4096 operators every edge that others imply does.

   *root is the node that is left, whose string has all operators; ORDER_NONE where there are
   several. O((operators + edges) log operators) expected, 45 bytes for each operator and 20 for
   each edge. */
enum status reduction_run(struct strings *strings, uint32_t *root, struct scratch *scratch,
                          struct error *error);

#endif
