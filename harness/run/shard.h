#ifndef MEMPLAN_HARNESS_RUN_SHARD_H
#define MEMPLAN_HARNESS_RUN_SHARD_H

#include "harness/job/job.h"

/* Keeps those jobs of job[*count] that belong to one shard of `shards`, in their order. shard is
   from 1 to `shards`; with 0 or 1 shards all jobs are kept. The jobs of each planner are dealt out
   to the shards in the order of their digests. So the numbers of a planner's jobs in two shards
   differ by at most one, and the result does not depend on how planners and instances are named.
   Each job is in exactly one shard. O(count). */
enum status shard_keep(uint32_t shard, uint32_t shards, struct job *job, uint32_t *count,
                       struct error *error);

#endif
