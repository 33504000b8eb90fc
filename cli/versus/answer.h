#ifndef MEMPLAN_CLI_VERSUS_ANSWER_H
#define MEMPLAN_CLI_VERSUS_ANSWER_H

#include "cli/versus/subject.h"

/* Appends how mine stands against the others. As text or Markdown: rank, wins, twins, the table
   versus, suites, the worst and the best rows; in other formats the table versus alone, whole. */
enum status versus_append_answer(const struct versus *versus, const char *format, struct text *text,
                                 struct error *error);

/* Appends the first `top` rows of a table of the contest, 0 for all. */
enum status versus_append_table(const struct versus *versus, const char *name, uint32_t top,
                                const char *format, struct text *text, struct error *error);

#endif
