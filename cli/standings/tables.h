#ifndef MEMPLAN_CLI_STANDINGS_TABLES_H
#define MEMPLAN_CLI_STANDINGS_TABLES_H

#include "cli/standings/version.h"

/* Judges the planners of every track and adds a table and figures of each to the version's report,
   quick planners, searches and proofs apart where the track says so. Where every planner stands is
   also noted in the version's lines; without a report that is all. */
enum status standings_tables_add(struct standings_version *version, struct error *error);

#endif
