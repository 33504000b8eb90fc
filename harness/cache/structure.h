#ifndef MEMPLAN_HARNESS_CACHE_STRUCTURE_H
#define MEMPLAN_HARNESS_CACHE_STRUCTURE_H

#include "core/text.h"
#include "datasets/instance.h"

/* Appends what a plan depends on of an instance, as JSON ("memplan-structure/1", docs/formats.md):
   the nodes of a graph, or the buffers of a problem, in their order and without the names that they
   were given (Xu 2019, section 4.2.5). A tensor is called by its position, an operator by its type
   and how many of that type stand before it. Equal texts have equal plans by a planner that does
   not look at names. Of weights there is only how many an operator reads. O(graph or problem). */
enum status structure_write(const struct instance *instance, struct text *text,
                            struct error *error);

#endif
