#ifndef MEMPLAN_HARNESS_FILES_PLAN_WRITE_H
#define MEMPLAN_HARNESS_FILES_PLAN_WRITE_H

#include "core/text.h"
#include "harness/job/job.h"

/* Plans as files, in a form for each extension:

       .csv       columns of MiniMalloc with an offset
       .xla.csv   what XLA dumps of its own placements, datasets/csv/xla.h
       .json      memplan-plan/1
       .graph.json  the graph itself with the place of each tensor, which is not read as a plan
       .h         a header of C with offsets and an arena, plan_header.h
       .bin       the plan buffer of TFLite Micro; .tflite a copy of the model that carries it,
                  offline_file.h

   A graph's plan lists every tensor that has a place, with its lifetime under the policy flat,
   under whatever policy it was placed. Tensors in one place are one buffer, which lives as long as
   any of them. The result of an If is listed where it has a place of its own; the yields then live
   until the If is left, and the result from there on. */

bool plan_file_has_form(const char *path);

/* Appends the list of all extensions, like ".csv, .json, ...". */
void plan_file_append_forms(struct text *text);

/* Appends the plan in the form that the extension of path says; STATUS_USAGE for another extension,
   or where the instance cannot have that form. */
enum status plan_file_write(const struct job *job, const struct outcome *outcome, const char *path,
                            struct text *text, struct error *error);

#endif
