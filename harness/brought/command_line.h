#ifndef MEMPLAN_HARNESS_BROUGHT_COMMAND_LINE_H
#define MEMPLAN_HARNESS_BROUGHT_COMMAND_LINE_H

#include <stddef.h>

#include "core/error.h"

/* Splits a command that a user has given into the words of an argument list, without a shell. */

/* The value that replaces {name} in a command. */
struct command_value {
    const char *name, *value;
};

/* Splits the command at blanks, where '...' and "..." hold together what they quote and a backslash
   (not within '...') takes the next character as it is; then replaces {name} by its value, once,
   wherever it stands. Braces around anything but letters and underscores stay as they are. Fails
   with STATUS_USAGE on an open quote, a command without words and a {name} that is none of the
   values. *words ends in NULL and is one block, which the caller frees with memory_free. */
enum status command_line_split(const char *command, const struct command_value *value,
                               size_t values, char ***words, struct error *error);

#endif
