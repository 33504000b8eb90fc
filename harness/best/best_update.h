#ifndef MEMPLAN_HARNESS_BEST_BEST_UPDATE_H
#define MEMPLAN_HARNESS_BEST_BEST_UPDATE_H

#include "datasets/memory_instance.h"
#include "harness/best/witness.h"
#include "results/best/findings.h"
#include "results/store/measures.h"

/* Takes what was found into a list of best known values. A peak is taken only with its witness,
   which is checked and then copied into the folder beside the list, whose name is the list's
   without ".csv". A bound is taken without a check if a built-in planner proved it. */

/* Loads the instance that a row names by its path; the caller frees it. */
typedef enum status best_update_load(void *context, const char *path, struct instance **instance,
                                     struct error *error);

struct best_update {
    const char *path; /* of the list; it ends in ".csv" */
    struct best_list list;
    best_update_load *load;
    void *load_context;
    /* Number of problems whose peak or cost was taken, whose bound was taken, whose optimum is
       proved better than before, and where something was refused. */
    uint32_t peaks, costs, bounds, proofs, refused;
    struct text lines; /* lines to print: what was taken, and what was refused and why */
};

/* A witness of more bytes than this is checked but not copied. */
enum { BEST_UPDATE_MOST_WITNESS_BYTES = 1 << 20 };

/* Reads the list at the path, or begins an empty one where the file is missing. It has to be closed
   even after an error. */
enum status best_update_open(const char *path, struct best_update *update, struct error *error);
void best_update_close(struct best_update *update);

/* Takes what is better than the list or new to it; `folder` is that of the kept plans
   (kept_plans.h). A value that contradicts the list, belongs to an unsafe policy, or has no witness
   or a wrong one is refused; that is no error. */
enum status best_update_take(struct best_update *update, const struct best_found *given,
                             const char *folder, struct error *error);

/* Does the same for a problem with several memories, by what the measures of the topic "memories"
   say of it. */
enum status best_update_take_costs(struct best_update *update, const struct measure_set *set,
                                   const struct memory_instance *instance, const char *folder,
                                   struct error *error);

/* Does the same with a plan from any file. `planner` is the name of what found it; NULL for the
   planner that the file names. STATUS_NO where the plan is refused. */
enum status best_update_take_file(struct best_update *update, const char *path,
                                  const struct instance *instance, const char *planner,
                                  struct error *error);

/* Does the same with a plan for several memories; the planner is not NULL. */
enum status best_update_take_cost_file(struct best_update *update, const char *path,
                                       const struct memory_instance *instance, const char *planner,
                                       struct error *error);

/* Replaces the list at its path. */
enum status best_update_write(const struct best_update *update, struct error *error);

#endif
