#include "results/best/list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "results/store/row.h"
#include "results/table/escape.h"

extern const struct embedded_file best_builtin[];

static const struct column {
    const char *name;
    bool is_text;
    size_t offset; /* in struct best_known */
} columns[] = {
#define TEXT(name) {#name, true, offsetof(struct best_known, name)},
#define INTEGER(name) {#name, false, offsetof(struct best_known, name)},
#include "results/best/columns.def"
#undef TEXT
#undef INTEGER
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const char **text_field(struct best_known *line, const struct column *column)
{
    return (const char **)((char *)line + column->offset);
}

static const char *get_text(const struct best_known *line, const struct column *column)
{
    return *(const char *const *)((const char *)line + column->offset);
}

static uint64_t get_number(const struct best_known *line, const struct column *column)
{
    return *(const uint64_t *)((const char *)line + column->offset);
}

static void free_line(struct best_known *line)
{
    for (int i = 0; i < COLUMNS; i++)
        if (columns[i].is_text)
            memory_free((char *)get_text(line, &columns[i]));
}

void best_list_free(struct best_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free_line(&list->line[i]);
    memory_free(list->line);
    *list = (struct best_list){0};
}

static int compare_problems(const struct best_known *a, const struct best_known *b)
{
    int order = strcmp(a->digest, b->digest);
    order = order ? order : strcmp(a->policy, b->policy);
    return order ? order : strcmp(a->options, b->options);
}

/* The place of the line for the problem of *key, or the place where it would be inserted. */
static uint32_t find_place(const struct best_list *list, const struct best_known *key)
{
    return BINARY_SEARCH(at, 0, list->count, compare_problems(&list->line[at], key) >= 0);
}

static bool stands_at(const struct best_list *list, uint32_t place, const struct best_known *key)
{
    return place < list->count && compare_problems(&list->line[place], key) == 0;
}

const struct best_known *best_list_find(const struct best_list *list, const char *digest,
                                        const char *policy, const char *options)
{
    const struct best_known key = {.digest = digest, .policy = policy, .options = options};
    uint32_t place = find_place(list, &key);
    return stands_at(list, place, &key) ? &list->line[place] : NULL;
}

unsigned best_rank_proof(const char *proof)
{
    return strcmp(proof, RESULT_PROOF_VERIFIED) == 0  ? 2
           : strcmp(proof, RESULT_PROOF_CHECKED) == 0 ? 1
                                                      : 0;
}

/* What a cost says, in thousandths. False where it is no cost. */
static bool parse_cost(const char *text, uint64_t *cost)
{
    enum { DIGITS = 3, PARTS = 1000 };
    size_t whole = strcspn(text, "."), digits = text[whole] ? strlen(text + whole + 1) : 0;
    uint64_t parts = 0;
    if (strcmp(text, BEST_INFINITE) == 0) {
        *cost = UINT64_MAX;
        return true;
    }
    if (!text_parse_u64(text, whole, cost) || *cost > INT64_MAX / PARTS || digits > DIGITS ||
        (text[whole] && !text_parse_u64(text + whole + 1, digits, &parts)))
        return false;
    for (; digits < DIGITS; digits++)
        parts *= 10;
    *cost = *cost * PARTS + parts;
    return true;
}

static uint64_t read_cost(const char *text, uint64_t none)
{
    uint64_t cost;
    return text && *text && parse_cost(text, &cost) ? cost : none;
}

uint64_t best_cost(const struct best_known *line)
{
    return read_cost(line->cost, UINT64_MAX);
}

uint64_t best_cost_bound(const struct best_known *line)
{
    return read_cost(line->cost_bound, 0);
}

static const char *work_out_status(const struct best_known *line)
{
    uint64_t cost = best_cost(line), bound = best_cost_bound(line);
    if (cost != UINT64_MAX)
        return cost == bound ? RESULT_OPTIMAL : RESULT_FEASIBLE;
    if (bound == UINT64_MAX)
        return RESULT_INFEASIBLE;
    if (!line->peak_bytes)
        return "";
    return line->peak_bytes == line->lower_bound_bytes ? RESULT_OPTIMAL : RESULT_FEASIBLE;
}

static enum status copy_line(const struct best_known *line, struct best_known *copy,
                             struct error *error)
{
    struct best_known source = *line;
    bool complete = true;
    source.status = work_out_status(line);
    *copy = source;
    for (int i = 0; i < COLUMNS; i++) {
        const char *text = columns[i].is_text ? get_text(&source, &columns[i]) : NULL;
        if (!columns[i].is_text)
            continue;
        *text_field(copy, &columns[i]) = memory_copy_text(text ? text : "");
        complete &= get_text(copy, &columns[i]) != NULL;
    }
    if (complete)
        return STATUS_OK;
    free_line(copy);
    return error_no_memory(error);
}

enum status best_list_put(struct best_list *list, const struct best_known *line,
                          struct error *error)
{
    struct best_known copy;
    assert(line->digest && line->policy && line->options);
    TRY(memory_reserve(&list->line, &list->capacity, (size_t)list->count + 1, sizeof *list->line,
                       error));
    TRY(copy_line(line, &copy, error));
    uint32_t place = find_place(list, &copy);
    if (stands_at(list, place, &copy)) {
        free_line(&list->line[place]);
    } else {
        memmove(&list->line[place + 1], &list->line[place],
                (list->count - place) * sizeof *list->line);
        list->count++;
    }
    list->line[place] = copy;
    return STATUS_OK;
}

/* A list that is being read. */
struct reading {
    const char *path;
    unsigned line_number;
    const char *at, *end; /* the part of the line that is not read yet */
    struct text field;
};

static void free_reading(struct reading *reading)
{
    text_free(&reading->field);
}

static enum status fail_at(const struct reading *reading, const char *found, const char *expected,
                           struct error *error)
{
    return error_set_at(error, STATUS_BAD_INPUT, reading->path, reading->line_number,
                        "found %s, expected %s", found, expected);
}

/* Reads the next field of the line into reading->field and moves behind what ends it: a comma, or
   for the last field the end of the line. In quotes a doubled quote stands for one quote. */
static enum status read_field(struct reading *reading, bool is_last, struct error *error)
{
    const char *at = reading->at, *end = reading->end;
    reading->field.length = 0;
    text_append_bytes(&reading->field, "", 0);
    if (at < end && *at == '"') {
        for (at++; at < end; at++) {
            bool doubled = at + 1 < end && at[1] == '"';
            if (*at == '"' && !doubled)
                break;
            at += *at == '"';
            text_append_bytes(&reading->field, at, 1);
        }
        if (at == end)
            return fail_at(reading, "no quote at the end of a field", "one", error);
        at++;
    }
    while (at < end && *at != ',')
        text_append_bytes(&reading->field, at++, 1);
    TRY(text_check(&reading->field, error));
    if (is_last != (at == end))
        return fail_at(reading, is_last ? "more fields" : "too few fields",
                       "as many as the heading has", error);
    reading->at = at + !is_last;
    return STATUS_OK;
}

static enum status read_value(struct reading *reading, int column, struct best_known *line,
                              struct error *error)
{
    uint64_t *number = (uint64_t *)((char *)line + columns[column].offset);
    TRY(read_field(reading, column + 1 == COLUMNS, error));
    if (columns[column].is_text) {
        *text_field(line, &columns[column]) = memory_copy_text(reading->field.bytes);
        return get_text(line, &columns[column]) ? STATUS_OK : error_no_memory(error);
    }
    *number = 0;
    if (!reading->field.length ||
        (text_parse_u64(reading->field.bytes, reading->field.length, number) &&
         *number <= INT64_MAX))
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, reading->path, reading->line_number,
                        "found '%s' as %s, expected a number up to 2^63 - 1", reading->field.bytes,
                        columns[column].name);
}

