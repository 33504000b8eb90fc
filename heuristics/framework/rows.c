#include "heuristics/common/family.h"
#include "heuristics/framework/melon.h"
#include "heuristics/framework/mnn.h"
#include "heuristics/framework/somas.h"

static const struct planner rows[] = {
    {.name = "melon",
     .family = "framework",
     .title = "longest life first, smallest gap between merged ranges",
     .source = "Wang et al., Melon, MobiSys 2022, ExecutionPlanGenerator.cpp",
     .flags = PLANNER_NO_WINDOWS,
     .options = melon_options,
     .plan = melon_plan},
    {.name = "mnn",
     .family = "framework",
     .title = "as an allocator, smallest free node, split and joined again",
     .source = "MNN source/core/BufferAllocator.cpp, 2018 to 2022",
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES,
     .options = mnn_options,
     .plan = mnn_plan},
    {.name = "somas",
     .family = "framework",
     .title =
         "best of shared buckets and one object, smallest gap and lowest offset, largest first",
     .source = "MindSpore somas_solver_core.cc and somas_solver_alg.cc",
     .flags = PLANNER_NO_WINDOWS,
     .options = somas_options,
     .plan = somas_plan},
};

HEURISTICS_FAMILY_DEFINE(framework, rows);
