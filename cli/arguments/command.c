#include "cli/arguments/command.h"

#include <string.h>

#include "core/known_names.h"
#include "core/process/shell.h"

bool command_accepts(const struct command *command, enum option_id id)
{
    const enum option_id *accepted = command->options;
    while (*accepted != OPTION_END && *accepted != id)
        accepted++;
    return *accepted == id;
}

const char *command_help(const struct command *command, enum option_id id)
{
    const struct option_help *own = command->help;
    while (own && own->id != OPTION_END && own->id != id)
        own++;
    return own && own->help ? own->help : option_rows_at(id)->help;
}

const struct command *command_find(const struct command_table *known, const char *name)
{
    for (uint32_t i = 0; i < known->count; i++)
        if (strcmp(known->command[i]->name, name) == 0)
            return known->command[i];
    return NULL;
}

static const char *get_name(const void *known, uint32_t index)
{
    const struct command_table *table = known;
    return table->command[index]->name;
}

enum status command_refuse(const struct command_table *known, const char *name, struct error *error)
{
    const struct known_names names = {.kind = "command",
                                      .lister = "memplan list commands",
                                      .count = known->count,
                                      .name_at = get_name,
                                      .context = known};
    return known_names_refuse(&names, name, strlen(name), error);
}

enum status command_append_line(const struct arguments *arguments, struct text *text,
                                struct error *error)
{
    text_append(text, "memplan %s", arguments->command);
    for (uint32_t i = 0; i < arguments->words; i++) {
        text_append(text, " ");
        shell_append_word(text, arguments->word[i]);
    }
    return text_check(text, error);
}
