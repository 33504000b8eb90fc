#ifndef MEMPLAN_CLI_STANDINGS_CHANGES_H
#define MEMPLAN_CLI_STANDINGS_CHANGES_H

#include "cli/standings/version.h"

/* What changed from one version of the standings to the next. */

/* Adds to the report of `now` the part with the planners that are new, gone, or stand elsewhere,
   and the entries whose least peak has changed. */
enum status standings_changes_add(const struct standings_version *last,
                                  const struct standings_version *now, struct error *error);

#endif
