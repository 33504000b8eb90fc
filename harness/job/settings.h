#ifndef MEMPLAN_HARNESS_JOB_SETTINGS_H
#define MEMPLAN_HARNESS_JOB_SETTINGS_H

#include "harness/job/job.h"

/* How a job is run, as its row's key says it: "name=value" separated by blanks, in one order. What
   is as usual (no limit, one thread, a built-in planner) is left out. Everything stands here that
   can change a result or its time and is no option of the problem (results/store/options.h). */
enum { SETTINGS_BYTES = 256 };
void settings_write(const struct job *job, char text[SETTINGS_BYTES]);

#endif
