#ifndef MEMPLAN_HEURISTICS_FRAMEWORK_SOMAS_BUCKETS_H
#define MEMPLAN_HEURISTICS_FRAMEWORK_SOMAS_BUCKETS_H

#include "core/scratch.h"
#include "planning/arena/occupancy.h"

enum somas_gap { SOMAS_BEST, SOMAS_LOWEST, SOMAS_HIGHEST, SOMAS_LARGEST, SOMAS_GAPS };

/* The order of the buffers, and which gap of the first bucket a buffer gets; in all later buckets
   it gets the best-fitting one. */
struct somas_rule {
    const uint32_t *sorted; /* [problem->buffers] */
    enum somas_gap gap;
};

/* Bucket i is the bytes [begin[i], end[i]); later buckets lie higher. */
struct somas_buckets {
    const struct problem *problem;
    struct occupancy *occupancy;
    uint64_t *begin, *end; /* [problem->buffers] */
    uint32_t count;
    uint64_t top; /* where the highest bucket ends */
};

/* The problem and the occupancy must outlive the buckets. */
enum status somas_buckets_create(const struct problem *problem, struct occupancy *occupancy,
                                 struct somas_buckets *buckets, struct scratch *scratch,
                                 struct error *error);

/* Places all buffers in buckets, which the source calls "shared objects"; the occupancy is emptied
   first. Fills offset[problem->buffers]. */
enum status somas_buckets_place(struct somas_buckets *buckets, const struct somas_rule *rule,
                                uint64_t *offset, uint64_t *peak_bytes, struct error *error);

#endif
