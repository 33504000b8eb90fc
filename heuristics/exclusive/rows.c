#include "heuristics/common/family.h"
#include "heuristics/exclusive/exclusive.h"

#define DOCUMENT "Chinese patent document on memory management of computation graphs, 2022, "

static const struct planner rows[] = {
    {.name = "exclusive",
     .family = "exclusive",
     .title = "largest first, over the free bytes of operators that do not exclude it",
     .source = DOCUMENT "paragraphs 57 to 97, with lifetimes",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SPLITS,
     .plan = exclusive_plan},
    {.name = "exclusive_published",
     .family = "exclusive",
     .title = "the same by the document's three kinds of exclusion alone",
     .source = DOCUMENT "paragraphs 57 to 97",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SPLITS | PLANNER_UNSAFE,
     .plan = exclusive_published_plan},
};

HEURISTICS_FAMILY_DEFINE(exclusive, rows);
