#ifndef MEMPLAN_HEURISTICS_OURS_SECTION_SPANS_H
#define MEMPLAN_HEURISTICS_OURS_SECTION_SPANS_H

#include "core/scratch.h"
#include "planning/problem/problem.h"

/* The sections of a problem (planning/problem/sections.h) without lists of their members: each
   segment is live in a run of consecutive sections. Where segments of one buffer meet, some
   sections stay here that are subsets of their neighbours. */
struct section_run {
    uint32_t first, end; /* the sections [first, end) in which a segment is live */
};

struct section_spans {
    uint32_t sections;
    struct section_run *run; /* [segments] */
    uint32_t *starting;      /* [segments] ordered by the first section of their run */
    uint32_t *buffer;        /* [segments] the buffer to which each belongs */
    uint32_t most_live;      /* number of members of the largest section */
    /* Number of members of all sections; number of pairs of segments that overlap in time. */
    uint64_t members, pairs;
};

/* All is in the scratch. O(segments log segments); 16 bytes for a segment, 36 while it is being
   made. */
enum status section_spans_create(const struct problem *problem, struct section_spans *spans,
                                 struct scratch *scratch, struct error *error);

#endif
