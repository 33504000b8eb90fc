#include "heuristics/common/family.h"
#include "heuristics/idealloc/idealloc.h"

static const struct planner rows[] = {
    {.name = "idealloc",
     .family = "idealloc",
     .title = "buffers boxed into ever larger boxes, then lowest offset in the boxes' order",
     .source = "Lamprakos et al., arXiv 2504.04874; Buchsbaum et al., SIAM J. Comput. 33(3), 2004",
     .flags = PLANNER_NO_WINDOWS | PLANNER_RANDOMISED | PLANNER_SEARCHES,
     .options = idealloc_options,
     .plan = idealloc_plan},
};

HEURISTICS_FAMILY_DEFINE(idealloc, rows);
