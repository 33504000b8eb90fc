#include "cli/arguments/command_line.h"

#include <string.h>

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+@%^";
    return *word && word[strspn(word, plain)] == '\0';
}

static void append_quoted(const char *word, struct text *text)
{
    text_append(text, "'");
    for (const char *at = word; *at; at++) {
        const char *shown = *at == '\'' ? "'\\''" : at;
        text_append_bytes(text, shown, shown == at ? 1 : strlen(shown));
    }
    text_append(text, "'");
}

enum status command_line_append(const struct arguments *arguments, struct text *text,
                                struct error *error)
{
    text_append(text, "memplan %s", arguments->command);
    for (uint32_t i = 0; i < arguments->words; i++) {
        const char *word = arguments->word[i];
        text_append(text, " ");
        if (is_plain(word))
            text_append(text, "%s", word);
        else
            append_quoted(word, text);
    }
    return text_check(text, error);
}
