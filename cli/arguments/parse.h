#ifndef MEMPLAN_CLI_ARGUMENTS_PARSE_H
#define MEMPLAN_CLI_ARGUMENTS_PARSE_H

#include "cli/arguments/command.h"

/* Reads argv[1..] of a command through argp: --help and wrong usage end the program here, with exit
   codes 0 and 2. */
void options_parse(const struct command *command, int argc, char **argv,
                   struct arguments *arguments);

#endif
