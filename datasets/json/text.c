#include "datasets/json/text.h"

#include <stdint.h>
#include <stdlib.h>

void json_text_string(struct text *text, const char *string)
{
    text_append_bytes(text, "\"", 1);
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        if (byte == '"' || byte == '\\')
            text_append(text, "\\%c", byte);
        else if (byte == '\n')
            text_append_bytes(text, "\\n", 2);
        else if (byte < 0x20)
            text_append(text, "\\u%04x", byte);
        else
            text_append_bytes(text, string, 1);
    }
    text_append_bytes(text, "\"", 1);
}

void json_text_double(struct text *text, double number)
{
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    text_append(text, "%s", digits);
}

/* Length of the character that begins with this byte, and what is left of it in its low bits; 0 if
   none begins so. */
static size_t read_first_byte(unsigned char byte, uint32_t *bits)
{
    static const struct {
        unsigned char mask, mark;
        size_t length;
    } forms[] = {{0x80, 0x00, 1}, {0xe0, 0xc0, 2}, {0xf0, 0xe0, 3}, {0xf8, 0xf0, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if ((byte & forms[i].mask) == forms[i].mark) {
            *bits = byte & (unsigned char)~forms[i].mask;
            return forms[i].length;
        }
    return 0;
}

static bool is_character(uint32_t code, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

bool json_text_is_utf8(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        size_t character = read_first_byte((unsigned char)bytes[i], &code);
        if (!character || character > length - i)
            return false;
        for (size_t k = 1; k < character; k++) {
            unsigned char byte = (unsigned char)bytes[i + k];
            if ((byte & 0xc0) != 0x80)
                return false;
            code = code << 6 | (byte & 0x3f);
        }
        if (!is_character(code, character))
            return false;
        i += character;
    }
    return true;
}
