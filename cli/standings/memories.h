#ifndef MEMPLAN_CLI_STANDINGS_MEMORIES_H
#define MEMPLAN_CLI_STANDINGS_MEMORIES_H

#include "cli/standings/version.h"

/* The track memories of standings: the suites memories and penalties, which are no entries of the
   collection, planned by all planners of several memories. What is found are measures, which do not
   say their limit: each class has a run of its own. */

/* Plans what is missing of the track. Planners that come along or are chosen place buffers in one
   memory: with them there is nothing to do. */
enum status standings_memories_plan(const struct arguments *arguments, struct error *error);

/* Adds the track's tables to the page, or says that they are missing. */
enum status standings_memories_add(const struct standings_version *version, struct error *error);

#endif
