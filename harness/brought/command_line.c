#include "harness/brought/command_line.h"

#include <string.h>

#include "core/memory.h"
#include "core/text.h"

struct splitter {
    const char *at;
    char quote; /* the quote that is open, or 0 */
    bool in_word;
    size_t words;
    const struct command_value *value; /* [values] */
    size_t values;
    struct text text; /* the words so far, each followed by a zero */
};

static void add_bytes(struct splitter *splitter, const char *bytes, size_t length)
{
    splitter->in_word = true;
    text_append_bytes(&splitter->text, bytes, length);
}

static void end_word(struct splitter *splitter)
{
    if (splitter->in_word) {
        text_append_bytes(&splitter->text, "", 1);
        splitter->words++;
    }
    splitter->in_word = false;
}

/* Replaces a name in braces by its value; called at an opening brace. */
static enum status add_value(struct splitter *splitter, struct error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    const char *name = splitter->at + 1;
    size_t length = strspn(name, letters);
    char known[256] = "";
    if (!length || name[length] != '}') {
        add_bytes(splitter, splitter->at++, 1);
        return STATUS_OK;
    }
    for (size_t i = 0; i < splitter->values; i++) {
        const struct command_value *value = &splitter->value[i];
        if (strlen(value->name) == length && strncmp(value->name, name, length) == 0) {
            add_bytes(splitter, value->value, strlen(value->value));
            splitter->at += length + 2;
            return STATUS_OK;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s{%s}", i ? ", " : "",
                 value->name);
    }
    return error_set(error, STATUS_USAGE, "found '%.*s' in the command, expected one of %s",
                     (int)length + 2, splitter->at, known);
}

static enum status take_character(struct splitter *splitter, struct error *error)
{
    char character = *splitter->at;
    bool quotes = character == '"' || character == '\'';
    if (character == '{')
        return add_value(splitter, error);
    if (character == '\\' && splitter->quote != '\'' && splitter->at[1]) {
        add_bytes(splitter, splitter->at + 1, 1);
        splitter->at += 2;
        return STATUS_OK;
    }
    if (quotes && (!splitter->quote || splitter->quote == character)) {
        splitter->quote = splitter->quote ? '\0' : character;
        splitter->in_word = true;
    } else if (strchr(" \t\n\r", character) && !splitter->quote) {
        end_word(splitter);
    } else {
        add_bytes(splitter, &character, 1);
    }
    splitter->at++;
    return STATUS_OK;
}

static void clear_splitter(struct splitter *splitter)
{
    text_free(&splitter->text);
}

enum status command_line_split(const char *command, const struct command_value *value,
                               size_t values, char ***words, struct error *error)
{
    SCOPED(clear_splitter)
    struct splitter splitter = {.at = command, .value = value, .values = values};
    while (*splitter.at)
        TRY(take_character(&splitter, error));
    end_word(&splitter);
    if (splitter.quote)
        return error_set(error, STATUS_USAGE, "found an open %c in the command, expected another",
                         splitter.quote);
    if (!splitter.words)
        return error_set(error, STATUS_USAGE, "found no word in the command, expected a program");
    TRY(text_check(&splitter.text, error));
    /* One block of memory holds the pointers and behind them the text to which they point. */
    size_t pointers_bytes = (splitter.words + 1) * sizeof(char *);
    TRY(memory_create(words, pointers_bytes + splitter.text.length, 1, error));
    char *word = (char *)*words + pointers_bytes;
    memcpy(word, splitter.text.bytes, splitter.text.length);
    for (size_t i = 0; i < splitter.words; i++) {
        (*words)[i] = word;
        word += strlen(word) + 1;
    }
    return STATUS_OK;
}
