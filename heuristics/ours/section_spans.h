#ifndef MEMPLAN_HEURISTICS_OURS_SECTION_SPANS_H
#define MEMPLAN_HEURISTICS_OURS_SECTION_SPANS_H

#include "planning/problem/problem.h"

/* The sections of a problem (planning/problem/sections.h) without lists of their members: a segment
   is in a run of sections one after the other. Where segments of a buffer meet, sections stay that
   are within their neighbours. */
struct section_run {
    uint32_t first, end; /* sections [first, end) */
};

struct section_spans {
    uint32_t sections;
    struct section_run *run; /* [segments] */
    uint32_t *starting;      /* [segments] by first section */
    uint32_t *buffer;        /* [segments] whose segment it is */
    uint32_t most_live;      /* members of the section that has most */
    uint64_t members, pairs; /* of all sections; of segments that overlap in time */
};

/* The caller frees it. O(segments log segments), 16 bytes for a segment, while it is made 28. */
enum status section_spans_create(const struct problem *problem, struct section_spans *spans,
                                 struct error *error);
void section_spans_free(struct section_spans *spans);

#endif
