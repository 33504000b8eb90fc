#ifndef MEMPLAN_HARNESS_MEMORIES_MEMORY_PLANNERS_H
#define MEMPLAN_HARNESS_MEMORIES_MEMORY_PLANNERS_H

#include "core/known_names.h"
#include "planning/memories/memory_planner.h"

/* All planners of problems with several memories: heuristics, solvers, and `best`, which asks
   them. */
uint32_t memory_planner_count(void);
const struct memory_planner *memory_planner_at(uint32_t index);
const struct memory_planner *memory_planner_find(const char *name); /* NULL if there is none */
enum status memory_planner_refuse(const char *name, size_t length, struct error *error);

#endif
