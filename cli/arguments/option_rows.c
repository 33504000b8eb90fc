#include "cli/arguments/option_rows.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "datasets/csv/dialect.h"
#include "dma/modes/modes.h"

enum { MOST_WORKERS = 256, MOST_DISABLED = 256, MOST_SHARDS = 1000000 };

static void *get_field(const struct option_row *row, struct arguments *arguments)
{
    return (char *)arguments + row->field;
}

static bool set_text(const struct option_row *row, struct arguments *arguments, const char *value)
{
    *(const char **)get_field(row, arguments) = value;
    return strlen(value) >= row->least && strlen(value) <= row->most;
}

static bool set_flag(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)value;
    return *(bool *)get_field(row, arguments) = true;
}

static bool set_number(const struct option_row *row, struct arguments *arguments, const char *value)
{
    uint64_t *number = get_field(row, arguments);
    return text_parse_u64(value, strlen(value), number) && *number >= row->least &&
           *number <= row->most;
}

static bool set_bytes(const struct option_row *row, struct arguments *arguments, const char *value)
{
    uint64_t *bytes = get_field(row, arguments);
    return text_parse_bytes(value, bytes) && *bytes >= row->least;
}

static bool parse_range(const struct option_row *row, const char *value, double *number)
{
    char *end;
    *number = strtod(value, &end);
    return end != value && !*end && *number >= (double)row->least && *number <= (double)row->most;
}

/* Sets a time that is given in seconds and kept in nanoseconds. */
static bool set_seconds(const struct option_row *row, struct arguments *arguments,
                        const char *value)
{
    double seconds;
    if (!parse_range(row, value, &seconds))
        return false;
    *(uint64_t *)get_field(row, arguments) = (uint64_t)(seconds * 1e9);
    return true;
}

static bool add_seeds(struct arguments *arguments, uint64_t first, uint64_t last)
{
    if (last < first || last > INT64_MAX || last - first >= ARGUMENTS_MOST_SEEDS - arguments->seeds)
        return false;
    for (uint64_t seed = first; seed <= last; seed++) {
        for (uint32_t i = 0; i < arguments->seeds; i++)
            if (arguments->seed_list[i] == seed)
                return false;
        arguments->seed_list[arguments->seeds++] = seed;
    }
    return true;
}

/* Sets a list of seeds: numbers and ranges separated by commas, in which each seed may occur
   once. */
static bool set_seeds(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ","), first_length = strcspn(at, "-,");
        uint64_t first, last;
        if (!text_parse_u64(at, first_length, &first))
            return false;
        last = first;
        if (first_length < length &&
            !text_parse_u64(at + first_length + 1, length - first_length - 1, &last))
            return false;
        if (!add_seeds(arguments, first, last))
            return false;
        at += length;
        arguments->seed = arguments->seed_list[0];
        if (!*at)
            return true;
    }
}

/* Sets shares that are given in percent and kept in millionths. */
static bool set_tolerance(const struct option_row *row, struct arguments *arguments,
                          const char *value)
{
    static const struct option_row percent = {.most = 1000000};
    char piece[64];
    (void)row;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        const struct {
            const char *name;
            uint64_t *ppm;
        } * share, shares[] = {{"search=", &arguments->search_tolerance_ppm},
                               {"nodes=", &arguments->node_tolerance_ppm},
                               {"", &arguments->tolerance_ppm}};
        double number;
        for (share = shares; strncmp(at, share->name, strlen(share->name)) != 0;)
            share++;
        if (length >= sizeof piece)
            return false;
        memcpy(piece, at, length);
        piece[length] = '\0';
        if (!parse_range(&percent, piece + strlen(share->name), &number))
            return false;
        *share->ppm = (uint64_t)(number * 1e4);
        at += length;
        if (!*at)
            return true;
    }
}

