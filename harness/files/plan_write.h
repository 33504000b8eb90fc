#ifndef MEMPLAN_HARNESS_FILES_PLAN_WRITE_H
#define MEMPLAN_HARNESS_FILES_PLAN_WRITE_H

#include "core/text.h"
#include "harness/job/job.h"

/* Plans as files: .csv (columns of MiniMalloc with an offset) and .json (memplan-plan/1). A graph's
   plan lists every tensor that has a place, with its lifetime under the policy flat, whatever the
   policy that placed it. Tensors in one place are one buffer, live as long as any of them. The
   result of an If is listed where it has a place of its own; the yields then live until the If is
   left, and the result from there on. A graph's plan may also be written as the graph itself with
   the place of each tensor (.graph.json), which is not read as a plan. What a solver found for the
   integer program of the instance (.sol) is read as a plan too. */

/* Text of the plan in the form that the extension of path says; STATUS_USAGE for another extension.
 */
enum status plan_file_write(const struct job *job, const struct outcome *outcome, const char *path,
                            struct text *text, struct error *error);

#endif
