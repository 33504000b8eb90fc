#include "datasets/json/text.h"

#include <stdlib.h>

#include "core/utf8.h"

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

void json_text_after(struct text *text, const char *before, const char *string)
{
    text_append(text, "%s", before);
    json_text_string(text, string);
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

enum status json_text_check(const struct text *text, size_t start, const char *what,
                            const char *name, struct error *error)
{
    TRY(text_check(text, error));
    if (utf8_is_valid(text->bytes + start, text->length - start))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "found a name in %s '%s' that is not UTF-8, expected text", what, name);
}
