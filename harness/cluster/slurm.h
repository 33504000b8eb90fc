#ifndef MEMPLAN_HARNESS_CLUSTER_SLURM_H
#define MEMPLAN_HARNESS_CLUSTER_SLURM_H

#include "harness/cluster/submission.h"

/* Calls Slurm's programs sbatch and squeue, found in PATH. STATUS_LIMIT with what the program says,
   where one is missing or refuses. */

struct slurm_jobs {
    uint64_t array, merge; /* job numbers */
};

/* Submits the tasks of the shards that are wanted; wanted[0] stands for shard 1. At most
   array_limit of them run at a time (0: no limit beside that of array.sh). The merge is submitted
   to follow when all of them have ended, in whatever way. At least one shard is wanted. */
enum status slurm_submit(const struct submission *submission, const bool *wanted,
                         uint64_t array_limit, struct slurm_jobs *jobs, struct error *error);

/* Sets busy[shards] to whether a task of the shard waits or runs. squeue is not called where no job
   was submitted. */
enum status slurm_find_busy(const struct submission *submission, bool *busy, struct error *error);

#endif
