#ifndef MEMPLAN_CLI_OUTPUT_PRINT_H
#define MEMPLAN_CLI_OUTPUT_PRINT_H

#include "core/text.h"
#include "results/table/table.h"

/* Writes a command's result to the file at `path`, which is replaced, or to standard output where
   `path` is NULL. */
enum status print_text(const struct text *text, const char *path, struct error *error);

/* The format of a table: the one that the user named, else that of the output's extension, else
   text. */
const char *print_choose_format(const char *named, const char *path);

/* Appends a complete table in a format (see table_write); text is as wide as the
   environment variable COLUMNS says, else as the terminal that standard output is, if it is one. */
enum status print_append_table(struct table *table, const char *format, struct text *text,
                               struct error *error);

/* Prints a complete table in the format that print_choose_format says. */
enum status print_table(struct table *table, const char *format, const char *path,
                        struct error *error);

#endif
