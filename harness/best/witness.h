#ifndef MEMPLAN_HARNESS_BEST_WITNESS_H
#define MEMPLAN_HARNESS_BEST_WITNESS_H

#include "core/text.h"
#include "datasets/instance.h"
#include "datasets/memories/memory_file.h"

/* Files with plans that prove best known peaks (results/best/list.h): memplan-plan/1, compressed
   where the name ends in .gz. */

struct witness {
    const struct instance *instance;
    const char *path;
    struct text content;    /* of the file */
    char *policy, *planner; /* as the file says */
    struct text options;    /* the options that change the problem */
    uint64_t peak_bytes;    /* where the highest byte ends */
    uint64_t cost;          /* of a plan for several memories, in thousandths */
};

/* Reads the file at `path` and checks its plan for the instance by verify and, for a graph, by
   executing it. STATUS_NO and what is wrong where the plan is not good, splits buffers, or has
   another peak than the file says. The witness is to be freed also after an error. */
enum status witness_read(const struct instance *instance, const char *path, struct witness *witness,
                         struct error *error);
/* Does the same with a plan for a problem with several memories; it fills only the path, the
   content and the cost of the witness. */
enum status witness_read_memories(const struct memory_file *file, const char *path,
                                  struct witness *witness, struct error *error);
void witness_free(struct witness *witness);

#endif
