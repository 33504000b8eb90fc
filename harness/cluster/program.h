#ifndef MEMPLAN_HARNESS_CLUSTER_PROGRAM_H
#define MEMPLAN_HARNESS_CLUSTER_PROGRAM_H

#include "core/process/subprocess.h"

/* Runs the program words[0], found in PATH, and appends what it prints on standard output to
   printed; `errors` is as in struct subprocess_task. The result holds its exit code and the end of
   its error output. STATUS_LIMIT where it cannot be run, is killed or does not end within a
   minute. */
enum status program_run(char *const *words, int errors, struct text *printed,
                        struct subprocess_result *result, struct error *error);

#endif
