#include "cli/arguments/parse.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments/old_words.h"
#include "core/known_names.h"
#include "core/plural.h"

enum { FIRST_LONG_KEY = 256, FIRST_OLD_KEY = 512 };

struct parse {
    const struct command *command;
    struct arguments *arguments;
    struct option_lists *lists;
};

static int get_key(enum option_id id)
{
    char letter = option_rows_at(id)->letter;
    return letter ? letter : FIRST_LONG_KEY + (int)id;
}

/* The option of a command that has this key; OPTION_END where the command has none. */
static enum option_id find_option(const struct command *command, int key)
{
    const enum option_id *id = command->options;
    while (*id != OPTION_END && get_key(*id) != key)
        id++;
    return *id;
}

static error_t check_operands(const struct parse *parse, struct argp_state *state)
{
    if (parse->arguments->operands < parse->command->least)
        argp_error(state, "found %u operand%s, expected %s", parse->arguments->operands,
                   plural_ending(parse->arguments->operands), parse->command->operands);
    if (parse->arguments->operands > parse->command->most)
        argp_error(state, "unexpected '%s', expected %s",
                   parse->arguments->operand[parse->command->most], parse->command->operands);
    return 0;
}

/* Appends a value to a list; NULL where there is no memory for it. */
static const char *join_value(struct text *list, const char *value)
{
    struct error ignored = ERROR_NONE;
    if (list->length)
        text_append_bytes(list, ",", 1);
    text_append_bytes(list, value, strlen(value));
    return text_check(list, &ignored) ? NULL : list->bytes;
}

static error_t set_option(struct parse *parse, enum option_id id, const char *value,
                          struct argp_state *state)
{
    const struct option_row *row = option_rows_at(id);
    if (parse->lists->given[id] && row->repeated == OPTION_ONCE)
        argp_error(state, "--%s is given twice, expected once", row->name);
    parse->lists->given[id] = true;
    if (row->repeated == OPTION_JOINED)
        value = join_value(&parse->lists->joined[id], value);
    if (row->repeated == OPTION_JOINED && !value)
        argp_failure(state, STATUS_INTERNAL, 0, "no memory for --%s", row->name);
    if (!row->set(row, parse->arguments, value)) {
        char range[64] = "";
        if (row->is_number && row->most < UINT64_MAX)
            snprintf(range, sizeof range, " from %" PRIu64 " to %" PRIu64, row->least, row->most);
        else if (row->is_number && row->least > 0)
            snprintf(range, sizeof range, " of at least %" PRIu64, row->least);
        argp_error(state, "--%s '%s', expected %s%s: %s", row->name, value, row->value, range,
                   command_help(parse->command, id));
    }
    return 0;
}

