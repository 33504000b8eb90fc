#ifndef MEMPLAN_ORDERING_CLASSES_REDUCTION_H
#define MEMPLAN_ORDERING_CLASSES_REDUCTION_H

#include "ordering/classes/strings.h"

/* Joins nodes, at first the operators, and with them their strings, as long as there are two nodes
   that have the same predecessors and successors, or of which the second is the only successor of
   the first and the first the only predecessor of the second. A graph that becomes one node is
   series-parallel (Valdes, Tarjan and Lawler 1982). An edge that is implied by other edges is
   removed: in graphs of at most 4096 operators all of them, in others those between the only two
   neighbours of a node.

   *root is the node that is left, whose string has all operators; ORDER_NONE where there are
   several. O((operators + edges) log operators) expected, 45 bytes for each operator and 20 for
   each edge. */
enum status reduction_run(struct strings *strings, uint32_t *root, struct scratch *scratch,
                          struct error *error);

#endif
