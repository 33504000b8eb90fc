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

/* What it means if an option is given several times. */
enum option_repeated {
    OPTION_ONCE,   /* an error, since one of the values would be silently ignored */
    OPTION_JOINED, /* one list: `set` is called with all values so far, separated by commas */
    OPTION_EACH    /* `set` is called with each value */
};

/* Sets what the row describes from a value, which is NULL for a flag; false when the value is not
   allowed. */
typedef bool option_set(const struct option_row *row, struct arguments *arguments,
                        const char *value);

struct option_row {
    const char *name;
    char letter; /* 0 for none */
    const char *value, *help;
    option_set *set;
    size_t field;         /* offset in struct arguments, if `set` needs it */
    uint64_t least, most; /* limits of a text's letters or of a number, if `set` needs them */
    const char *kind;     /* of its values, as `memplan list` calls it, for completion; or NULL */
    /* Its value is a number from least to most (UINT64_MAX: any), which messages about a wrong
       value say. */
    bool is_number;
    bool optional; /* its value may be left out */
    enum option_repeated repeated;
};

const struct option_row *option_rows_at(enum option_id id);

#endif
