#ifndef MEMPLAN_CORE_QUICK_HASH_H
#define MEMPLAN_CORE_QUICK_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, for hash tables only. */
uint64_t quick_hash(const void *bytes, size_t length);

#endif
