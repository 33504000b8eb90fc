#ifndef MEMPLAN_DATASETS_ASSEMBLY_WAITS_H
#define MEMPLAN_DATASETS_ASSEMBLY_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Nodes that wait for each other, to be put in an order in which each comes behind what it waits
   for. */
struct waits {
    uint32_t nodes, edges;
    uint32_t *first, *missing; /* [nodes] what waits for it, as 1 + index; how many it waits for */
    uint32_t *waiting, *next;  /* [edges] the node, and the next of its list, 0 at the end */
    size_t waiting_capacity, next_capacity;
};

enum status waits_create(struct waits *waits, uint32_t nodes, struct error *error);
void waits_free(struct waits *waits);

/* A node waits for itself never; edges may be repeated. O(1) amortised. */
enum status waits_add(struct waits *waits, uint32_t earlier, uint32_t later, struct error *error);

/* Fills sorted[nodes], the least number first where several may come next; *done is less than the
   nodes where some wait for each other. Called once. O((nodes + edges) log nodes). */
enum status waits_sort(struct waits *waits, uint32_t *sorted, uint32_t *done, struct error *error);

#endif
