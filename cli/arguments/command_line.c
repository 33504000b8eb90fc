#include "cli/arguments/command_line.h"

#include "core/process/shell.h"

enum status command_line_append(const struct arguments *arguments, struct text *text,
                                struct error *error)
{
    text_append(text, "memplan %s", arguments->command);
    for (uint32_t i = 0; i < arguments->words; i++) {
        text_append(text, " ");
        shell_append_word(text, arguments->word[i]);
    }
    return text_check(text, error);
}
