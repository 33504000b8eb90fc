#ifndef MEMPLAN_HEURISTICS_FRAMEWORK_SOMAS_BUCKETS_H
#define MEMPLAN_HEURISTICS_FRAMEWORK_SOMAS_BUCKETS_H

#include "planning/arena/occupancy.h"

enum somas_gap { SOMAS_BEST, SOMAS_LOWEST, SOMAS_HIGHEST, SOMAS_LARGEST, SOMAS_GAPS };

struct somas_buckets;

enum status somas_buckets_create(const struct problem *problem, struct somas_buckets **buckets,
                                 struct error *error);
void somas_buckets_free(struct somas_buckets *buckets); /* NULL is fine */

/* "Shared objects" in the order of sorted[problem->buffers]; the gap is for the first bucket. */
enum status somas_buckets_place(struct somas_buckets *buckets, struct occupancy *occupancy,
                                const uint32_t *sorted, enum somas_gap gap, uint64_t *offset,
                                uint64_t *peak_bytes, struct error *error);

#endif
