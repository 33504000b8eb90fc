/* The command manual: a page for man of the program or of a command, made from the same rows as
   --help. */
#include <inttypes.h>

#include "cli/names/kinds.h"
#include "cli/output/print.h"
#include "core/file.h"

/* Appends text as roff expects it: hyphens can be copied, and no line begins with a request. */
static void append_plain(struct text *page, const char *plain)
{
    bool at_line_start = true;
    for (const char *at = plain; *at; at++) {
        if (at_line_start && (*at == '.' || *at == '\''))
            text_append(page, "\\&");
        if (*at == '-')
            text_append(page, "\\-");
        else if (*at == '\\')
            text_append(page, "\\e");
        else
            text_append_bytes(page, at, 1);
        at_line_start = *at == '\n';
    }
}

static void append_heading(struct text *page, const char *name, const char *version)
{
    text_append(page, ".TH ");
    append_plain(page, name);
    text_append(page, " 1 \"\" \"memplan %s\" \"memplan\"\n", version);
}

static void append_option(struct text *page, const struct command *command, enum option_id id)
{
    const struct option_row *row = option_rows_at(id);
    text_append(page, ".TP\n");
    if (row->letter)
        text_append(page, "\\fB\\-%c\\fR, ", row->letter);
    text_append(page, "\\fB\\-\\-");
    append_plain(page, row->name);
    text_append(page, "\\fR");
    if (row->value) {
        text_append(page, row->optional ? "[=\\fI" : "=\\fI");
        append_plain(page, row->value);
        text_append(page, row->optional ? "\\fR]" : "\\fR");
    }
    text_append(page, "\n");
    append_plain(page, command_help(command, id));
    if (row->is_number && row->most < INT64_MAX)
        text_append(page, " (from %" PRIu64 " to %" PRIu64 ")", row->least, row->most);
    text_append(page, "\n");
}

static void append_exit_codes(struct text *page)
{
    static const char *const codes[] = {"yes, or done",
                                        "the answer is no",
                                        "usage",
                                        "bad input",
                                        "a limit was reached without an answer",
                                        "internal error"};
    text_append(page, ".SH \"EXIT STATUS\"\n");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        text_append(page, ".TP\n%zu\n%s\n", i, codes[i]);
}

static void append_command_page(struct text *page, const struct command *command,
                                const struct command_table *known)
{
    SCOPED(text_free) struct text name = {0};
    text_append(&name, "memplan-%s", command->name);
    append_heading(page, name.failed ? "" : name.bytes, known->version);
    text_append(page, ".SH NAME\nmemplan\\-%s \\- ", command->name);
    append_plain(page, command->summary);
    text_append(page, "\n.SH SYNOPSIS\n\\fBmemplan %s\\fR [\\fIOPTION\\fR...] ", command->name);
    append_plain(page, command->operands);
    text_append(page, "\n");
    if (command->description) {
        text_append(page, ".SH DESCRIPTION\n");
        append_plain(page, command->description);
        text_append(page, "\n");
    }
    text_append(page, ".SH OPTIONS\n");
    for (enum option_id id = 0; id < OPTION_END; id++)
        if (command_accepts(command, id))
            append_option(page, command, id);
    text_append(page, ".TP\n\\fB\\-\\-help\\fR\nthe same as here\n");
    append_exit_codes(page);
    text_append(page, ".SH EXAMPLES\n.nf\n");
    append_plain(page, command->examples);
    text_append(page, "\n.fi\n");
    text_append(page, ".SH \"SEE ALSO\"\n\\fBmemplan\\fR(1)\n");
}

static void append_program_page(struct text *page, const struct command_table *known)
{
    append_heading(page, "memplan", known->version);
    text_append(page, ".SH NAME\nmemplan \\- static memory planning of neural\\-network graphs\n"
                      ".SH SYNOPSIS\n\\fBmemplan\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] "
                      "[\\fIOPERAND\\fR...]\n.SH DESCRIPTION\n"
                      "Which tensor gets which address in one arena, so that the peak is least. "
                      "Each command has a page of its own, memplan\\-COMMAND(1), and "
                      "\\fB\\-\\-help\\fR.\n.SH COMMANDS\n");
    for (uint32_t i = 0; i < known->count; i++) {
        /* Appends a request with a text in quotes. */
        text_append(page, "%s \"", ".TP\n.B");
        append_plain(page, known->command[i]->name);
        text_append(page, "\"\n");
        append_plain(page, known->command[i]->summary);
        text_append(page, "\n");
    }
    append_exit_codes(page);
}

/* Writes the page of a command, or that of the program where command is NULL; path is NULL for
   standard output. */
static enum status write_page(const struct command *command, const struct command_table *known,
                              const char *path, struct error *error)
{
    SCOPED(text_free) struct text page = {0};
    if (command)
        append_command_page(&page, command, known);
    else
        append_program_page(&page, known);
    return print_text(&page, path, error);
}

static enum status write_file(const struct command *command, const struct command_table *known,
                              const char *folder, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    text_append(&path, "%s/memplan%s%s.1", folder, command ? "-" : "",
                command ? command->name : "");
    TRY(text_check(&path, error));
    return write_page(command, known, path.bytes, error);
}

static enum status run_manual(const struct arguments *arguments, struct error *error)
{
    const struct command_table *known = arguments->known;
    if (arguments->output && arguments->operands)
        return error_set(error, STATUS_USAGE, "found a command and -o, which takes all pages");
    if (arguments->output) {
        TRY(file_create_folder(arguments->output, error));
        TRY(write_file(NULL, known, arguments->output, error));
        for (uint32_t i = 0; i < known->count; i++)
            TRY(write_file(known->command[i], known, arguments->output, error));
        return STATUS_OK;
    }
    if (!arguments->operands)
        return write_page(NULL, known, NULL, error);
    const struct command *command = command_find(known, arguments->operand[0]);
    return command ? write_page(command, known, NULL, error)
                   : command_refuse(known, arguments->operand[0], error);
}

const struct command command_manual = {
    .name = "manual",
    .is_for_shells = true,
    .summary = "the page of the program or of a command, for man",
    .operands = "[COMMAND]",
    .kind = "commands",
    .most = 1,
    .options = OPTIONS(OPTION_OUTPUT),
    .description =
        "With -o FOLDER all pages are written there. cmake --install puts them where man "
        "looks for them.",
    .examples = "memplan manual plan\nmemplan manual -o man",
    .run = run_manual,
};