/* An option by its name of the last release. */
static error_t set_old_option(struct parse *parse, const struct old_option *old, const char *value,
                              struct argp_state *state)
{
    SCOPED(text_free) struct text named = {0};
    struct error ignored = ERROR_NONE;
    const struct option_row *now = option_rows_at(old->now);
    fprintf(stderr, "memplan %s: --%s is now --%s%s%s%s\n", parse->command->name, old->name,
            now->name, *old->value ? (now->optional ? "=" : " ") : "", old->value,
            old->value_name && *old->value ? old->value_name : "");
    if (!old->value_name)
        return set_option(parse, old->now, old->value, state);
    if (!*old->value)
        return set_option(parse, old->now, value, state);
    text_append(&named, "%s%s", old->value, value);
    if (text_check(&named, &ignored))
        argp_failure(state, STATUS_INTERNAL, 0, "no memory for --%s", old->name);
    return set_option(parse, old->now, named.bytes, state);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parse *parse = state->input;
    enum option_id id = find_option(parse->command, key);
    if (id != OPTION_END)
        return set_option(parse, id, value, state);
    if (key >= FIRST_OLD_KEY && key < FIRST_OLD_KEY + (int)old_options_count())
        return set_old_option(parse, old_options_at((uint32_t)(key - FIRST_OLD_KEY)), value, state);
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

/* Lists the options of a command in the order of the rows, not in the order in which the command
   names them. */
static void select_options(const struct command *command, struct argp_option *options)
{
    for (enum option_id id = 0; id < OPTION_END; id++) {
        const struct option_row *row = option_rows_at(id);
        if (command_accepts(command, id))
            *options++ = (struct argp_option){.name = row->name,
                                              .key = get_key(id),
                                              .arg = row->value,
                                              .flags = row->optional ? OPTION_ARG_OPTIONAL : 0,
                                              .doc = command_help(command, id)};
    }
    for (uint32_t i = 0; i < old_options_count(); i++)
        if (old_option_is_of(old_options_at(i), command))
            *options++ = (struct argp_option){.name = old_options_at(i)->name,
                                              .key = FIRST_OLD_KEY + (int)i,
                                              .arg = old_options_at(i)->value_name,
                                              .flags = OPTION_HIDDEN};
    *options++ = (struct argp_option){.key = 'h', .flags = OPTION_HIDDEN, .doc = "this help"};
    *options = (struct argp_option){0};
}

/* The name of a command's option, for suggestions where a user gave an unknown one. */
static const char *get_option_name(const void *context, uint32_t index)
{
    const struct command *command = context;
    return option_rows_at(command->options[index])->name;
}

static uint32_t count_options(const struct command *command)
{
    uint32_t count = 0;
    while (command->options[count] != OPTION_END)
        count++;
    return count;
}

/* The option with this name or, as in getopt_long, the option whose name begins so; OPTION_END for
   none. */
static enum option_id find_long(const struct command *command, const char *name, size_t length)
{
    enum option_id found = OPTION_END;
    for (const enum option_id *id = command->options; *id != OPTION_END; id++) {
        const char *known = option_rows_at(*id)->name;
        if (strncmp(known, name, length) == 0 && (found == OPTION_END || !known[length]))
            found = *id;
    }
    return found;
}

/* Whether the word is an option whose value is the next word. */
static bool takes_next(const struct command *command, const char *word)
{
    enum option_id id = OPTION_END;
    if (word[0] == '-' && word[1] == '-' && !strchr(word, '='))
        id = find_long(command, word + 2, strlen(word + 2));
    else if (word[0] == '-' && word[1] && !word[2])
        id = find_option(command, word[1]);
    return id != OPTION_END && option_rows_at(id)->value && !option_rows_at(id)->optional;
}

static bool is_old(const struct command *command, const char *name, size_t length)
{
    for (uint32_t i = 0; i < old_options_count(); i++)
        if (old_option_is_of(old_options_at(i), command) &&
            strncmp(old_options_at(i)->name, name, length) == 0)
            return true;
    return false;
}

/* Ends the program if an option is unknown to the command but similar to one that it has, with a
   message that says so; argp would only say that the option is unknown. */
static void refuse_unknown_option(const struct command *command, int argc, char **argv)
{
    const struct known_names known = {.kind = "option",
                                      .before = "--",
                                      .count = count_options(command),
                                      .name_at = get_option_name,
                                      .context = command};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *name = argv[i] + 2;
        size_t length = strncmp(argv[i], "--", 2) == 0 ? strcspn(name, "=") : 0;
        struct text near = {0};
        struct error error = ERROR_NONE;
        if (length &&
            !(strncmp("help", name, length) == 0 || strncmp("usage", name, length) == 0) &&
            find_long(command, name, length) == OPTION_END && !is_old(command, name, length))
            known_names_suggest(&known, name, length, &near);
        if (near.length) {
            known_names_refuse(&known, name, length, &error);
            fprintf(stderr, "memplan %s: %s\n", command->name, error.text);
            exit(STATUS_USAGE);
        }
        text_free(&near);
        i += takes_next(command, argv[i]);
    }
}

static void append_help(const struct command *command, struct text *help)
{
    text_append(help, "memplan %s: %s.", command->name, command->summary);
    if (command->description)
        text_append(help, "\n%s", command->description);
    text_append(help, "\v");
    if (command->list)
        command->list(help);
    text_append(help, "Examples:\n");
    for (const char *at = command->examples; *at;) {
        size_t length = strcspn(at, "\n");
        text_append(help, "  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

void options_parse(const struct command *command, int argc, char **argv,
                   struct arguments *arguments, struct option_lists *lists)
{
    struct argp_option options[OPTION_END + OLD_OPTIONS_MOST + 2];
    struct parse parse = {.command = command, .arguments = arguments, .lists = lists};
    SCOPED(text_free) struct text help = {0};
    char name[64];
    *arguments = (struct arguments){
        .capacity_bytes = UINT64_MAX,
        .most_rectangles = UINT64_MAX,
        .time_limit_ns = command->time_limit_ns ? command->time_limit_ns : UINT64_C(60000000000),
        .seed = 1,
        .node_tolerance_ppm = UINT64_MAX,
        .threads = 1,
        .bits = 8,
        .mode = "pingpong",
        .hardware = "luna",
        .ring_buffers = 3,
        .database = command_accepts(command, OPTION_DB) && !command->needs_no_database
                        ? "memplan.db"
                        : NULL};
    select_options(command, options);
    append_help(command, &help);
    snprintf(name, sizeof name, "memplan %s", command->name);
    argv[0] = name;
    argp_err_exit_status = STATUS_USAGE;
    refuse_unknown_option(command, argc, argv);
    struct argp parser = {options, parse_option, command->operands, help.bytes, NULL, NULL, NULL};
    argp_parse(&parser, argc, argv, 0, NULL, &parse);
    arguments->command = command->name;
    arguments->word = (const char *const *)argv + 1;
    arguments->words = (uint32_t)argc - 1;
    arguments->given = lists->given;
}

void option_lists_clear(struct option_lists *lists)
{
    for (enum option_id id = 0; id < OPTION_END; id++)
        text_free(&lists->joined[id]);
}
