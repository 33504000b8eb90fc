#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

/* The forms of characters: the first byte of one with `length` bytes has the bits `mark` under the
   mask, and `least` is the lowest code point that needs `length` bytes. */
static const struct form {
    unsigned char mask, mark;
    size_t length;
    uint32_t least;
} forms[] = {
    {0x80, 0x00, 1, 0},
    {0xe0, 0xc0, 2, 0x80},
    {0xf0, 0xe0, 3, 0x800},
    {0xf8, 0xf0, 4, 0x10000},
};

size_t utf8_read(const char *bytes, size_t length, uint32_t *point)
{
    const size_t count = sizeof forms / sizeof *forms;
    size_t f = 0;
    while (f < count && length && ((unsigned char)*bytes & forms[f].mask) != forms[f].mark)
        f++;
    if (!length || f == count || forms[f].length > length)
        return 0;
    const struct form *form = &forms[f];
    *point = (unsigned char)*bytes & (unsigned char)~form->mask;
    for (size_t i = 1; i < form->length; i++) {
        unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (next & 0x3f);
    }
    bool is_surrogate = *point >= 0xd800 && *point <= 0xdfff;
    return *point >= form->least && *point <= 0x10ffff && !is_surrogate ? form->length : 0;
}

size_t utf8_valid_bytes(const char *bytes, size_t length)
{
    size_t valid = 0, character;
    uint32_t point;
    do {
        while (valid < length && (unsigned char)bytes[valid] < 0x80) /* most are */
            valid++;
        character = utf8_read(bytes + valid, length - valid, &point);
        valid += character;
    } while (character);
    return valid;
}

bool utf8_is_valid(const char *bytes, size_t length)
{
    return utf8_valid_bytes(bytes, length) == length;
}

void utf8_make_printable(char *text, size_t room)
{
    char escape[sizeof "\\x1b"];
    const size_t escaped = sizeof escape - 1;
    size_t end = strlen(text), character;
    uint32_t point;
    for (size_t at = 0; at < end; at += character) {
        character = utf8_read(text + at, end - at, &point);
        bool is_control = character && (point < ' ' || (point >= 0x7f && point < 0xa0));
        if (character && !is_control)
            continue;
        character = escaped;
        if (at + escaped >= room) {
            text[at] = '\0';
            return;
        }
        size_t rest = end - at - 1, fits = room - 1 - at - escaped;
        rest = rest < fits ? rest : fits;
        snprintf(escape, sizeof escape, "\\x%02x", (unsigned char)text[at]);
        memmove(text + at + escaped, text + at + 1, rest);
        memcpy(text + at, escape, escaped);
        end = at + escaped + rest;
        text[end] = '\0';
    }
}
