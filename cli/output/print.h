#ifndef MEMPLAN_CLI_OUTPUT_PRINT_H
#define MEMPLAN_CLI_OUTPUT_PRINT_H

#include "core/text.h"
#include "results/table/table.h"

/* Writes a command's result to the file at `path`, which is replaced, or to standard output where
   `path` is NULL. */
enum status print_text(const struct text *text, const char *path, struct error *error);

/* The same for a table that is complete, see table_write. */
enum status print_table(const struct table *table, const char *format, const char *path,
                        struct error *error);

#endif
