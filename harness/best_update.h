#ifndef MEMPLAN_HARNESS_BEST_UPDATE_H
#define MEMPLAN_HARNESS_BEST_UPDATE_H

#include "harness/witness.h"
#include "results/best/findings.h"

/* Taking what was found into a list of best known values. A peak is taken with its witness only,
   which is checked and then copied into the folder beside the list: that of its path without
   ".csv". A bound is taken as the built-in planner that proved it says. */

/* Loads the instance of a row, by its path; the caller frees it. */
typedef enum status best_update_load(void *context, const char *path, struct instance **instance,
                                     struct error *error);

struct best_update {
    const char *path; /* of the list, ends in ".csv" */
    struct best_list list;
    best_update_load *load;
    void *load_context;
    uint32_t peaks, bounds, refused; /* problems of each kind so far */
    struct text lines;               /* what was taken, and what was refused and why */
};

/* A witness above this is checked but not copied. */
enum { BEST_UPDATE_MOST_WITNESS_BYTES = 1 << 20 };

/* Reads the list at the path, or begins with none where it is missing. Close it in any case. */
enum status best_update_open(const char *path, struct best_update *update, struct error *error);
void best_update_close(struct best_update *update);

/* Takes what is better than the list or new to it. folder: of the plans that were kept
   (kept_plans.h). What contradicts the list, is of an unsafe policy, or has a wrong or no witness
   is refused, which is no error. */
enum status best_update_take(struct best_update *update, const struct best_found *given,
                             const char *folder, struct error *error);

/* The same with the plan of a file that anybody made; planner: who found it, NULL for whom the file
   names. STATUS_NO where it is refused. */
enum status best_update_take_file(struct best_update *update, const char *path,
                                  const struct instance *instance, const char *planner,
                                  struct error *error);

/* Replaces the list at its path. */
enum status best_update_write(const struct best_update *update, struct error *error);

#endif
