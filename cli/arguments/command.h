#ifndef MEMPLAN_CLI_ARGUMENTS_COMMAND_H
#define MEMPLAN_CLI_ARGUMENTS_COMMAND_H

#include "cli/arguments/arguments.h"
#include "cli/arguments/option_rows.h"
#include "core/error.h"
#include "core/text.h"

/* What an option is for in one command only. */
struct option_help {
    enum option_id id;
    const char *help;
};

/* A command: its name, what the list of commands says about it, and what it accepts. To add one: a
   file that defines `const struct command command_NAME`, and a row in cli/commands.def. */
struct command {
    const char *name;
    const char *summary;
    bool is_for_shells;   /* not listed for people */
    const char *operands; /* for the usage line */
    /* Kind of the operands, as `memplan list` calls it, for completion; or NULL. */
    const char *kind;
    uint32_t least, most;          /* number of operands */
    uint64_t time_limit_ns;        /* what the command gets where the user sets none; 0: a minute */
    const enum option_id *options; /* that it accepts, see OPTIONS */
    const struct option_help *help;  /* where it has words of its own, see HELP; or NULL */
    bool needs_no_database;          /* --db has no default */
    const char *description;         /* printed by --help before the options, or NULL */
    const char *examples;            /* printed by --help after the options, one a line */
    void (*list)(struct text *help); /* appends lines before the examples, or NULL */
    enum status (*run)(const struct arguments *arguments, struct error *error);
};

bool command_accepts(const struct command *command, enum option_id id);
/* What --help says of an option: the command's own words, else those of the option's row. */
const char *command_help(const struct command *command, enum option_id id);

/* All commands of the program, and its version. */
struct command_table {
    const struct command *const *command; /* [count] */
    uint32_t count;
    const char *version;
};
const struct command *command_find(const struct command_table *known, const char *name);
/* STATUS_USAGE for a name that is not that of a command, with those that may be meant. */
enum status command_refuse(const struct command_table *known, const char *name,
                           struct error *error);

/* Appends the command line as a shell would read it, "memplan bench --suite 'a b'": options first,
   operands last. */
enum status command_append_line(const struct arguments *arguments, struct text *text,
                                struct error *error);

#define OPTIONS(...)                                                                               \
    (const enum option_id[])                                                                       \
    {                                                                                              \
        __VA_ARGS__, OPTION_END                                                                    \
    }
#define HELP(...)                                                                                  \
    (const struct option_help[])                                                                   \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            OPTION_END, NULL                                                                       \
        }                                                                                          \
    }

#endif
