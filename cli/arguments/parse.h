#ifndef MEMPLAN_CLI_ARGUMENTS_PARSE_H
#define MEMPLAN_CLI_ARGUMENTS_PARSE_H

#include "cli/arguments/command.h"
#include "core/text.h"

/* Which options were given, and the values of those that are lists, joined by commas where they
   were given several times. */
struct option_lists {
    bool given[OPTION_END];
    struct text joined[OPTION_END];
};

/* Reads argv[1..] of a command with argp. --help and wrong usage end the program here, with exit
   codes 0 and 2. The arguments borrow from the lists, which start empty and are cleared by
   the caller. */
void options_parse(const struct command *command, int argc, char **argv,
                   struct arguments *arguments, struct option_lists *lists);
void option_lists_clear(struct option_lists *lists);

#endif
