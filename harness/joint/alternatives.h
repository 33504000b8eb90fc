#ifndef MEMPLAN_HARNESS_JOINT_ALTERNATIVES_H
#define MEMPLAN_HARNESS_JOINT_ALTERNATIVES_H

#include "harness/job/job.h"

/* How many bytes a graph would need if one thing about its job were different: the in-place rules,
   the policy or the order of its operators. */

struct alternative {
    char option[64]; /* that asks for it: "--inplace nnvm" */
    uint64_t peak_bytes;
    enum plan_status status;
};

struct alternatives {
    struct alternative *row; /* [count] those with a good plan, the least peak first */
    uint32_t count;
    size_t capacity;
};

/* Plans every safe policy and every set of in-place rules that is not the job's, and all orders
   (joint.h), without a capacity; all of it within the job's time limit. The instance is a graph in
   the order in which it is stored. The caller frees the rows, also after an error. */
enum status alternatives_find(const struct job *job, struct alternatives *found,
                              struct error *error);
void alternatives_clear(struct alternatives *found);

#endif
