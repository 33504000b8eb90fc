#ifndef MEMPLAN_CLI_ARGUMENTS_COMMAND_H
#define MEMPLAN_CLI_ARGUMENTS_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

#include "harness/planners/registry.h"

enum { ARGUMENTS_MOST_BINDS = 64, MOST_SETTINGS = 32, MOST_BROUGHT = 64 };

/* What the command line said. Every option means the same wherever it is accepted, so there is one
   field for each; texts are borrowed from argv. */
struct arguments {
    const char *const *operand; /* [operands] */
    uint32_t operands;
    const char *planners, *policies; /* comma separated, or NULL */
    const char *inplace, *disable_inplace;
    const char *dialect, *lifetimes; /* of .csv files, or NULL */
    const char *layout_report;       /* file, "-" for standard output, or NULL */
    const char *suite, *output, *database, *format, *run, *instance;
    uint64_t capacity_bytes, alignment_bytes, time_limit_ns, seed;
    uint64_t memory_limit_bytes; /* 0: none */
    uint64_t workers, threads;
    const char *weights;                    /* file of a graph's weights, or NULL */
    uint64_t bits;                          /* of a quantised weight */
    const char *bind[ARGUMENTS_MOST_BINDS]; /* [binds] */
    uint32_t binds;
    uint64_t assume_dimension;   /* 0: none */
    const char *mode, *hardware; /* of weight transfers */
    bool json, ignore_offsets, resume, every_policy, explain, instructions, execute;
    /* Planners that the user brought along: definitions in the order given, and all there are. */
    const char *plugin[MOST_BROUGHT], *external[MOST_BROUGHT]; /* [plugins], [externals] */
    uint32_t plugins, externals;
    struct registry *registry;
    /* Options of a generator, which knows their ranges, in the order given. */
    struct setting {
        const char *name, *value; /* name NULL: value is a list of NAME=VALUE */
    } setting[MOST_SETTINGS];
    uint32_t settings;
};

/* One row: name, what it says in the list of commands, and what is accepted. */
struct command {
    const char *name;
    const char *summary;
    const char *operands;    /* for the usage line */
    uint32_t least, most;    /* number of operands */
    const char *options;     /* blank-separated names of rows of option_rows.c */
    const char *description; /* printed by --help before the options, or NULL */
    const char *examples;    /* printed by --help after the options */
    enum status (*run)(const struct arguments *arguments, struct error *error);
};

uint32_t commands_count(void);
const struct command *commands_at(uint32_t index);
const struct command *commands_find(const char *name); /* NULL if there is none */

enum status command_list(const struct arguments *arguments, struct error *error);
enum status command_info(const struct arguments *arguments, struct error *error);
enum status command_plan(const struct arguments *arguments, struct error *error);
enum status command_verify(const struct arguments *arguments, struct error *error);
enum status command_execute(const struct arguments *arguments, struct error *error);
enum status command_bench(const struct arguments *arguments, struct error *error);
enum status command_table(const struct arguments *arguments, struct error *error);
enum status command_plot(const struct arguments *arguments, struct error *error);
enum status command_report(const struct arguments *arguments, struct error *error);
enum status command_reproduce(const struct arguments *arguments, struct error *error);
enum status command_quantise(const struct arguments *arguments, struct error *error);
enum status command_dma(const struct arguments *arguments, struct error *error);
enum status command_generate(const struct arguments *arguments, struct error *error);
enum status command_convert(const struct arguments *arguments, struct error *error);

#endif
