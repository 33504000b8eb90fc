#ifndef MEMPLAN_CLI_OUTPUT_CACHE_H
#define MEMPLAN_CLI_OUTPUT_CACHE_H

#include "harness/cache/plan_cache.h"

/* Opens the plan cache as plan_cache_open does, for this machine. Problems with the cache are
   reported on standard error. */
enum status cache_open(struct plan_cache **cache, struct error *error);

/* Does the same as plan_cache_open_in. */
enum status cache_open_in(const char *path, uint64_t most_bytes, struct plan_cache **cache,
                          struct error *error);

#endif