/* Sets "K/N", where 1 <= K <= N. */
static bool set_shard(const struct option_row *row, struct arguments *arguments, const char *value)
{
    size_t length = strcspn(value, "/");
    uint64_t shard, shards;
    (void)row;
    if (!value[length] || !text_parse_u64(value, length, &shard) ||
        !text_parse_u64(value + length + 1, strlen(value + length + 1), &shards))
        return false;
    arguments->shard = (uint32_t)shard;
    arguments->shards = (uint32_t)shards;
    return 1 <= shard && shard <= shards && shards <= MOST_SHARDS;
}

static bool set_bits(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    return text_parse_u64(value, strlen(value), &arguments->bits) &&
           (arguments->bits == 4 || arguments->bits == 8);
}

/* Sets a label of LaTeX, which cannot have what TeX reads as commands and comments. */
static bool set_label(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    arguments->label = value;
    return *value && !strpbrk(value, "\\{}%#~^&$\n");
}

static bool set_theme(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    arguments->is_dark = strcmp(value, "dark") == 0;
    return arguments->is_dark || strcmp(value, "light") == 0;
}

/* Sets how facts are printed. */
static bool set_facts(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    arguments->json = strcmp(value, "json") == 0;
    return arguments->json || strcmp(value, "text") == 0;
}

static bool set_list_format(const struct option_row *row, struct arguments *arguments,
                            const char *value)
{
    arguments->bibtex = strcmp(value, "bibtex") == 0;
    return arguments->bibtex || set_facts(row, arguments, value);
}

static bool set_moves(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    arguments->moves = true;
    arguments->front |= value != NULL;
    return !value || strcmp(value, "front") == 0;
}

static bool set_layout_report(const struct option_row *row, struct arguments *arguments,
                              const char *value)
{
    (void)row;
    arguments->layout_report = value ? value : "-";
    return *arguments->layout_report != '\0';
}

/* Adds a value to a list; where the row asks for it, one of the form NAME=VALUE. */
static bool add_value(const struct option_row *row, struct arguments *arguments, const char *value)
{
    struct argument_list *list = get_field(row, arguments);
    if (list->count == ARGUMENTS_MOST_VALUES)
        return false;
    list->value[list->count++] = value;
    return row->least ? strchr(value, '=') != NULL : *value != '\0';
}

/* Sets who wrote the files, what their times mean, or both. */
static bool set_dialect(const struct option_row *row, struct arguments *arguments,
                        const char *value)
{
    char name[32];
    (void)row;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const struct csv_dialect *dialect = csv_dialect_find(name);
        if (dialect)
            arguments->dialect = dialect;
        else if (!csv_lifetimes_find(name, &arguments->lifetimes))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

#define FIELD(name) .field = offsetof(struct arguments, name)
#define RANGE(from, to) .least = from, .most = to
#define NAMES(of) .kind = of
#define TEXT(name, from) .set = set_text, FIELD(name), RANGE(from, UINT64_MAX)
#define LIST(name, to) .set = set_text, FIELD(name), RANGE(1, to), .repeated = OPTION_JOINED
#define VALUES(name, named) .set = add_value, FIELD(name), .least = named, .repeated = OPTION_EACH
#define FLAG(name) .set = set_flag, FIELD(name), .repeated = OPTION_EACH
#define NUMBER(name, from, to) .set = set_number, FIELD(name), RANGE(from, to), .is_number = true
#define SECONDS(name, to) .set = set_seconds, FIELD(name), RANGE(0, to), .is_number = true
#define BYTES(name, from) .set = set_bytes, FIELD(name), RANGE(from, UINT64_MAX), .is_number = true

static const struct option_row rows[] = {
#define OPTION(identifier, ...) [OPTION_##identifier] = {__VA_ARGS__},
#include "cli/arguments/options.def"
#undef OPTION
};

const struct option_row *option_rows_at(enum option_id id)
{
    assert(id < OPTION_END);
    return &rows[id];
}
