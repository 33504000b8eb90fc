#ifndef MEMPLAN_CLI_STANDINGS_MEMORIES_H
#define MEMPLAN_CLI_STANDINGS_MEMORIES_H

#include "cli/standings/version.h"

/* The track memories of the standings: the suites memories and penalties, which are no entries of
   the collection, planned by all planners for several memories. Their results are stored as
   measures, and a measure does not say which time limit it had, so each class has a run of its
   own. */

/* Makes the plans of the track that are not stored yet. Does nothing where the user chose or
   brought planners, since those place buffers in one memory only. */
enum status standings_memories_plan(const struct arguments *arguments, struct error *error);

/* Adds the track's tables to the page, or says that they are missing. */
enum status standings_memories_add(const struct standings_version *version, struct error *error);

#endif
