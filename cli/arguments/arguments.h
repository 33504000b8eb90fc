#ifndef MEMPLAN_CLI_ARGUMENTS_ARGUMENTS_H
#define MEMPLAN_CLI_ARGUMENTS_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/csv/dialect.h"
#include "harness/catalogue/registry.h"

enum { ARGUMENTS_MOST_SEEDS = 1000, ARGUMENTS_MOST_VALUES = 64 };

struct command_table;

/* The values of an option that may be repeated, in the order given. */
struct argument_list {
    const char *value[ARGUMENTS_MOST_VALUES];
    uint32_t count;
};

/* What the command line said. Every option means the same wherever it is accepted, so there is one
   field for each; texts are borrowed from argv, joined lists from struct option_lists. */
struct arguments {
    const char *command;
    const char *const *word; /* [words] everything behind the command, operands last */
    uint32_t words;
    const char *const *operand; /* [operands] */
    uint32_t operands;
    const bool *given; /* [OPTION_END] options that the command line has; NULL: none */
    const char *suites, *planners, *policies, *disable_inplace; /* comma separated, or NULL */
    const char *inplace, *orders;
    const struct csv_dialect *dialect; /* of .csv files, or NULL */
    enum csv_lifetimes lifetimes;
    const char *layout_report; /* file, "-" for standard output, or NULL */
    const char *output, *database, *run, *mine, *verdict;
    const char *format; /* of tables; NULL: as the output says, else text */
    const char *instances, *sort, *columns, *caption, *label; /* of stored results, or NULL */
    const char *at;                                           /* point of a family, or NULL */
    const char *apply;                                        /* change of a graph, or NULL */
    uint64_t top;                                             /* rows of a table, 0: all */
    uint64_t piece_bytes;                                     /* 0: weights travel whole */
    uint64_t capacity_bytes, alignment_bytes, time_limit_ns, seed;
    uint64_t memory_limit_bytes;              /* 0: none */
    uint64_t seed_list[ARGUMENTS_MOST_SEEDS]; /* [seeds]; without any only `seed` counts */
    uint32_t seeds;
    uint64_t repetitions;
    uint32_t shard, shards;     /* number of the shard, from 1, and of all shards; 0: all jobs */
    uint64_t shard_count;       /* of a job array; 0: not given */
    const char *sbatch;         /* options of the tasks: NAME=VALUE,... or NULL */
    const char *status, *again; /* folders of submissions, or NULL */
    uint64_t most_rectangles;   /* of a layout that is kept; UINT64_MAX: not given */
    uint64_t workers, threads;
    uint64_t tolerance_ppm;          /* of a peak, in millionths */
    uint64_t search_tolerance_ppm;   /* the same for a search that was not finished */
    uint64_t node_tolerance_ppm;     /* of a search's nodes; UINT64_MAX: not judged */
    const char *accept, *best_known; /* lists of best known values, or NULL */
    const char *weights;             /* file of a graph's weights, or NULL */
    uint64_t bits;                   /* of a quantised weight */
    const char *formulation;         /* of an integer program, or NULL */
    const char *proof;               /* file that a proof is written to, or NULL */
    struct argument_list bind, range;
    uint64_t assume_dimension;   /* 0: none */
    const char *mode, *hardware; /* of weight transfers */
    const char *memories;        /* a profile in whose memories tensors lie, or NULL */
    bool moves;                  /* tensors and weights may be copied between them */
    bool front;                  /* also with parts of the first memory */
    uint64_t ring_buffers;
    const char *settings; /* of a generator, which knows their ranges: NAME=VALUE,... or NULL */
    bool json, ignore_offsets, resume, cache, keep_plans, proofs, explain, pin_io, instructions;
    bool audit_offsets; /* of the instance: FIXED_OFFSETS_AUDITED */
    bool execute, newest, dry_run, pages, is_dark, by_orders, worst_first, bibtex;
    /* Definitions of planners and orders that the user brought along, in the order given, and the
       registry of all planners and orders. */
    struct argument_list plugin, external, external_order;
    struct registry *registry;
    const struct command_table *known; /* all commands of the program, cli/arguments/command.h */
};

#endif
