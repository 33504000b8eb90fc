#ifndef MEMPLAN_CLI_OUTPUT_PRINT_H
#define MEMPLAN_CLI_OUTPUT_PRINT_H

#include "core/text.h"
#include "results/table/table.h"

/* Letters in a line: what the environment variable COLUMNS says, else the width of the terminal
   that standard output is, if it is one; else SIZE_MAX, since a program that reads the lines wants
   them whole. */
size_t print_width(void);

/* Prints lines to standard output, each with its end. A line that is longer than print_width goes
   on below its last column, see wrap_append_row. */
void print_lines(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a command's result to the file at `path`, which is replaced, or to standard output where
   `path` is NULL. */
enum status print_text(const struct text *text, const char *path, struct error *error);

/* The format of a table: the one that the user named, else that of the output's extension, else
   text. */
const char *print_choose_format(const char *named, const char *path);

/* Appends a complete table in a format (see table_write); text is as wide as print_width, if that
   is known. */
enum status print_append_table(struct table *table, const char *format, struct text *text,
                               struct error *error);

/* Prints a complete table in the format that print_choose_format says. */
enum status print_table(struct table *table, const char *format, const char *path,
                        struct error *error);

#endif
