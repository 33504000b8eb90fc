#ifndef MEMPLAN_HARNESS_JOB_SETTINGS_H
#define MEMPLAN_HARNESS_JOB_SETTINGS_H

#include "harness/job/job.h"

/* Writes how a job is run, as it stands in its row's key: "name=value" separated by blanks, in a
   fixed order. Usual values (no limit, one thread, a built-in planner) are left out. All settings
   are written that can change a result or its time, except the options of the problem
   (results/store/options.h). */
enum { SETTINGS_BYTES = 256 };
void settings_write(const struct job *job, char text[SETTINGS_BYTES]);

#endif
