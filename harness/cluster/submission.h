#ifndef MEMPLAN_HARNESS_CLUSTER_SUBMISSION_H
#define MEMPLAN_HARNESS_CLUSTER_SUBMISSION_H

#include "core/text.h"

/* A bench run that is divided among the tasks of a Slurm job array. Its folder holds

       shards         their number, from which all that follows has its name
       array.sh       runs one shard, the task's, and goes on where that was stopped
       merge.sh       joins the shards' databases to merged.db
       shard-K.db     what the task K has measured, K from 1
       jobs           the array jobs that were submitted, a number a line
       logs/          what tasks and merges print */
struct submission {
    const char *folder; /* borrowed */
    uint32_t shards;
};

/* Opens the submission in a folder; STATUS_BAD_INPUT where there is none. */
enum status submission_open(const char *folder, struct submission *submission, struct error *error);

enum shard_state { SHARD_MISSING, SHARD_INCOMPLETE, SHARD_COMPLETE };

struct shard_status {
    enum shard_state state; /* complete: the shard's last run went to its end */
    uint64_t rows, failed;
};

enum status submission_look(const struct submission *submission, uint32_t shard,
                            struct shard_status *status, struct error *error);

/* Append the path of a file in the folder, and the path of a shard's database. */
enum status submission_append_path(const struct submission *submission, const char *name,
                                   struct text *path, struct error *error);
enum status submission_append_database(const struct submission *submission, uint32_t shard,
                                       struct text *path, struct error *error);

#endif
