#ifndef MEMPLAN_HARNESS_SHARD_H
#define MEMPLAN_HARNESS_SHARD_H

#include "harness/job/job.h"

/* Keeps of job[*count] those of one shard of `shards`, in their order; shard is from 1 to shards,
   and 0 or 1 shards are all jobs. The jobs of each planner are dealt out in the order of their
   digests, so that every shard has as many of them, but for one, whatever they cost, and the same
   ones however planners and instances were named. All shards together are all jobs, each once.
   O(count). */
enum status shard_keep(uint32_t shard, uint32_t shards, struct job *job, uint32_t *count,
                       struct error *error);

#endif
