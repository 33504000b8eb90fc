#ifndef MEMPLAN_HARNESS_CLUSTER_SCRIPT_H
#define MEMPLAN_HARNESS_CLUSTER_SCRIPT_H

#include "harness/cluster/submission.h"

/* What the scripts of a submission run, and the resources for which they ask Slurm. */
struct script_request {
    /* Memplan itself, and the folder in which the tasks run; both absolute. */
    const char *program, *work_folder;
    const char *const *word; /* [words] the arguments of bench */
    uint32_t words;
    const char *run;    /* label of the run */
    const char *sbatch; /* options that script_check_options accepts; NULL for none */
};

/* Checks a list NAME=VALUE,.. of options of sbatch, which are written into the scripts unchanged; a
   value may have commas. array-limit=N among them says how many tasks run at a time, 0 without it.
   STATUS_USAGE with what is wrong. */
enum status script_check_options(const char *list, uint64_t *array_limit, struct error *error);

/* Writes the files of a new submission into its folder, which is absolute and is created, "shards"
   at last. STATUS_BAD_INPUT where the folder has a submission. */
enum status script_write_all(const struct submission *submission,
                             const struct script_request *request, struct error *error);

#endif
