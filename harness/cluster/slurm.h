#ifndef MEMPLAN_HARNESS_CLUSTER_SLURM_H
#define MEMPLAN_HARNESS_CLUSTER_SLURM_H

#include "harness/cluster/submission.h"

/* What Slurm's programs are asked: sbatch and squeue, found in PATH. STATUS_LIMIT where one is
   missing or refuses, with what it says. */

struct slurm_jobs {
    uint64_t array, merge; /* job numbers */
};

/* Submits the tasks of the shards that are wanted[shards] (of shard 1 first), at most array_limit
   at a time (0: no limit but array.sh's), and the merge to follow all of them, however they
   end. At least one is wanted. */
enum status slurm_submit(const struct submission *submission, const bool *wanted,
                         uint64_t array_limit, struct slurm_jobs *jobs, struct error *error);

/* busy[shards] becomes whether a task of the shard waits or runs. Without a job submitted squeue is
   not asked. */
enum status slurm_find_busy(const struct submission *submission, bool *busy, struct error *error);

#endif
