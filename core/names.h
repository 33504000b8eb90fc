#ifndef MEMPLAN_CORE_NAMES_H
#define MEMPLAN_CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A list of names in one block of memory, with a hash index to find one: name i was added as the
   i-th. Several names may be equal; names_find answers with the first. Zero-initialise it. */
struct names {
    uint32_t count;
    uint32_t *start; /* [count] where each begins in text, which is shorter than 4 GiB */
    char *text;
    uint32_t *slot; /* [slots] 1 + index, 0 for free; slots is a power of two */
    uint32_t slots;
    size_t start_capacity, text_used, text_capacity;
};

#define NAMES_NONE UINT32_MAX

/* Adds a copy of name; its index is names->count - 1. O(1) amortised. */
enum status names_add(struct names *names, const char *name, struct error *error);

/* Index of the first name equal to name, or NAMES_NONE. O(1) on average. */
uint32_t names_find(const struct names *names, const char *name);

/* Borrowed; moves when a name is added. */
const char *names_get(const struct names *names, uint32_t index);

/* Returns STATUS_USAGE with an error that says that there is no KIND of that name. The error also
   gives the names that are near to it; or else all names, if they are few; or else the lister, a
   command such as "memplan list suites". O(names). */
enum status names_refuse(const struct names *names, const char *kind, const char *name,
                         const char *lister, struct error *error);

void names_free(struct names *names);

#endif