static enum status read_line(struct reading *reading, struct best_list *list, struct error *error)
{
    SCOPED(free_line) struct best_known line = {0};
    for (int i = 0; i < COLUMNS; i++)
        TRY(read_value(reading, i, &line, error));
    if (!*line.digest || !*line.policy)
        return fail_at(reading, "no digest or no policy", "both", error);
    if (line.peak_bytes && line.peak_bytes < line.lower_bound_bytes)
        return fail_at(reading, "a peak below the lower bound", "none", error);
    uint64_t cost = 0;
    if ((*line.cost && (!parse_cost(line.cost, &cost) || cost == UINT64_MAX)) ||
        (*line.cost_bound && !parse_cost(line.cost_bound, &cost)))
        return fail_at(reading, "a cost that is no number",
                       "one with at most three digits behind the point", error);
    if (*line.cost && best_cost(&line) < best_cost_bound(&line))
        return fail_at(reading, "a cost below its bound", "none", error);
    if (strcmp(line.status, work_out_status(&line)) != 0)
        return error_set_at(error, STATUS_BAD_INPUT, reading->path, reading->line_number,
                            "found status '%s', expected '%s' by the numbers", line.status,
                            work_out_status(&line));
    if (*line.proof && (strcmp(line.status, RESULT_OPTIMAL) != 0 || !best_rank_proof(line.proof)))
        return fail_at(reading, "a proof of no optimum, or of an unknown kind",
                       "checked or verified, of an optimum", error);
    if (strchr(line.witness, '/'))
        return fail_at(reading, "a witness with a folder", "the name of a file", error);
    if (best_list_find(list, line.digest, line.policy, line.options))
        return fail_at(reading, "a problem for the second time", "each once", error);
    return best_list_put(list, &line, error);
}

