#ifndef MEMPLAN_CLI_ARGUMENTS_OPTION_ROWS_H
#define MEMPLAN_CLI_ARGUMENTS_OPTION_ROWS_H

#include "cli/arguments/command.h"

/* Every option that a command may accept: help, checks and what a value does come from its row. */

struct option_row;

/* Sets the row's field from the value (NULL for a flag); false when the value is none. */
typedef bool option_set(const struct option_row *row, struct arguments *arguments,
                        const char *value);

struct option_row {
    const char *name;
    char letter; /* 0 for none */
    const char *value, *help;
    option_set *set;
    size_t field;         /* of struct arguments, where set needs to know */
    uint64_t least, most; /* letters of a text, or a number; where set needs to know */
    const char *token;    /* in the lists of options of commands, where another option has the same
                             name; NULL for the name */
    bool optional;        /* its value may be left out */
};

uint32_t option_rows_count(void);
const struct option_row *option_rows_at(uint32_t index);

#endif
