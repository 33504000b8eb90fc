/* The command complete: prints the candidates for the last word of a command line, one a line, with
   a tab and a description. A shell calls it at every press of a key, so it reads only tables that
   are compiled in. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/names/kinds.h"
#include "cli/output/print.h"

/* What is completed, and where the candidates go. */
struct completion {
    const struct arguments *arguments;
    const char *typed; /* beginning of the candidate */
    const char *kept;  /* [kept_length] the part of the word in front of it, which stays */
    size_t kept_length;
    struct text *text;
};

/* Prints a candidate with the first line of its title. */
static void offer(const struct completion *completion, const char *before, const char *name,
                  const char *title)
{
    size_t length = strlen(completion->typed), before_length = strlen(before);
    if (length < before_length
            ? strncmp(before, completion->typed, length) != 0
            : strncmp(before, completion->typed, before_length) != 0 ||
                  strncmp(name, completion->typed + before_length, length - before_length) != 0)
        return;
    text_append_bytes(completion->text, completion->kept, completion->kept_length);
    text_append(completion->text, "%s%s\t%.*s\n", before, name, (int)strcspn(title, "\n\t"), title);
}

static void offer_kind(const struct completion *completion, const char *kind_name)
{
    const struct kind *kind = kind_find(kind_name);
    for (uint32_t i = 0; kind && i < kind->count(completion->arguments); i++) {
        const struct kind_row row = kind->row(completion->arguments, i);
        offer(completion, "", row.name, row.title);
    }
}

/* Offers the words of a usage line that have to be typed as they are, like those in [list | verify
   | clear] or half-open|inclusive. NAME|FILE.json has none. */
static void offer_choices(const struct completion *completion, const char *usage)
{
    static const char between[] = " []|";
    char choice[64];
    if (!strchr(usage, '|'))
        return;
    for (const char *at = usage + strspn(usage, between); *at; at += strspn(at, between)) {
        size_t length = strcspn(at, between);
        snprintf(choice, sizeof choice, "%.*s", (int)length, at);
        bool is_word = islower((unsigned char)choice[0]) || isdigit((unsigned char)choice[0]);
        for (const char *letter = choice; *letter; letter++)
            is_word = is_word && !isupper((unsigned char)*letter) && *letter != '.';
        if (is_word && length < sizeof choice)
            offer(completion, "", choice, "");
        at += length;
    }
}

/* Offers values of an option for the last one of a list that is separated by commas. */
static void offer_values(const struct completion *completion, const struct option_row *row,
                         const char *value)
{
    struct completion last = *completion;
    const char *comma = strrchr(value, ',');
    last.kept = completion->typed;
    last.typed = comma ? comma + 1 : value;
    last.kept_length = (size_t)(last.typed - completion->typed);
    if (row->kind)
        offer_kind(&last, row->kind);
    else
        offer_choices(&last, row->value);
}

/* The option whose value is the next word; NULL where the word is no such option. */
static const struct option_row *find_waiting(const struct command *command, const char *word)
{
    for (const enum option_id *id = command->options; *id != OPTION_END; id++) {
        const struct option_row *row = option_rows_at(*id);
        bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0;
        bool is_short = word[0] == '-' && word[1] && word[1] == row->letter && !word[2];
        if ((is_long || is_short) && row->value && !row->optional)
            return row;
    }
    return NULL;
}

/* The option in a word --name=value; NULL for any other word. */
static const struct option_row *find_attached(const struct command *command, const char *word)
{
    size_t length = strcspn(word, "=");
    for (const enum option_id *id = command->options; *id != OPTION_END; id++) {
        const struct option_row *row = option_rows_at(*id);
        if (word[length] && strlen(row->name) + 2 == length && strncmp(word, "--", 2) == 0 &&
            strncmp(word + 2, row->name, length - 2) == 0)
            return row;
    }
    return NULL;
}

static void complete_word(const struct completion *completion, const struct command *command,
                          const char *before)
{
    const char *word = completion->typed;
    const struct option_row *waiting = find_waiting(command, before);
    const struct option_row *attached = find_attached(command, word);
    if (waiting)
        offer_values(completion, waiting, word);
    else if (attached)
        offer_values(completion, attached, strchr(word, '=') + 1);
    else if (word[0] == '-') {
        for (const enum option_id *id = command->options; *id != OPTION_END; id++)
            offer(completion, "--", option_rows_at(*id)->name, command_help(command, *id));
        offer(completion, "--", "help", "what the command does, its options, examples");
    } else if (command->kind)
        offer_kind(completion, command->kind);
    else
        offer_choices(completion, command->operands);
}

static enum status run_complete(const struct arguments *arguments, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    uint32_t words = arguments->operands;
    struct completion completion = {
        .arguments = arguments, .typed = arguments->operand[words - 1], .kept = "", .text = &text};
    const struct command *command =
        words > 1 ? command_find(arguments->known, arguments->operand[0]) : NULL;
    if (words == 1 || strcmp(arguments->operand[0], "help") == 0) {
        offer_kind(&completion, "commands");
        offer(&completion, "", "help", "what there is to ask for");
        offer(&completion, "--", "help", "what there is to ask for");
        offer(&completion, "--", "version", "the version of the program");
    } else if (command)
        complete_word(&completion, command, words > 2 ? arguments->operand[words - 2] : "");
    TRY(text_check(&text, error));
    if (text.length)
        TRY(print_text(&text, NULL, error));
    return STATUS_OK;
}

const struct command command_complete = {
    .name = "complete",
    .is_for_shells = true,
    .summary = "what may end a command line, for the completion of shells",
    .operands = "-- WORD...",
    .least = 1,
    .most = UINT32_MAX,
    .options = (const enum option_id[]){OPTION_END},
    .description =
        "The words are those behind memplan, the last one is completed; it may be empty. "
        "Each line is a candidate, a tab, and what it is. No line: a file, perhaps. bash, "
        "zsh and fish ask this command; cmake --install puts what they need in place.",
    .examples = "memplan complete -- plan luna/d\n"
                "memplan complete -- bench --planners naive,tfl",
    .run = run_complete,
};
