#ifndef MEMPLAN_DMA_TRANSFER_REGIONS_H
#define MEMPLAN_DMA_TRANSFER_REGIONS_H

#include "planning/graph.h"

/* Where weights travel to. Wang et al. (J. NUDT 47(6), 2025, section 1.3) cut a graph at its
   control-flow operators: from the start to the first of them, each of its branches (cut again
   inside), between two of them, and from the last to the end. In each such region the operators
   that have weights take turns between two global buffers, the first alloc0, the second alloc1 and
   so on, each buffer as large as the largest weights it must ever hold.

       conv dense | if { then: conv } | conv conv      regions: {conv dense} {conv} {conv conv}
       0    1            0              0    1 */
struct transfer_regions {
    uint32_t count;          /* regions that hold at least one operator with weights */
    uint32_t *first;         /* [count + 1] into bearer */
    uint32_t *bearer;        /* [first[count]] operators with weights, in execution order */
    uint64_t *bearer_bytes;  /* [first[count]] weights of that operator */
    uint64_t alloc_bytes[2]; /* alloc0 and alloc1 */
    uint64_t weight_bytes;   /* of the whole graph */
};

/* Fails with STATUS_BAD_INPUT where weights add up to more than 2^64 bytes. O(size of the graph).
 */
enum status transfer_regions_create(const struct graph *graph, struct transfer_regions **regions,
                                    struct error *error);
void transfer_regions_free(struct transfer_regions *regions); /* NULL is fine */

#endif
