#ifndef MEMPLAN_CLI_COMMANDS_INTEGER_PROGRAM_H
#define MEMPLAN_CLI_COMMANDS_INTEGER_PROGRAM_H

#include "cli/arguments/command.h"
#include "core/text.h"
#include "planning/problem/problem.h"

/* True for .lp and .mps. */
bool integer_program_has_extension(const char *path);

/* The problem as the integer program of solvers/mip/files/write.h in the form that the extension of
   path says. Plans above the capacity, or where it is not lower above the peak of large_first, are
   left out, since the tighter a program is the faster it is solved. STATUS_NO where the capacity is
   below what any plan needs. */
enum status integer_program_write(const struct arguments *arguments, const struct problem *problem,
                                  const char *path, struct text *text, struct error *error);

#endif
