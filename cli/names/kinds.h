#ifndef MEMPLAN_CLI_NAMES_KINDS_H
#define MEMPLAN_CLI_NAMES_KINDS_H

#include "cli/arguments/command.h"
#include "datasets/json/build.h"

/* The kinds of things that have names: what `memplan list` lists, and what a shell completes. To
   add one: a row in kinds.c. The arguments hold the planners and orders that the user brought
   along, and the commands. */
struct kind_row {
    const char *name, *title;
};

/* One of the things of a kind. */
struct kind_item {
    const struct arguments *arguments;
    uint32_t index;
};

struct kind {
    const char *name, *title; /* "planners", and what these are */
    uint32_t (*count)(const struct arguments *arguments);
    struct kind_row (*row)(const struct arguments *arguments, uint32_t index);
    /* Adds further facts to the object that is open; NULL where there are none. */
    void (*describe)(const struct kind_item *item, struct json_tree *facts);
};

uint32_t kind_count(void);
const struct kind *kind_at(uint32_t index);
const struct kind *kind_find(const char *name); /* NULL if there is none */
/* STATUS_USAGE for a name that is not that of a kind, with those that may be meant. */
enum status kind_refuse(const char *name, size_t length, struct error *error);

#endif
