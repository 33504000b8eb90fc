#include "core/process/shell.h"

#include <string.h>

void shell_append_word(struct text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+@%^";
    if (*word && !word[strspn(word, plain)]) {
        text_append(text, "%s", word);
        return;
    }
    text_append(text, "'");
    for (const char *at = word; *at; at++)
        text_append_bytes(text, *at == '\'' ? "'\\''" : at, *at == '\'' ? 4 : 1);
    text_append(text, "'");
}
