#ifndef MEMPLAN_HARNESS_JOINT_QUICK_H
#define MEMPLAN_HARNESS_JOINT_QUICK_H

#include "harness/job/job.h"

/* The least peak that some quick planners reach on an instance, under the policy and the in-place
   rules of the job; UINT64_MAX where none of them finds a plan. */
enum status quick_peak(const struct job *job, const struct instance *instance, uint64_t *peak_bytes,
                       struct error *error);

#endif
