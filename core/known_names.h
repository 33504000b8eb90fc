#ifndef MEMPLAN_CORE_KNOWN_NAMES_H
#define MEMPLAN_CORE_KNOWN_NAMES_H

#include "core/text.h"

/* The names of one kind of thing, and what is said of a name that is none of them. */
struct known_names {
    const char *kind;   /* "planner" */
    const char *lister; /* who names them all: "memplan list planners", or NULL */
    const char *before; /* what stands before each name: "--" of options, else NULL */
    const char *also;   /* ", or a .json file": what else may be said, or NULL */
    uint32_t count;
    const char *(*name_at)(const void *context, uint32_t index);
    const void *context;
};

/* Appends the nearest of those names that may have been meant, separated by commas: with a few
   typing errors, of which the name is a part, or that differ by a folder before them. */
void known_names_suggest(const struct known_names *known, const char *name, size_t length,
                         struct text *text);

/* STATUS_USAGE: "no KIND 'NAME', did you mean A, B?"; or where nothing is near "expected one of: "
   and all names or, where there are many of them, who names them. */
enum status known_names_refuse(const struct known_names *known, const char *name, size_t length,
                               struct error *error);

#endif
