#ifndef MEMPLAN_DMA_PROGRAM_REGIONS_H
#define MEMPLAN_DMA_PROGRAM_REGIONS_H

#include "planning/graph/graph.h"

/* Where weights travel to. Wang et al. (J. NUDT 47(6), 2025, section 1.3) cut a graph at its
   control-flow operators: from the start to the first of them, each of its branches (cut again
   inside), between two of them, and from the last to the end. In each such region the operators
   that have weights take turns between two global buffers, the first alloc0, the second alloc1 and
   so on, each buffer as large as the largest weights it must ever hold.

       conv dense | if { then: conv } | conv conv      regions: {conv dense} {conv} {conv conv}
       0    1            0              0    1

   A region is a run of operators without a branch. The control-flow operator that ends it reads
   its condition there and so is its last, unless it has weights of its own: then it is a region by
   itself. What a graph's region holds directly, n control-flow operators, is cut into at least
   n + 1 regions, some of them empty. */
struct transfer_region {
    uint32_t begin, end;   /* operators */
    uint32_t owner;        /* control-flow operator whose branches follow, or GRAPH_NONE */
    uint32_t next;         /* region that follows (after those branches), or GRAPH_NONE; without
                              an owner it is one that has weights */
    uint32_t graph_region; /* that holds it */
    struct span bearers;
};

struct transfer_regions {
    const struct graph *graph;
    uint32_t count;
    struct transfer_region *region; /* [count] in execution order */
    uint32_t *first_of;             /* [graph->regions] */
    uint32_t *before;               /* [graph->regions] whose owner holds it; none for the first */
    double *probability;    /* [graph->regions] of being taken when its owner runs; where not given,
                               what is left over in equal shares; 1 in a loop */
    uint32_t bearing;       /* regions that hold at least one operator with weights */
    uint32_t bearers;       /* operators with weights */
    uint32_t *bearer;       /* [bearers] in execution order */
    uint64_t *weight_bytes; /* [graph->operators] 0 where it has none */
    uint64_t alloc_bytes[2]; /* alloc0 and alloc1 */
    uint64_t total_bytes;    /* weights of the whole graph */
    size_t region_capacity;
};

/* The graph has to outlive them. Fails with STATUS_BAD_INPUT where weights add up to more than 2^64
   bytes. O(size of the graph). */
enum status transfer_regions_create(const struct graph *graph, struct transfer_regions **regions,
                                    struct error *error);
void transfer_regions_free(struct transfer_regions *regions); /* NULL is fine */

#endif
