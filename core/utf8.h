#ifndef MEMPLAN_CORE_UTF8_H
#define MEMPLAN_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* UTF-8 as JSON readers accept it: no overlong forms, no surrogates, nothing beyond U+10FFFF. */

/* Length in bytes of the character that bytes[length] begin with, and its code point; 0 where they
   begin with none or it is cut off. */
size_t utf8_read(const char *bytes, size_t length, uint32_t *point);

/* How many of the bytes are whole characters before one that is none or is cut off. */
size_t utf8_valid_bytes(const char *bytes, size_t length);

/* Makes text[room], which ends with a zero, one line that any terminal shows: control characters
   and bytes that are no whole character become "\x1b" and the like. What then has no room is cut
   off. */
void utf8_make_printable(char *text, size_t room);

/* Whether all of the bytes are whole characters. O(length), like the function above. */
bool utf8_is_valid(const char *bytes, size_t length);

#endif
