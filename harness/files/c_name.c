#include "harness/files/c_name.h"

#include <ctype.h>

void c_name_append_identifier(struct text *text, const char *name, bool upper)
{
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        char letter = '_';
        if (byte < 128 && isalnum(byte))
            letter = (char)(upper ? toupper(byte) : tolower(byte));
        text_append_bytes(text, &letter, 1);
    }
}

void c_name_append_text(struct text *text, const char *name)
{
    char before = '\0';
    for (; *name; before = *name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte == '"' || byte == '\\' || (byte == '?' && before == '?'))
            text_append(text, "\\%c", byte);
        else if (byte < ' ' || byte >= 127 || (byte == '/' && before == '*') ||
                 (byte == '*' && before == '/'))
            text_append(text, "\\%03o", byte);
        else
            text_append_bytes(text, name, 1);
    }
}
