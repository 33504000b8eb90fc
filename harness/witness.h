#ifndef MEMPLAN_HARNESS_WITNESS_H
#define MEMPLAN_HARNESS_WITNESS_H

#include "core/text.h"
#include "datasets/instance.h"

/* Files with plans that witness best known values (results/best/list.h): memplan-plan/1, compressed
   where the name ends in .gz. */

struct witness {
    const struct instance *instance;
    const char *path;
    struct text content;    /* of the file */
    char *policy, *planner; /* as it says */
    struct text options;    /* those that change the problem */
    uint64_t peak_bytes;    /* where the highest byte ends */
};

/* Reads the file at path and checks its plan for the instance by verify and, for a graph, by
   executing it. STATUS_NO and what is wrong where it is no good plan, splits buffers, or has
   another peak than it says. Free the witness also after a failure. */
enum status witness_read(const struct instance *instance, const char *path, struct witness *witness,
                         struct error *error);
void witness_free(struct witness *witness);

#endif
