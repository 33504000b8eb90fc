#ifndef MEMPLAN_CLI_ARGUMENTS_OPTION_ROWS_H
#define MEMPLAN_CLI_ARGUMENTS_OPTION_ROWS_H

#include "cli/arguments/arguments.h"

/* Every option that a command may accept, one row of cli/arguments/options.def each: help, checks
   and what a value does come from its row. */
enum option_id {
#define OPTION(identifier, ...) OPTION_##identifier,
#include "cli/arguments/options.def"
#undef OPTION
    OPTION_END
};

struct option_row;

/* What an option means that is given several times. */
enum option_repeated {
    OPTION_ONCE,   /* wrong usage: one value would silently win */
    OPTION_JOINED, /* one list: set is called with all values so far, separated by commas */
    OPTION_EACH    /* set is called with each */
};

/* Sets what the row says from the value (NULL for a flag); false when the value is none. */
typedef bool option_set(const struct option_row *row, struct arguments *arguments,
                        const char *value);

struct option_row {
    const char *name;
    char letter; /* 0 for none */
    const char *value, *help;
    option_set *set;
    size_t field;         /* of struct arguments, where set needs to know */
    uint64_t least, most; /* letters of a text, or a number; where set needs to know */
    const char *kind;     /* of its values, as `memplan list` calls it, for completion; or NULL */
    bool is_number;       /* from least to most, which is said where a value is refused */
    bool optional;        /* its value may be left out */
    enum option_repeated repeated;
};

const struct option_row *option_rows_at(enum option_id id);

#endif
