#include "cli/arguments/parse.h"

#include <argp.h>
#include <string.h>

#include "core/text.h"

enum { FIRST_LONG_KEY = 256 };

struct parse {
    const struct command *command;
    struct arguments *arguments;
};

static int get_key(enum option_id id)
{
    char letter = option_rows_at(id)->letter;
    return letter ? letter : FIRST_LONG_KEY + (int)id;
}

static const struct option_row *find_row(const struct command *command, int key)
{
    for (const enum option_id *id = command->options; *id != OPTION_END; id++)
        if (get_key(*id) == key)
            return option_rows_at(*id);
    return NULL;
}

static error_t check_operands(const struct parse *parse, struct argp_state *state)
{
    if (parse->arguments->operands < parse->command->least)
        argp_error(state, "%u operands, expected %s", parse->arguments->operands,
                   parse->command->operands);
    if (parse->arguments->operands > parse->command->most)
        argp_error(state, "unexpected '%s', expected %s",
                   parse->arguments->operand[parse->command->most], parse->command->operands);
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parse *parse = state->input;
    const struct option_row *row = find_row(parse->command, key);
    if (row) {
        if (!row->set(row, parse->arguments, value))
            argp_error(state, "--%s '%s', expected %s: %s", row->name, value, row->value,
                       row->help);
        return 0;
    }
    if (key == 'h') {
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    }
    if (key == ARGP_KEY_ARGS) {
        parse->arguments->operand = (const char *const *)(state->argv + state->next);
        parse->arguments->operands = (uint32_t)(state->argc - state->next);
        return 0;
    }
    return key == ARGP_KEY_END ? check_operands(parse, state) : ARGP_ERR_UNKNOWN;
}

static bool accepts(const struct command *command, enum option_id id)
{
    const enum option_id *accepted = command->options;
    while (*accepted != OPTION_END && *accepted != id)
        accepted++;
    return *accepted == id;
}

/* In the order of the rows, whatever the order in which the command names them. */
static void select_options(const struct command *command, struct argp_option *options)
{
    for (enum option_id id = 0; id < OPTION_END; id++) {
        const struct option_row *row = option_rows_at(id);
        if (accepts(command, id))
            *options++ = (struct argp_option){.name = row->name,
                                              .key = get_key(id),
                                              .arg = row->value,
                                              .flags = row->optional ? OPTION_ARG_OPTIONAL : 0,
                                              .doc = row->help};
    }
    *options++ = (struct argp_option){.key = 'h', .flags = OPTION_HIDDEN, .doc = "this help"};
    *options = (struct argp_option){0};
}

static void append_help(const struct command *command, struct text *help)
{
    text_append(help, "memplan %s: %s.", command->name, command->summary);
    if (command->description)
        text_append(help, "\n%s", command->description);
    text_append(help, "\vExamples:\n");
    for (const char *at = command->examples; *at;) {
        size_t length = strcspn(at, "\n");
        text_append(help, "  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

void options_parse(const struct command *command, int argc, char **argv,
                   struct arguments *arguments)
{
    struct argp_option options[OPTION_END + 2];
    struct parse parse = {command, arguments};
    struct text help = {0};
    char name[64];
    *arguments = (struct arguments){.capacity_bytes = UINT64_MAX,
                                    .alignment_bytes = 1,
                                    .time_limit_ns = UINT64_C(60000000000),
                                    .seed = 1,
                                    .threads = 1,
                                    .bits = 8,
                                    .format = "md",
                                    .mode = "pingpong",
                                    .hardware = "luna",
                                    .database = "memplan.db"};
    select_options(command, options);
    append_help(command, &help);
    snprintf(name, sizeof name, "memplan %s", command->name);
    argv[0] = name;
    argp_err_exit_status = STATUS_USAGE;
    struct argp parser = {options, parse_option, command->operands, help.bytes, NULL, NULL, NULL};
    argp_parse(&parser, argc, argv, 0, NULL, &parse);
    text_free(&help);
}
