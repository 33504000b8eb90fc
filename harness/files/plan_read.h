#ifndef MEMPLAN_HARNESS_FILES_PLAN_READ_H
#define MEMPLAN_HARNESS_FILES_PLAN_READ_H

#include "datasets/instance.h"
#include "planning/inplace/inplace.h"
#include "planning/plan/placement.h"

/* Plans from files, in the forms of plan_write.h and, as .sol, what a solver found for the integer
   program of the instance; each also compressed, with .gz behind its name (core/gzip.h). */

/* What a file holds; the caller frees it. */
struct plan_file {
    struct plan *plan;           /* where the instance is a problem, else NULL */
    struct placement *placement; /* where it is a graph, else NULL */
};

/* Reads a plan for the instance. Which outputs are in place of inputs is as choice says, or
   where it has no rules as the tensors of the buffers of a .json file say. Fails with
   STATUS_BAD_INPUT where file and instance do not belong together, also by the digest in a .json
   file. */
enum status plan_file_read(const struct instance *instance, const char *path,
                           const struct inplace_choice *choice, struct plan_file *file,
                           struct error *error);

#endif
