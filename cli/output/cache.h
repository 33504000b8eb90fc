#ifndef MEMPLAN_CLI_OUTPUT_CACHE_H
#define MEMPLAN_CLI_OUTPUT_CACHE_H

#include "harness/cache/plan_cache.h"

/* As plan_cache_open, on this machine. What goes wrong with the cache is said on standard error. */
enum status cache_open(struct plan_cache **cache, struct error *error);

/* As plan_cache_open_in. */
enum status cache_open_in(const char *path, uint64_t most_bytes, struct plan_cache **cache,
                          struct error *error);

#endif
