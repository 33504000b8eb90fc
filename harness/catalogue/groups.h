#ifndef MEMPLAN_HARNESS_CATALOGUE_GROUPS_H
#define MEMPLAN_HARNESS_CATALOGUE_GROUPS_H

#include "harness/catalogue/registry.h"

/* Words that stand for several planners: the name of a family; "ours" for planners whose source
   says so; "published" for all other built-in ones. Planners that a user brought along are only in
   their family. */

/* Whether the first `length` bytes of `word` are such a word and the planner is one of its
   planners. */
bool groups_has(const char *word, size_t length, const struct planner *planner);

#endif
