#include "harness/planners/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/text.h"
#include "core/utf8.h"
#include "harness/planners/command_line.h"
#include "planning/plan/planner.h"

/* All names that may be in braces in a command. */
static const struct command_value no_values[] = {{"in", ""},      {"out", ""},  {"input", ""},
                                                 {"output", ""},  {"seed", ""}, {"time_limit", ""},
                                                 {"capacity", ""}};

static enum status split_command(const struct program *program, char ***words, struct error *error)
{
    size_t values = sizeof no_values / sizeof *no_values - !program->kind->has_capacity;
    return command_line_split(program->command, no_values, values, words, error);
}

static enum status check_command(const struct program *program, struct error *error)
{
    char **words;
    const char *command = program->command;
    TRY(split_command(program, &words, error));
    memory_free(words);
    if (!strstr(command, "{in}") && !strstr(command, "{input}"))
        return error_set(error, STATUS_USAGE, "found no {in} in the command '%s', expected one",
                         command);
    if (!strstr(command, "{out}") && !strstr(command, "{output}"))
        return error_set(error, STATUS_USAGE, "found no {out} in the command '%s', expected one",
                         command);
    return STATUS_OK;
}

/* Appends the digest of the file that a word of the command names, if that is a regular file. The
   first word is looked up as a shell looks up programs. */
static enum status append_file_digest(const char *word, bool is_program, struct text *text,
                                      struct error *error)
{
    char digest[DIGEST_TEXT_BYTES], path[4096];
    struct stat found;
    const char *folder = is_program && !strchr(word, '/') ? getenv("PATH") : NULL;
    snprintf(path, sizeof path, "%s", word);
    for (; folder && *folder; folder += strcspn(folder, ":"), folder += *folder == ':') {
        snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(folder, ":"), folder, word);
        if (access(path, X_OK) == 0)
            break;
    }
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return STATUS_OK;
    TRY(digest_file(path, digest, error));
    text_append(text, " %s", digest);
    return STATUS_OK;
}

static enum status fill_program(struct program *program, const char *definition,
                                struct error *error)
{
    const char *option = program->kind->option;
    size_t length = strcspn(definition, "=");
    if (!definition[length] || !planner_is_name(definition, length))
        return error_set(error, STATUS_USAGE,
                         "%s '%s', expected NAME=COMMAND with a name of at most 64 "
                         "lower-case letters, digits and underscores",
                         option, definition);
    if (!utf8_is_valid(definition, strlen(definition)))
        return error_set(error, STATUS_USAGE, "%s, expected UTF-8", option);
    program->name = memory_copy_text(definition);
    if (!program->name)
        return error_no_memory(error);
    program->name[length] = '\0';
    program->command = program->name + length + 1;
    TRY(check_command(program, error));
    /* Finds a digest that identifies the program: of its command, and of the contents of all files
       that the command names, such as the program itself and a script. */
    SCOPED(text_free) struct text text = {0};
    SCOPED(memory_release) char **words = NULL;
    TRY(split_command(program, &words, error));
    text_append(&text, "%s", program->command);
    for (size_t i = 0; words[i]; i++)
        TRY(append_file_digest(words[i], i == 0, &text, error));
    TRY(text_check(&text, error));
    return digest_bytes(text.bytes, text.length, program->content, error);
}

enum status program_create(const char *definition, const struct program_kind *kind,
                           struct program *program, struct error *error)
{
    *program = (struct program){.kind = kind};
    enum status status = fill_program(program, definition, error);
    if (status)
        program_clear(program);
    return status;
}

void program_clear(struct program *program)
{
    memory_free(program->name);
    program->name = NULL;
}
