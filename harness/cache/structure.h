#ifndef MEMPLAN_HARNESS_CACHE_STRUCTURE_H
#define MEMPLAN_HARNESS_CACHE_STRUCTURE_H

#include "core/text.h"
#include "datasets/instance.h"

/* Appends the parts of an instance on which a plan depends, as JSON ("memplan-structure/1",
   docs/formats.md): the nodes of a graph, or the buffers of a problem, in their order and without
   the names that they were given (Xu 2019, section 4.2.5). A tensor is called by its position, an
   operator by its type and how many of that type stand before it. A planner that does not look at
   names makes equal plans for equal texts. Of weights only their number at each operator is
   written. O(graph or problem). */
enum status structure_write(const struct instance *instance, struct text *text,
                            struct error *error);

#endif
