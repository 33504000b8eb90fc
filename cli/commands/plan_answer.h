#ifndef MEMPLAN_CLI_COMMANDS_PLAN_ANSWER_H
#define MEMPLAN_CLI_COMMANDS_PLAN_ANSWER_H

#include "cli/arguments/arguments.h"
#include "datasets/instance.h"
#include "harness/files/plan_read.h"
#include "planning/execute/execution.h"

/* The result of checking a plan file: whether the plan is good, and why or why not. */
struct plan_answer {
    bool good;
    bool sampled; /* only a sample of all ways was checked */
    char text[1024];
    uint64_t peak_bytes, paths;
    struct execute_coverage coverage;
};

/* Verifies the plan of a problem, or the placement of a graph along every path. */
enum status plan_answer_verify(const struct arguments *arguments, const struct instance *instance,
                               const struct plan_file *file, struct plan_answer *answer,
                               struct error *error);

/* Checks a placement by running the graph on an arena of tagged bytes; STATUS_USAGE for a
   problem. */
enum status plan_answer_execute(const struct arguments *arguments, const struct instance *instance,
                                const struct plan_file *file, struct plan_answer *answer,
                                struct error *error);

#endif
