#include "results/store/measures.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "results/store/sqlite.h"

#define COLUMNS "run, instance, digest, topic, variant, name, value, host, build, started"
enum { TEXTS = 9, VALUE = 6 };

/* Lists pointers to the texts of a measure in the order of the columns; the value is not among
   them. */
static void list_texts(struct measure *measure, const char **texts[TEXTS])
{
    const char **listed[TEXTS] = {&measure->run,   &measure->instance, &measure->digest,
                                  &measure->topic, &measure->variant,  &measure->name,
                                  &measure->host,  &measure->build,    &measure->started};
    memcpy(texts, listed, sizeof listed);
}

static int find_column(int text)
{
    return text < VALUE ? text : text + 1;
}

static enum status bind_measure(struct store *store, sqlite3_stmt *statement,
                                struct measure measure, struct error *error)
{
    const char **texts[TEXTS];
    list_texts(&measure, texts);
    for (int i = 0; i < TEXTS; i++)
        if (sqlite3_bind_text(statement, find_column(i) + 1, *texts[i], -1, SQLITE_TRANSIENT) !=
            SQLITE_OK)
            return sqlite_error(store, "write a measure", error);
    if (sqlite3_bind_int64(statement, VALUE + 1, measure.value) != SQLITE_OK)
        return sqlite_error(store, "write a measure", error);
    return STATUS_OK;
}

static enum status insert_measures(struct store *store, sqlite3_stmt *statement,
                                   const struct measure *measures, uint32_t count,
                                   struct error *error)
{
    int found;
    for (uint32_t i = 0; i < count; i++) {
        TRY(bind_measure(store, statement, measures[i], error));
        TRY(sqlite_step(store, statement, &found, error));
        sqlite3_reset(statement);
    }
    return STATUS_OK;
}

enum status measures_write(struct store *store, const struct measure *measures, uint32_t count,
                           struct error *error)
{
    sqlite3_stmt *statement = NULL;
    enum status status = sqlite_prepare(store,
                                        "INSERT OR REPLACE INTO measure (" COLUMNS
                                        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                                        &statement, error);
    if (!status)
        status = sqlite_begin(store, error);
    if (!status)
        status =
            sqlite_end(store, insert_measures(store, statement, measures, count, error), error);
    sqlite3_finalize(statement);
    return status;
}

static enum status prepare_newest(struct store *store, const char *run, const char *topic,
                                  sqlite3_stmt **statement, struct error *error)
{
    TRY(sqlite_prepare(
        store,
        "WITH wanted AS (SELECT *, rowid AS place FROM measure WHERE ifnull(run = ?1, 1)"
        "  AND topic = ?2),"
        " content AS (SELECT instance, digest, row_number() OVER (PARTITION BY instance"
        "  ORDER BY started DESC, place DESC) AS age FROM wanted),"
        " newest AS (SELECT *, row_number() OVER (PARTITION BY instance, variant, name"
        "  ORDER BY started DESC, place DESC) AS age FROM wanted WHERE (instance, digest) IN"
        "  (SELECT instance, digest FROM content WHERE age = 1))"
        " SELECT " COLUMNS " FROM newest WHERE age = 1 ORDER BY instance, variant, name",
        statement, error));
    if (sqlite3_bind_text(*statement, 1, run, -1, SQLITE_TRANSIENT) != SQLITE_OK ||
        sqlite3_bind_text(*statement, 2, topic, -1, SQLITE_TRANSIENT) != SQLITE_OK)
        return sqlite_error(store, "read the measures", error);
    return STATUS_OK;
}

static bool is_chosen(const struct result_choice *choice, sqlite3_stmt *statement)
{
    const char *instance = (const char *)sqlite3_column_text(statement, 1);
    return choice_takes_instance(choice, instance ? instance : "", "");
}

static enum status add_measure(struct measure_set *set, const struct result_choice *choice,
                               sqlite3_stmt *statement, struct error *error)
{
    const char **texts[TEXTS];
    if (!is_chosen(choice, statement))
        return STATUS_OK;
    TRY(memory_reserve(&set->measure, &set->capacity, set->count + (size_t)1, sizeof *set->measure,
                       error));
    struct measure *added = &set->measure[set->count++];
    *added = (struct measure){.value = sqlite3_column_int64(statement, VALUE)};
    list_texts(added, texts);
    for (int i = 0; i < TEXTS; i++) {
        char *copy;
        TRY(sqlite_text(statement, find_column(i), &copy, error));
        *texts[i] = copy;
    }
    return STATUS_OK;
}

enum status measures_read(struct store *store, const struct result_choice *choice,
                          const char *topic, struct measure_set *set, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 0;
    enum status status;
    TRY_OR_DONE(status, sqlite_has_table(store, "measure", &found, error));
    if (!found)
        return STATUS_OK;
    TRY_OR_DONE(status,
                prepare_newest(store, choice ? choice->run : NULL, topic, &statement, error));
    for (;;) {
        TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, add_measure(set, choice, statement, error));
    }
done:
    sqlite3_finalize(statement);
    if (status)
        measures_free(set);
    return status;
}

void measures_free(struct measure_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const char **texts[TEXTS];
        list_texts(&set->measure[i], texts);
        for (int t = 0; t < TEXTS; t++)
            memory_free((char *)*texts[t]);
    }
    memory_free(set->measure);
    *set = (struct measure_set){0};
}

bool measures_find(const struct measure_set *set, const char *instance, const char *variant,
                   const char *name, int64_t *value)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        if (strcmp(measure->instance, instance) == 0 && strcmp(measure->variant, variant) == 0 &&
            strcmp(measure->name, name) == 0) {
            *value = measure->value;
            return true;
        }
    }
    return false;
}

bool measures_find_part(const struct measure_set *set, const char *instance, const char *variant,
                        const char *part, const char *word, int64_t *value)
{
    char name[2 * MEASURE_PART_BYTES];
    snprintf(name, sizeof name, "%s %s", part, word);
    return measures_find(set, instance, variant, name, value);
}

bool measure_part(const struct measure *measure, const char *word, char part[MEASURE_PART_BYTES])
{
    size_t length = strlen(measure->name), tail = strlen(word) + 1;
    if (length <= tail || length - tail >= MEASURE_PART_BYTES ||
        measure->name[length - tail] != ' ' || strcmp(measure->name + length - tail + 1, word) != 0)
        return false;
    memcpy(part, measure->name, length - tail);
    part[length - tail] = '\0';
    return true;
}
