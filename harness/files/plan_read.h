#ifndef MEMPLAN_HARNESS_FILES_PLAN_READ_H
#define MEMPLAN_HARNESS_FILES_PLAN_READ_H

#include "datasets/instance.h"
#include "planning/inplace/inplace.h"
#include "planning/plan/placement.h"
#include "planning/policies/policy_row.h"

/* Reads plans from files: in the forms of plan_write.h, or, as .sol, a solver's solution of the
   integer program of the instance. Each may be compressed, with .gz behind its name
   (core/gzip.h). */

/* The plan in a file. */
struct plan_file {
    struct plan *plan;           /* if the instance is a problem, else NULL */
    struct placement *placement; /* if the instance is a graph, else NULL */
    /* The policy that a .json file says the graph was planned under; else flat. */
    const struct policy *policy;
    /* The graph with the waits that this policy adds, which the placement has to be right for; NULL
       if the policy adds none. */
    struct graph *launched;
};

/* Reads a plan for the instance, which lies in one arena or, where memories are given, in these:
   the offsets of its placement are addresses then (planning/memories/address.h). Which outputs are
   in place of inputs follows from `choice`, or where that has no rules from the tensors that the
   buffers of a .json file list. STATUS_BAD_INPUT where the file does not belong to the instance; a
   .json file also says so by its digest. */
enum status plan_file_read(const struct instance *instance, const char *path,
                           const struct inplace_choice *choice, const struct names *memories,
                           struct plan_file *file, struct error *error);

void plan_file_free(struct plan_file *file);

#endif
