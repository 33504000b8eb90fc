#ifndef MEMPLAN_CLI_VERSUS_FILES_H
#define MEMPLAN_CLI_VERSUS_FILES_H

#include "cli/versus/subject.h"

/* Writes whole tables, figures in which mine stands out and the layouts of the worst row into a
   folder, which is made, and appends a sentence that says which to `told`. */
enum status versus_write_files(const struct versus *versus, const char *folder, struct text *told,
                               struct error *error);

#endif
