#include "harness/memories/memory_planners.h"

#include "core/rows.h"
#include "harness/memories/best.h"
#include "heuristics/memories/rows.h"
#include "solvers/memories/rows.h"

#define MEMORY_PLANNER_ROW(name) &memory_planner_##name,
static const struct memory_planner *const planners[] = {
    &memory_planner_best, MEMORY_SOLVERS(MEMORY_PLANNER_ROW) MEMORY_HEURISTICS(MEMORY_PLANNER_ROW)};

ROWS_DEFINE_POINTERS(memory_planner, struct memory_planner, planners);
ROWS_DEFINE_FIND(memory_planner, struct memory_planner);
ROWS_DEFINE_REFUSE(memory_planner, "planner of several memories", "memplan list memory-planners");
