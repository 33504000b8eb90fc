#ifndef MEMPLAN_CORE_QUICK_HASH_H
#define MEMPLAN_CORE_QUICK_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, for hash tables only. */
static inline uint64_t quick_hash(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

#endif
