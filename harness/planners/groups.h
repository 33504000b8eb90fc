#ifndef MEMPLAN_HARNESS_PLANNERS_GROUPS_H
#define MEMPLAN_HARNESS_PLANNERS_GROUPS_H

#include "harness/planners/registry.h"

/* Words that stand for several planners: the name of a family, "ours" for those whose source says
   so, "published" for all other built-in ones. What users brought along is in its family only. */

/* Whether the first length bytes of word are such a word for that planner. */
bool groups_has(const char *word, size_t length, const struct planner *planner);

#endif
