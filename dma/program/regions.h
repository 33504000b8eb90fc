#ifndef MEMPLAN_DMA_PROGRAM_REGIONS_H
#define MEMPLAN_DMA_PROGRAM_REGIONS_H

#include "planning/graph/graph.h"

/* Transfer regions: runs of operators in which the weights of one operator are loaded while the
   operator before it computes. Wang et al. (J. NUDT 47(6), 2025, section 1.3) cut a graph at its
   control-flow operators: from the start to the first of them, each of its branches (cut again
   inside), between two of them, and from the last to the end. In each such region the weighted
   operators, those that read weights, take turns between two global buffers: the first uses alloc0,
   the second alloc1 and so on. Each of the two is as large as the largest weights it must ever
   hold.

       conv dense | if { then: conv } | conv conv      regions: {conv dense} {conv} {conv conv}
       0    1            0              0    1

   So a transfer region is a run of operators without a branch. The control-flow operator that ends
   it reads its condition there and is its last operator, unless it has weights of its own: then it
   is a region by itself. A region of the graph that holds n control-flow operators directly is cut
   into at least n + 1 transfer regions, some of them empty. */
struct transfer_region {
    uint32_t begin, end;   /* operators */
    uint32_t owner;        /* control-flow operator whose branches follow, or GRAPH_NONE */
    uint32_t next;         /* transfer region that follows, after those branches, or GRAPH_NONE;
                              without an owner it begins with a control-flow operator that has
                              weights */
    uint32_t graph_region; /* region of the graph that holds this one */
    struct span weighted;  /* its weighted operators, in weighted_op below */
};

struct transfer_regions {
    const struct graph *graph;
    uint32_t count;
    struct transfer_region *region; /* [count] in execution order */
    uint32_t *first_of, *last_of;   /* [graph->regions] first and last transfer region in it */
    uint32_t *before;          /* [graph->regions] the transfer region that ends with the owner;
                                  undefined for region 0, which has none */
    double *probability;       /* [graph->regions] that it is taken when its owner runs; what the
                                  graph leaves open is shared equally; 1 in a loop */
    uint32_t weighted_regions; /* transfer regions that hold at least one weighted operator */
    uint32_t weighted_count;
    uint32_t *weighted_op;   /* [weighted_count] weighted operators in execution order */
    uint64_t *weight_bytes;  /* [graph->operators] 0 where it has none */
    uint64_t alloc_bytes[2]; /* of alloc0 and alloc1 */
    uint64_t total_bytes;    /* weights of the whole graph */
    size_t region_capacity;
};

/* The graph has to outlive them. Fails with STATUS_BAD_INPUT where weights add up to more than 2^64
   bytes. O(size of the graph). */
enum status transfer_regions_create(const struct graph *graph, struct transfer_regions **regions,
                                    struct error *error);
void transfer_regions_free(struct transfer_regions *regions); /* NULL is fine */
SCOPED_POINTER(struct transfer_regions, transfer_regions_release, transfer_regions_free);

/* The n-th weighted operator of a transfer region, n below its weighted.count. */
uint32_t transfer_regions_weighted(const struct transfer_regions *regions, uint32_t region,
                                   uint32_t n);

/* In how many regions of the graph a transfer region is nested; 0 outside of all branches. */
uint32_t transfer_regions_depth(const struct transfer_regions *regions, uint32_t region);

#endif
