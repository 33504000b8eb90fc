#ifndef MEMPLAN_CLI_STANDINGS_VERSION_H
#define MEMPLAN_CLI_STANDINGS_VERSION_H

#include "cli/arguments/arguments.h"
#include "plots/report/report.h"
#include "results/store/runs.h"
#include "results/views/planners/contest.h"

/* One version of the standings: the rows of one class in a database or a file, for entries of the
   collection, and the place that they give to each planner. */

/* Where each planner stands in each table. */
struct standings_lines {
    struct names names;    /* "TABLE: PLANNER" */
    struct standing *line; /* [names.count] */
    size_t capacity;
};

/* The caller zeroes it and sets the arguments, which say the class, and the report where one is
   made; the rest is filled here. */
struct standings_version {
    const struct arguments *arguments;
    struct report *report; /* the page that is made of it, or NULL */
    const char *folder;    /* of the page */
    const char *name;      /* the path that it was read from */
    struct store *store;
    struct names instances; /* all entries; those of the track orders once for each order */
    struct result_set set;  /* their newest rows with the limit of the class */
    struct run_list runs;   /* of the store */
    struct standings_lines lines;
};

/* Reads the rows of the class from a database or a CSV file; STATUS_BAD_INPUT where there are none.
   The caller frees the version also after a failure. */
enum status standings_version_read(struct standings_version *version, const char *path,
                                   struct error *error);
void standings_version_free(struct standings_version *version);

/* Notes where the planners of a table stand. */
enum status standings_lines_note(struct standings_lines *lines, const char *table,
                                 const struct contest *contest, struct error *error);

#endif
