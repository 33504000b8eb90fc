#ifndef MEMPLAN_HARNESS_BEST_KEPT_PLANS_H
#define MEMPLAN_HARNESS_BEST_KEPT_PLANS_H

#include "core/names.h"
#include "datasets/memory_instance.h"
#include "harness/job/job.h"
#include "results/best/list.h"

/* Keeps plans while many are made: for each problem the best one, if it is better than the best
   known or nothing is known. Each plan is a file in a folder. */

struct kept_plans {
    char *folder; /* owned */
    const struct best_list *known;
    struct names problem; /* problems of which a plan is kept, by the names of the files */
    uint64_t *peak_bytes; /* [problem.count] peak of each kept plan */
    size_t capacity;
};

/* Makes the folder if it is missing. The kept plans have to be closed even after an error. */
enum status kept_plans_open(const char *folder, const struct best_list *known,
                            struct kept_plans *kept, struct error *error);
void kept_plans_close(struct kept_plans *kept);

/* Writes the plan to a file if it is good, its policy is safe, it splits no buffer, and it is
   better than what is known and than what was kept before, also by an earlier run into the same
   folder. */
enum status kept_plans_offer(struct kept_plans *kept, const struct job *job,
                             const struct outcome *outcome, struct error *error);

/* Does the same with a plan for a problem with several memories, if it is cheaper. */
enum status kept_plans_offer_cost(const struct kept_plans *kept,
                                  const struct memory_instance *instance,
                                  const struct memory_plan *plan, struct error *error);

/* Appends the file name for a problem. NULL for the options means the same as "". */
void kept_plans_append_name(struct text *text, const char *digest, const char *policy,
                            const char *options);

/* Appends the folder that belongs to a database: its path with ".plans" appended. */
void kept_plans_append_folder(struct text *text, const char *database);

#endif
