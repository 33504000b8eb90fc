#ifndef MEMPLAN_HARNESS_JOINT_JOINT_H
#define MEMPLAN_HARNESS_JOINT_JOINT_H

#include "harness/job/job.h"

/* Order and placement together. The job's planner plans an order of the least load first. Then
   every order there is is placed by quick planners; moves of single operators improve the best of
   them by the peak that a quick planner reaches; the job's planner plans the most promising ones.
   All of it ends as soon as a peak equals the least load that any order can have, which proves that
   no order and no plan of one has a lower peak. */

struct joint {
    struct ordered ordered; /* the order of the best plan, whose instance the plan is of */
    char order[64];         /* which order that is; "moves" after the moves of single operators */
    struct job job;         /* the best one: on ordered.instance, borrowed */
    struct outcome outcome;
    uint64_t bound_bytes;   /* no order has a lower load; 0 where nothing is proved */
    uint32_t orders, moves; /* that were placed */
};

/* job: on the graph as it is stored; its time limit is that of all together. STATUS_USAGE for a
   problem. What an order does wrong only costs that order. */
enum status joint_plan(const struct job *job, struct joint *joint, struct error *error);
void joint_clear(struct joint *joint);

#endif
