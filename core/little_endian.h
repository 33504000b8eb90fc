#ifndef MEMPLAN_CORE_LITTLE_ENDIAN_H
#define MEMPLAN_CORE_LITTLE_ENDIAN_H

#include <stdint.h>

/* Numbers of up to 8 bytes whose least significant byte comes first, as files have them. */

static inline uint64_t little_endian_get(const void *at, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned i = bytes; i-- > 0;)
        number = number << 8 | ((const unsigned char *)at)[i];
    return number;
}

static inline void little_endian_put(void *at, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        ((unsigned char *)at)[i] = (unsigned char)(number >> 8 * i & 255);
}

#endif
