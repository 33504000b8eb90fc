#ifndef MEMPLAN_HARNESS_JOINT_JOINT_H
#define MEMPLAN_HARNESS_JOINT_JOINT_H

#include "harness/job/job.h"

/* Finds an order and a plan of it together. First the job's planner plans an order of the least
   load. Then quick planners place every order that there is; moves of single operators improve the
   best of these by the peak that a quick planner reaches; and the job's planner plans the most
   promising ones. All of it ends as soon as a peak equals the least load that any order can have,
   which proves that no order and no plan of one has a lower peak. */

struct joint {
    struct ordered ordered; /* the graph in the order of the best plan, which is of this instance */
    char order[64];         /* name of that order; "moves": moves of single operators found it */
    struct job job;         /* the job of the best plan; ordered.instance is borrowed */
    struct outcome outcome;
    uint64_t bound_bytes;   /* no order has a lower load; 0 where nothing is proved */
    uint32_t orders, moves; /* how many orders and moves were placed */
};

/* The job's instance is the graph as it is stored; its time limit is for all steps together.
   STATUS_USAGE for an instance without a graph. An order that fails is only left out. STATUS_NO
   where an order or the plan contradicts what an order proves. */
enum status joint_plan(const struct job *job, struct joint *joint, struct error *error);
void joint_clear(struct joint *joint);

#endif
