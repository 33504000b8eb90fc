#ifndef MEMPLAN_HARNESS_CLUSTER_SCRIPT_H
#define MEMPLAN_HARNESS_CLUSTER_SCRIPT_H

#include "harness/cluster/submission.h"

/* What the scripts of a submission run, and what they ask Slurm for. */
struct script_request {
    const char *program, *work_folder; /* memplan, and where the tasks run; absolute */
    const char *const *word;           /* [words] arguments of bench */
    uint32_t words;
    const char *run;                       /* label */
    uint64_t array_limit;                  /* tasks at a time; 0: no limit */
    uint64_t cpus;                         /* of a task */
    const char *partition, *time, *memory; /* as sbatch takes them; NULL: not asked for */
};

/* Writes the files of a new submission into its folder, which is absolute and is created, "shards"
   at last. STATUS_BAD_INPUT where the folder has a submission. */
enum status script_write_all(const struct submission *submission,
                             const struct script_request *request, struct error *error);

#endif
