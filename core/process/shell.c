#include "core/process/shell.h"

#include <string.h>

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+@%^";
    return *word && word[strspn(word, plain)] == '\0';
}

void shell_append_word(struct text *text, const char *word)
{
    if (is_plain(word)) {
        text_append(text, "%s", word);
        return;
    }
    text_append(text, "'");
    for (const char *at = word; *at; at++) {
        const char *shown = *at == '\'' ? "'\\''" : at;
        text_append_bytes(text, shown, shown == at ? 1 : strlen(shown));
    }
    text_append(text, "'");
}
