#ifndef MEMPLAN_HEURISTICS_POOLS_ORT_H
#define MEMPLAN_HEURISTICS_POOLS_ORT_H

#include "heuristics/pools/common/pools.h"

/* Gives the buffers objects as ONNX Runtime's AllocationPlanner does; pools was created. Without
   reuse every free buffer is one. */
enum status ort_share(const struct planner_task *task, bool reuse, struct pools *pools,
                      struct error *error);

#endif
