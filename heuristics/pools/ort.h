#ifndef MEMPLAN_HEURISTICS_POOLS_ORT_H
#define MEMPLAN_HEURISTICS_POOLS_ORT_H

#include "heuristics/pools/common/pools.h"

/* Gives each buffer an object as ONNX Runtime's AllocationPlanner does; `pools` has been created.
   Without reuse every buffer that is not fixed gets an object of its own. */
enum status ort_share(const struct planner_task *task, bool reuse, struct pools *pools,
                      struct error *error);

#endif
