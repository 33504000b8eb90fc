#ifndef MEMPLAN_DATASETS_GENERATE_GENERATE_H
#define MEMPLAN_DATASETS_GENERATE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/random.h"
#include "planning/graph/graph.h"
#include "planning/plan/plan.h"
#include "planning/problem/clocks.h"

/* Instances made by a rule: kind, options and seed name one, the same on every machine. Each kind
   is one file and one row of generators.def. Written as a name it is

       generate:layered?buffers=1000&live=50&seed=3

   where what is left out has its default. */

enum { GENERATE_MOST_OPTIONS = 8 };

struct generate_option {
    const char *name;
    uint64_t initial, least, most;
    const char *choices; /* blank-separated words, whose position is the value; NULL for a number */
    const char *help;
};

struct generate_settings {
    uint64_t seed;
    uint64_t value[GENERATE_MOST_OPTIONS]; /* of the kind's options, in their order */
};

/* What kinds of problems make, one after another, so that no more than one need be kept. */
struct generate_buffer {
    uint64_t size;
    uint64_t offset; /* in a plan known to be optimal, or PROBLEM_FREE */
    uint32_t lower, upper;
    struct clock clock; /* instead of both, of a kind with several streams; else no streams */
};

/* Of clocks. */
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
    /* Exactly one of both, but none in a rule of perturb.h, which has options alone. They fail with
       STATUS_USAGE, before they made anything, where values do not go together. */
    enum status (*problem)(const struct generate_settings *settings,
                           const struct generate_sink *sink, struct error *error);
    enum status (*graph)(const struct generate_settings *settings, struct graph *graph,
                         struct error *error);
};

uint32_t generate_count(void);
const struct generate_kind *generate_at(uint32_t index);

/* Fails with STATUS_USAGE and names what there is. */
enum status generate_find(const char *name, const struct generate_kind **kind, struct error *error);

/* Defaults, seed 1. */
void generate_start(const struct generate_kind *kind, struct generate_settings *settings);

/* Sets an option or "seed". Numbers may have a factor: 10k, 64KiB. Fails with STATUS_USAGE and says
   the range. */
enum status generate_set(const struct generate_kind *kind, struct generate_settings *settings,
                         const char *name, const char *value, struct error *error);

/* The same for a list such as "buffers=1000,live=50" with the separator given. */
enum status generate_set_list(const struct generate_kind *kind, struct generate_settings *settings,
                              const char *list, char separator, struct error *error);

#define GENERATE_PREFIX "generate:"

bool generate_is_name(const char *name);
enum status generate_parse_name(const char *name, const struct generate_kind **kind,
                                struct generate_settings *settings, struct error *error);

/* The full name with all values: what is written at the head of a generated file. */
enum { GENERATE_NAME_BYTES = 512 };
void generate_write_name(const struct generate_kind *kind, const struct generate_settings *settings,
                         char name[GENERATE_NAME_BYTES]);

/* What a generator made: one of problem and graph, as the kind says, the other is NULL. */
struct generated {
    struct graph *graph;
    struct problem *problem;
    struct plan **witness; /* set to a plan known to be optimal, or to NULL; NULL: not wanted */
};

/* The instance is called `name`, its note is the full name. The caller sets only made->witness, and
   frees what was made. */
enum status generate_create(const struct generate_kind *kind,
                            const struct generate_settings *settings, const char *name,
                            struct generated *made, struct error *error);

/* Writes a problem row by row in little memory, the full name in a comment line before them. Fails
   with STATUS_USAGE for a kind that makes graphs. */
enum status generate_write_csv(const struct generate_kind *kind,
                               const struct generate_settings *settings, const char *path,
                               struct error *error);

#endif
