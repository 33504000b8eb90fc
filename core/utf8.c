#include "core/utf8.h"

#include <unistr.h>

size_t utf8_read(const char *bytes, size_t length, uint32_t *point)
{
    ucs4_t read;
    int taken = length ? u8_mbtoucr(&read, (const uint8_t *)bytes, length) : 0;
    if (taken <= 0)
        return 0;
    *point = read;
    return (size_t)taken;
}

size_t utf8_valid_bytes(const char *bytes, size_t length)
{
    const uint8_t *wrong = u8_check((const uint8_t *)bytes, length);
    return wrong ? (size_t)(wrong - (const uint8_t *)bytes) : length;
}

bool utf8_is_valid(const char *bytes, size_t length)
{
    return utf8_valid_bytes(bytes, length) == length;
}
