#ifndef MEMPLAN_PLANNING_PLAN_STORAGE_IDS_H
#define MEMPLAN_PLANNING_PLAN_STORAGE_IDS_H

#include <stdint.h>

#include "core/error.h"

/* The object (pool, block) of a pooled planner that each buffer of a plan, or tensor of a
   placement, is in: an array [items], which is created when the first number is set and freed with
   memory_free. NULL where the planner has no objects. Objects are numbered from 0 in the order in
   which they were made, as NNVM numbers its storage ids. */

#define STORAGE_IDS_NONE UINT32_MAX /* of an item that is in no object: a fixed buffer, say */

/* O(items) the first time, then O(1). */
enum status storage_ids_set(uint32_t **ids, uint32_t items, uint32_t item, uint32_t id,
                            struct error *error);
/* ids may be NULL. */
uint32_t storage_ids_get(const uint32_t *ids, uint32_t item);

#endif
