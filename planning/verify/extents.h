#ifndef MEMPLAN_PLANNING_VERIFY_EXTENTS_H
#define MEMPLAN_PLANNING_VERIFY_EXTENTS_H

#include "planning/plan/extents.h"
#include "planning/verify/verdict.h"

/* Checks the extents of one item: VERIFY_VALID, VERIFY_NO_OFFSET, VERIFY_OUT_OF_RANGE or
   VERIFY_WRONG_EXTENTS. O(its extents). */
enum verify_fault verify_extents(const struct extents *extents, uint32_t item, uint64_t offset,
                                 uint64_t bytes);

/* Finds an item that has two extents with bytes in common; *item is extents->items where none has.
   O(extents log extents). */
enum status verify_extents_apart(const struct extents *extents, uint32_t *item,
                                 struct error *error);

/* Whether some byte of the arena is in both walks. O(product of their extents). */
bool verify_share_bytes(struct extents_walk a, const struct extents_walk *b);

#endif
