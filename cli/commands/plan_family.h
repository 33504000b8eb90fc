#ifndef MEMPLAN_CLI_COMMANDS_PLAN_FAMILY_H
#define MEMPLAN_CLI_COMMANDS_PLAN_FAMILY_H

#include "cli/arguments/arguments.h"
#include "harness/job/job.h"

/* One plan for all sizes, where the instance is a family. */

/* Plans, checks and reports; writes the files asked for. With arguments->at also the offsets for
   that point. A graph is planned under flat and executed at the corners of its box, at the worst
   point and at some more. */
enum status plan_family_run(const struct arguments *arguments, const struct job *job,
                            struct error *error);

/* Whether the instance is a family and the file a plan for all sizes. */
bool plan_family_is_file(const struct instance *instance, const char *path);
/* Checks such a plan. STATUS_NO where it is not safe for all sizes. */
enum status plan_family_verify(const struct arguments *arguments, const struct instance *instance,
                               const char *path, struct error *error);

/* Replaces a family by the instance with the sizes at arguments->at. */
enum status plan_family_resize(const struct arguments *arguments, struct instance **instance,
                               struct error *error);

#endif
