#ifndef MEMPLAN_HARNESS_KEPT_PLANS_H
#define MEMPLAN_HARNESS_KEPT_PLANS_H

#include "core/names.h"
#include "harness/job/job.h"
#include "results/best/list.h"

/* Plans that are kept while many are made: of each problem the best one, where it is better than
   the best known or nothing is known. Each is a file of a folder. */

struct kept_plans {
    char *folder; /* owned */
    const struct best_list *known;
    struct names problem; /* those a plan is kept of, by file name */
    uint64_t *peak_bytes; /* [problem.count] */
    size_t capacity;
};

/* Makes the folder if it is missing. Free the kept plans also after a failure. */
enum status kept_plans_open(const char *folder, const struct best_list *known,
                            struct kept_plans *kept, struct error *error);
void kept_plans_close(struct kept_plans *kept);

/* Writes the plan if it is good, of a safe policy, splits no buffer and is better than what is
   known and kept, also by an earlier run into the same folder. */
enum status kept_plans_offer(struct kept_plans *kept, const struct job *job,
                             const struct outcome *outcome, struct error *error);

/* Appends the name of a problem's file: no options is as good as "". */
void kept_plans_append_name(struct text *text, const char *digest, const char *policy,
                            const char *options);

/* Appends the folder that goes with a database: its path with ".plans" behind. */
void kept_plans_append_folder(struct text *text, const char *database);

#endif
