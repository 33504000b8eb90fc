#ifndef MEMPLAN_HARNESS_CLUSTER_SCRIPT_H
#define MEMPLAN_HARNESS_CLUSTER_SCRIPT_H

#include "harness/cluster/submission.h"

/* What the scripts of a submission run, and the resources for which they ask Slurm. */
struct script_request {
    /* Memplan itself, and the folder in which the tasks run; both absolute. */
    const char *program, *work_folder;
    const char *const *word; /* [words] the arguments of bench */
    uint32_t words;
    const char *run;                       /* label of the run */
    uint64_t array_limit;                  /* tasks at a time; 0: no limit */
    uint64_t cpus;                         /* of each task */
    const char *partition, *time, *memory; /* as sbatch takes them; NULL: not asked for */
};

/* Writes the files of a new submission into its folder, which is absolute and is created, "shards"
   at last. STATUS_BAD_INPUT where the folder has a submission. */
enum status script_write_all(const struct submission *submission,
                             const struct script_request *request, struct error *error);

#endif
