#ifndef MEMPLAN_DATASETS_ZOO_TABLE_H
#define MEMPLAN_DATASETS_ZOO_TABLE_H

#include "datasets/zoo/zoo.h"

/* All networks of the zoo, family after family in the order of zoo_families.def. */
uint32_t zoo_count(void);
const struct zoo_network *zoo_at(uint32_t index); /* index < zoo_count() */

#endif
