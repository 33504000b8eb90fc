#include "datasets/generate/generate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define GENERATOR(name) extern const struct generate_kind generate_##name;
#include "datasets/generate/generators.def"
#undef GENERATOR

#define GENERATOR(name) &generate_##name,
static const struct generate_kind *const kinds[] = {
#include "datasets/generate/generators.def"
};
#undef GENERATOR

enum { WORD_BYTES = 64, DERIVED_BYTES = 256 };

ROWS_DEFINE_POINTERS(generate, struct generate_kind, kinds);
ROWS_DEFINE_NAME(generate);

enum status generate_find(const char *name, const struct generate_kind **kind, struct error *error)
{
    uint32_t index = rows_find(name, generate_count(), generate_name);
    if (index == generate_count())
        return rows_refuse(
            &(struct rows_kind){"generator", "memplan list generators", NULL, index, generate_name},
            name, strlen(name), error);
    *kind = kinds[index];
    return STATUS_OK;
}

void generate_start(const struct generate_kind *kind, struct generate_settings *settings)
{
    *settings = (struct generate_settings){.seed = 1};
    for (uint32_t i = 0; i < kind->options; i++)
        settings->value[i] = kind->option[i].initial;
}

/* Copies the word at a position of a blank-separated list; false behind the last one. */
static bool get_choice(const char *choices, uint64_t position, char word[WORD_BYTES])
{
    for (; position > 0 && choices; position--) {
        choices = strchr(choices, ' ');
        choices = choices ? choices + 1 : NULL;
    }
    if (choices)
        snprintf(word, WORD_BYTES, "%.*s", (int)strcspn(choices, " "), choices);
    return choices != NULL;
}

static enum status set_number(const struct generate_option *option, const char *text,
                              uint64_t *value, struct error *error)
{
    uint64_t number;
    if (!text_parse_bytes(text, &number) || number < option->least || number > option->most)
        return error_set(error, STATUS_USAGE,
                         "found '%s' as %s (%s), expected a number from %" PRIu64 " to %" PRIu64,
                         text, option->name, option->help, option->least, option->most);
    *value = number;
    return STATUS_OK;
}

/* Sets an option or "seed". */
static enum status set_option(const struct generate_kind *kind, struct generate_settings *settings,
                              const char *name, const char *value, struct error *error)
{
    static const struct generate_option seed = {"seed",    1,    0,
                                                INT64_MAX, NULL, "of everything random"};
    char known[256] = "seed", word[WORD_BYTES];
    if (strcmp(name, seed.name) == 0)
        return set_number(&seed, value, &settings->seed, error);
    for (uint32_t i = 0; i < kind->options; i++) {
        const struct generate_option *option = &kind->option[i];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, ", %s", option->name);
        if (strcmp(option->name, name) != 0)
            continue;
        if (!option->choices)
            return set_number(option, value, &settings->value[i], error);
        for (uint64_t choice = 0; get_choice(option->choices, choice, word); choice++)
            if (strcmp(word, value) == 0) {
                settings->value[i] = choice;
                return STATUS_OK;
            }
        return error_set(error, STATUS_USAGE, "found '%s' as %s, expected one of: %s", value, name,
                         option->choices);
    }
    return error_set(error, STATUS_USAGE, "%s has no option '%s', expected some of %s", kind->name,
                     name, known);
}

enum status generate_set_list(const struct generate_kind *kind, struct generate_settings *settings,
                              const char *list, char separator, struct error *error)
{
    for (const char *item = list; item;) {
        char name[WORD_BYTES], value[WORD_BYTES];
        const char *next = strchr(item, separator);
        size_t length = next ? (size_t)(next - item) : strlen(item), split = strcspn(item, "=");
        if (text_repeats_name(list, item, separator))
            return error_set(error, STATUS_USAGE, "option %.*s of %s is given twice, expected once",
                             (int)split, item, kind->name);
        if (!length || split >= length || split >= WORD_BYTES || length - split > WORD_BYTES)
            return error_set(error, STATUS_USAGE, "found '%.*s', expected NAME=VALUE", (int)length,
                             item);
        snprintf(name, sizeof name, "%.*s", (int)split, item);
        snprintf(value, sizeof value, "%.*s", (int)(length - split - 1), item + split + 1);
        TRY(set_option(kind, settings, name, value, error));
        item = next ? next + 1 : NULL;
    }
    return STATUS_OK;
}

bool generate_is_name(const char *name)
{
    return strncmp(name, GENERATE_PREFIX, strlen(GENERATE_PREFIX)) == 0;
}

enum status generate_parse_name(const char *name, const struct generate_kind **kind,
                                struct generate_settings *settings, struct error *error)
{
    char word[WORD_BYTES];
    const char *start = name + strlen(GENERATE_PREFIX);
    size_t length = strcspn(start, "?");
    snprintf(word, sizeof word, "%.*s", (int)(length < WORD_BYTES ? length : WORD_BYTES), start);
    TRY(generate_find(word, kind, error));
    generate_start(*kind, settings);
    return start[length] ? generate_set_list(*kind, settings, start + length + 1, '&', error)
                         : STATUS_OK;
}

enum status generate_parse_derived(const char *name, const struct generate_rules *rules,
                                   struct generate_derived *derived, struct error *error)
{
    const char *text = name + strlen(rules->prefix);
    size_t length = strcspn(text, "?:"), end = strcspn(text, ":");
    char options[DERIVED_BYTES];
    assert(strncmp(name, rules->prefix, strlen(rules->prefix)) == 0);
    derived->rule = 0;
    while (derived->rule < rules->rows.count &&
           (strlen(rules->rows.name_at(derived->rule)) != length ||
            memcmp(rules->rows.name_at(derived->rule), text, length) != 0))
        derived->rule++;
    if (derived->rule == rules->rows.count)
        return rows_refuse(&rules->rows, text, length, error);
    const struct generate_kind *kind = rules->kind_at(derived->rule);
    if (!text[end])
        return error_set(error, STATUS_USAGE, "found '%s', expected %s:NAME, of what is changed",
                         name, name);
    generate_start(kind, &derived->settings);
    if (end - length > sizeof options)
        return error_set(error, STATUS_USAGE, "found options of %zu characters, expected %s:NAME",
                         end - length, kind->name);
    if (end > length) {
        snprintf(options, sizeof options, "%.*s", (int)(end - length) - 1, text + length + 1);
        TRY(generate_set_list(kind, &derived->settings, options, '&', error));
    }
    derived->of = text + end + 1;
    return STATUS_OK;
}

void generate_write_name(const struct generate_kind *kind, const struct generate_settings *settings,
                         char name[GENERATE_NAME_BYTES])
{
    char word[WORD_BYTES];
    int used = snprintf(name, GENERATE_NAME_BYTES, GENERATE_PREFIX "%s?", kind->name);
    for (uint32_t i = 0; i < kind->options; i++) {
        snprintf(word, sizeof word, "%" PRIu64, settings->value[i]);
        if (kind->option[i].choices)
            get_choice(kind->option[i].choices, settings->value[i], word);
        used += snprintf(name + used, (size_t)(GENERATE_NAME_BYTES - used), "%s=%s&",
                         kind->option[i].name, word);
    }
    snprintf(name + used, (size_t)(GENERATE_NAME_BYTES - used), "seed=%" PRIu64, settings->seed);
}
