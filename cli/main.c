/* The program: finds the command, reads its arguments, and turns its status into an exit code. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/old_words.h"
#include "cli/arguments/parse.h"
#include "cli/arguments/select.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};

static const struct command_table known = {commands, sizeof commands / sizeof *commands,
                                           MEMPLAN_VERSION};

static void print_usage(FILE *stream)
{
    fprintf(stream, "Usage: memplan COMMAND [OPTION...] [OPERAND...]\n\n"
                    "Static memory planning of neural-network graphs.\n\n");
    for (uint32_t i = 0; i < known.count; i++)
        if (!commands[i]->is_for_shells)
            fprintf(stream, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(stream, "\nmemplan COMMAND --help tells about one command.\n\n"
                    "Exit codes: 0 yes or done, 1 the answer is no, 2 usage, 3 bad input,\n"
                    "4 a limit was reached without an answer, 5 internal error.\n\n"
                    "Examples:\n"
                    "  memplan plan luna/denoise --policy recursive --planner large_first\n"
                    "  memplan bench --suite zoo --planners naive,large_first,glpk\n");
}

static void print_error(const struct error *error)
{
    if (error->file[0] && error->line)
        fprintf(stderr, "%s:%u: %s\n", error->file, error->line, error->text);
    else if (error->file[0])
        fprintf(stderr, "%s: %s\n", error->file, error->text);
    else if (error->text[0])
        fprintf(stderr, "memplan: %s\n", error->text);
}

static enum status fill_registries(const struct arguments *arguments, struct error *error)
{
    for (uint32_t i = 0; i < arguments->plugin.count; i++) {
        TRY(registry_add_plugin(arguments->registry, arguments->plugin.value[i], error));
    }
    for (uint32_t i = 0; i < arguments->external.count; i++)
        TRY(registry_add_external(arguments->registry, arguments->external.value[i], error));
    for (uint32_t i = 0; i < arguments->external_order.count; i++)
        TRY(registry_add_external_order(arguments->registry, arguments->external_order.value[i],
                                        error));
    return STATUS_OK;
}

/* The exit code. After a failed write there may be nothing left to flush, so the error flag of the
   stream is checked too. */
static int finish_output(enum status status)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && !status) {
        perror("memplan: standard output");
        status = STATUS_INTERNAL;
    }
    return (int)status;
}

/* Whether bad input of which no file is named is the instance, which is then the first operand.
   What the user brought along may be wrong instead. */
static bool is_about_instance(const struct command *command, const struct arguments *arguments)
{
    bool brought =
        arguments->plugin.count || arguments->external.count || arguments->external_order.count;
    return command->least && command->kind && !strcmp(command->kind, "instances") && !brought;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    struct arguments arguments;
    struct option_lists lists = {0};
    struct registry registry = {0};
    struct error error = ERROR_NONE;
    options_parse(command, argc, argv, &arguments, &lists);
    arguments.registry = &registry;
    arguments.known = &known;
    enum status status = select_output(&arguments, arguments.output, &error);
    if (!status)
        status = select_output(&arguments, arguments.layout_report, &error);
    if (!status)
        status = fill_registries(&arguments, &error);
    if (!status)
        status = command->run(&arguments, &error);
    registry_clear(&registry);
    option_lists_clear(&lists);
    if (status == STATUS_BAD_INPUT && is_about_instance(command, &arguments))
        error_name_file(&error, arguments.operand[0]);
    if (status)
        print_error(&error);
    return finish_output(status);
}

/* Refuses an unknown command. The overview of all commands is printed only if no similar command is
   known. */
static int refuse_command(const char *name)
{
    struct error error = ERROR_NONE;
    command_refuse(&known, name, &error);
    if (strstr(error.text, "did you mean")) {
        print_error(&error);
    } else {
        fprintf(stderr, "memplan: no command '%s'\n\n", name);
        print_usage(stderr);
    }
    return STATUS_USAGE;
}

/* Runs the command that one of the last release became a part of; argv[1] is the old one. */
static int run_old_command(const struct old_command *old, int argc, char **argv)
{
    fprintf(stderr, "memplan: %s is now %s %s\n", old->name, old->now, old->word);
    argv[0] = (char *)old->now;
    argv[1] = (char *)old->word;
    return run_command(command_find(&known, old->now), argc, argv);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

int main(int argc, char **argv)
{
    static char help[] = "--help";
    /* Where both streams go to one file, what is printed between two lines does not cut one. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (argc > 2 && is_help(argv[1]) && command_find(&known, argv[2]))
        return run_command(command_find(&known, argv[2]), 2, (char *[]){argv[2], help, NULL});
    if (argc > 2 && is_help(argv[1]) && old_command_find(argv[2]))
        return run_old_command(old_command_find(argv[2]), 3,
                               (char *[]){argv[0], argv[2], help, NULL});
    if (argc > 2 && is_help(argv[1]) && !is_help(argv[2]))
        return refuse_command(argv[2]);
    if (argc > 1 && is_help(argv[1])) {
        print_usage(stdout);
        return finish_output(STATUS_OK);
    }
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("memplan %s\n", MEMPLAN_VERSION);
        return finish_output(STATUS_OK);
    }
    const struct command *command = argc > 1 ? command_find(&known, argv[1]) : NULL;
    const struct old_command *old = argc > 1 ? old_command_find(argv[1]) : NULL;
    if (command)
        return run_command(command, argc - 1, argv + 1);
    if (old)
        return run_old_command(old, argc, argv);
    if (argc > 1)
        return refuse_command(argv[1]);
    print_usage(stderr);
    return STATUS_USAGE;
}
