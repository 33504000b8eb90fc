#ifndef MEMPLAN_HARNESS_ADVICE_ADVICE_H
#define MEMPLAN_HARNESS_ADVICE_ADVICE_H

#include "harness/job/job.h"

/* Which single change lowers the peak of a job most: another planner, other in-place rules, another
   policy or order (harness/joint/alternatives.h), or a change of the graph itself
   (harness/advice/change.h), of the tensors that are live where the load is greatest. */

struct advice_row {
    char *option; /* that asks for it: "--inplace nnvm", "--apply quantise:conv1" */
    uint64_t peak_bytes;
    enum plan_status status;
};

struct advice {
    struct outcome base;    /* of the job as it is */
    struct advice_row *row; /* [count] that have a lower peak than the base, the lowest first */
    uint32_t count;
    size_t capacity;
};

/* Plans the job and every change, each verified and, for a graph, executed, within the job's time
   limit, of which the base, the planner, the alternatives and the changes of the graph get a
   quarter each. best: the planner to compare with. The instance is in the order in which it is
   stored. The caller frees what there is, also after an error. */
enum status advice_find(const struct job *job, const struct planner *best, struct advice *advice,
                        struct error *error);
void advice_clear(struct advice *advice);

#endif
