#ifndef MEMPLAN_ORDERING_CLASSES_REDUCTION_H
#define MEMPLAN_ORDERING_CLASSES_REDUCTION_H

#include "ordering/classes/strings.h"

/* Joins operators, and with them their strings, as long as there are two nodes that have the same
   predecessors and successors, or of which each has no other neighbour on the side of the other
   one: a graph that becomes one node is series-parallel (Valdes, Tarjan and Lawler 1982). An edge
   between the only two neighbours of a node is implied by the way through the node, and is removed;
   of graphs of at most 4096 operators every edge that others imply is.

   *root is the node that is left, whose string has all operators; ORDER_NONE where there are
   several. O((operators + edges) log operators) expected, 45 bytes for each operator and 20 for
   each edge. */
enum status reduction_run(struct strings *strings, uint32_t *root, struct scratch *scratch,
                          struct error *error);

#endif
