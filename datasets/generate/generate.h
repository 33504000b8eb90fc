#ifndef MEMPLAN_DATASETS_GENERATE_GENERATE_H
#define MEMPLAN_DATASETS_GENERATE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/random.h"
#include "core/rows.h"
#include "planning/graph/graph.h"
#include "planning/plan/plan.h"

/* Instances made by a rule. Kind, options and seed determine an instance, which is the same on
   every machine. Each kind is one file and one row of generators.def. Written as a name it is

       generate:layered?buffers=1000&live=50&seed=3

   where options that are left out have their defaults. */

enum { GENERATE_MOST_OPTIONS = 9 };

struct generate_option {
    const char *name;
    uint64_t initial, least, most;
    /* Blank-separated words, the position of which is the value; NULL for an option that is a
       number. */
    const char *choices;
    const char *help;
};

struct generate_settings {
    uint64_t seed;
    uint64_t value[GENERATE_MOST_OPTIONS]; /* values of the kind's options, in their order */
};

/* A buffer as kinds of problems make it. Each is handed over as soon as it is made, so that not all
   have to be kept. */
struct generate_buffer {
    uint64_t size;
    uint64_t offset; /* in a plan that is known to be optimal, or PROBLEM_FREE */
    uint32_t lower, upper;
    /* Replaces lower and upper for a kind with several streams; else it has no streams. */
    struct clock clock;
};

/* The most streams of a generated buffer's clock. */
enum { GENERATE_MOST_STREAMS = 64 };

struct generate_sink {
    enum status (*add)(void *context, const struct generate_buffer *buffer, struct error *error);
    void *context;
};

struct generate_kind {
    const char *name;
    const char *title;                    /* one line */
    const struct generate_option *option; /* [options] */
    uint32_t options;
    /* Exactly one of the two is set, and none in a rule of perturb.h, which has only options. They
       fail with STATUS_USAGE, before anything is made, where the values of options do not go
       together. */
    enum status (*problem)(const struct generate_settings *settings,
                           const struct generate_sink *sink, struct error *error);
    enum status (*graph)(const struct generate_settings *settings, struct graph *graph,
                         struct error *error);
};

/* The options of a kind, from an array of them. */
#define GENERATE_OPTIONS(rows) .option = (rows), .options = sizeof(rows) / sizeof *(rows)

uint32_t generate_count(void);
const struct generate_kind *generate_at(uint32_t index);

/* Fails with STATUS_USAGE and lists the known kinds. */
enum status generate_find(const char *name, const struct generate_kind **kind, struct error *error);

/* Sets the defaults of all options, and seed 1. */
void generate_start(const struct generate_kind *kind, struct generate_settings *settings);

/* Sets several options, or "seed", from a list such as "buffers=10k,live=50", with the given
   separator. Numbers may have a factor: 10k, 64KiB. Fails with STATUS_USAGE and says the range. */
enum status generate_set_list(const struct generate_kind *kind, struct generate_settings *settings,
                              const char *list, char separator, struct error *error);

#define GENERATE_PREFIX "generate:"

bool generate_is_name(const char *name);
enum status generate_parse_name(const char *name, const struct generate_kind **kind,
                                struct generate_settings *settings, struct error *error);

/* What is made of another instance by a rule: PREFIX RULE?option=value&...:NAME. The kind of a rule
   has only options. */
struct generate_derived {
    uint32_t rule;
    struct generate_settings settings;
    const char *of; /* the name of the other instance, behind the second colon of the whole name */
};
struct generate_rules {
    const char *prefix; /* with which the name begins, such as "perturbed:" */
    struct rows_kind rows;
    const struct generate_kind *(*kind_at)(uint32_t index);
};
/* STATUS_USAGE where the name is not that of a rule with its options and something behind it. */
enum status generate_parse_derived(const char *name, const struct generate_rules *rules,
                                   struct generate_derived *derived, struct error *error);

/* Writes the full name with all values, which stands at the beginning of a generated file. */
enum { GENERATE_NAME_BYTES = 512 };
void generate_write_name(const struct generate_kind *kind, const struct generate_settings *settings,
                         char name[GENERATE_NAME_BYTES]);

/* What a generator made: a graph or a problem, depending on its kind; the other one is NULL. */
struct generated {
    struct graph *graph;
    struct problem *problem;
    /* If not NULL, it is set to a plan that is known to be optimal, or to NULL. */
    struct plan **witness;
};

/* Makes an instance called `name`, whose note is its full name. The caller sets only made->witness,
   and frees what was made. */
enum status generate_create(const struct generate_kind *kind,
                            const struct generate_settings *settings, const char *name,
                            struct generated *made, struct error *error);

/* Writes a problem row by row in little memory, the full name in a comment line before them. Fails
   with STATUS_USAGE for a kind that makes graphs. */
enum status generate_write_csv(const struct generate_kind *kind,
                               const struct generate_settings *settings, const char *path,
                               struct error *error);

#endif