enum status best_list_parse(const struct text *text, const char *path, struct best_list *list,
                            struct error *error)
{
    SCOPED(free_reading) struct reading reading = {.path = path};
    struct text_line line = {0};
    assert(!list->count);
    while (text_next_line(text, &line)) {
        reading.line_number = line.number;
        reading.at = line.start;
        reading.end = line.start + line.length;
        for (int i = 0; line.number == 1 && i < COLUMNS; i++) {
            TRY(read_field(&reading, i + 1 == COLUMNS, error));
            if (strcmp(reading.field.bytes, columns[i].name) != 0)
                return error_set_at(error, STATUS_BAD_INPUT, path, line.number,
                                    "found column '%s', expected '%s'", reading.field.bytes,
                                    columns[i].name);
        }
        if (line.number > 1)
            TRY(read_line(&reading, list, error));
    }
    return line.number ? STATUS_OK : fail_at(&reading, "nothing", "a heading", error);
}

enum status best_list_read(const char *path, struct best_list *list, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    const struct text builtin = {.bytes = (char *)best_builtin[0].bytes,
                                 .length = best_builtin[0].length};
    if (!path)
        return best_list_parse(&builtin, "results/best_known.csv", list, error);
    TRY(text_read_file(path, &text, error));
    return best_list_parse(&text, path, list, error);
}

static int compare_for_people(const void *left, const void *right)
{
    const struct best_known *const *a = left, *const *b = right;
    int order = strcmp((*a)->instance, (*b)->instance);
    order = order ? order : strcmp((*a)->policy, (*b)->policy);
    order = order ? order : strcmp((*a)->options, (*b)->options);
    return order ? order : strcmp((*a)->digest, (*b)->digest);
}

enum status best_list_sort(const struct best_list *list, const struct best_known ***sorted,
                           struct error *error)
{
    TRY(memory_create(sorted, list->count, sizeof **sorted, error));
    for (uint32_t i = 0; i < list->count; i++)
        (*sorted)[i] = &list->line[i];
    qsort(*sorted, list->count, sizeof **sorted, compare_for_people);
    return STATUS_OK;
}

enum status best_list_write(const struct best_list *list, struct text *text, struct error *error)
{
    const struct best_known **sorted;
    TRY(best_list_sort(list, &sorted, error));
    for (int i = 0; i < COLUMNS; i++)
        text_append(text, "%s%s", i ? "," : "", columns[i].name);
    text_append(text, "\n");
    for (uint32_t i = 0; i < list->count; i++) {
        for (int c = 0; c < COLUMNS; c++) {
            text_append(text, c ? "," : "");
            if (columns[c].is_text)
                escape_csv(text, get_text(sorted[i], &columns[c]));
            else if (get_number(sorted[i], &columns[c]))
                text_append(text, "%llu", (unsigned long long)get_number(sorted[i], &columns[c]));
        }
        text_append(text, "\n");
    }
    memory_free(sorted);
    return text_check(text, error);
}
