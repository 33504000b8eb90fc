#ifndef MEMPLAN_CORE_KNOWN_NAMES_H
#define MEMPLAN_CORE_KNOWN_NAMES_H

#include "core/text.h"

/* The names of all things of one kind, and the error for a name that is none of them. */
struct known_names {
    const char *kind;   /* "planner" */
    const char *lister; /* command that lists them all: "memplan list planners", or NULL */
    const char *before; /* what stands before each name: "--" of options, else NULL */
    const char *also;   /* ", or a .json file": what else is allowed, or NULL */
    uint32_t count;
    const char *(*name_at)(const void *context, uint32_t index);
    const void *context;
};

/* Appends the known names that are nearest to `name`, separated by commas; nothing where none is
   near. A known name is near if it differs by a few typing errors, with or without its folder, or
   if it contains `name`. */
void known_names_suggest(const struct known_names *known, const char *name, size_t length,
                         struct text *text);

/* Returns STATUS_USAGE with the error "no KIND 'NAME', did you mean A, B?". Where nothing is near
   the error lists all names or, where there are many of them, gives the command that lists them. */
enum status known_names_refuse(const struct known_names *known, const char *name, size_t length,
                               struct error *error);

#endif
