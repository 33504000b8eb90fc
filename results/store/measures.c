#include "results/store/measures.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "results/store/columns.h"
#include "results/store/sqlite.h"

#define TEXT(name) COLUMN(measure, name, COLUMN_TEXT, false, 0)
static const struct column columns[] = {
    TEXT(run) TEXT(instance) TEXT(digest) TEXT(topic) TEXT(variant) TEXT(name) TEXT(host)
        TEXT(build) TEXT(started) COLUMN(measure, value, COLUMN_SIGNED, false, 0)};
#undef TEXT
static const struct column_table columns_of_measures = {"measure", columns,
                                                        sizeof columns / sizeof *columns};
enum { INSTANCE_COLUMN = 1 };

enum status measures_write(struct store *store, const struct measure *measures, uint32_t count,
                           struct error *error)
{
    struct text sql = {0};
    SCOPED(sqlite_release) sqlite3_stmt *statement = NULL;
    columns_insert(&columns_of_measures, "INSERT OR REPLACE", &sql);
    TRY(sqlite_prepare_made(store, &sql, &statement, error));
    TRY(sqlite_begin(store, error));
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        struct column_binding binding = {.store = store, .statement = statement};
        status = columns_bind(&columns_of_measures, &binding, &measures[i], false, error);
        if (!status)
            status = sqlite_once(store, statement, error);
    }
    return sqlite_end(store, status, error);
}

struct taking {
    struct measure_set *set;
    const struct result_choice *choice;
};

static enum status take_measure(void *context, sqlite3_stmt *row, struct error *error)
{
    struct taking *taking = context;
    struct measure_set *set = taking->set;
    const char *instance = (const char *)sqlite3_column_text(row, INSTANCE_COLUMN);
    if (!choice_takes_instance(taking->choice, instance ? instance : "", ""))
        return STATUS_OK;
    TRY(memory_reserve(&set->measure, &set->capacity, set->count + (size_t)1, sizeof *set->measure,
                       error));
    columns_read(&columns_of_measures, row, 0, &set->measure[set->count++], &set->text, NULL);
    return text_check(&set->text, error);
}

enum status measures_read(struct store *store, const struct result_choice *choice,
                          const char *topic, struct measure_set *set, struct error *error)
{
    const char *const texts[] = {choice ? choice->run : NULL, topic};
    struct taking taking = {set, choice};
    struct text sql = {0};
    bool found;
    TRY(sqlite_has_table(store, "measure", &found, error));
    if (!found)
        return STATUS_OK;
    text_append(&sql,
                "WITH wanted AS (SELECT *, rowid AS place FROM measure WHERE ifnull(run = ?1, "
                "1)  AND topic = ?2), content AS (SELECT instance, digest, row_number() OVER "
                "(PARTITION BY instance  ORDER BY started DESC, place DESC) AS age FROM wanted), "
                "newest AS (SELECT *, row_number() OVER (PARTITION BY instance, variant, name  "
                "ORDER BY started DESC, place DESC) AS age FROM wanted WHERE (instance, digest)  "
                "IN (SELECT instance, digest FROM content WHERE age = 1)) SELECT ");
    columns_list(&columns_of_measures, &sql, "", false);
    text_append(&sql, " FROM newest WHERE age = 1 ORDER BY instance, variant, name");
    enum status status = sqlite_ask_made(
        store, &sql, &(struct sqlite_question){texts, 2, take_measure, &taking}, error);
    if (status)
        measures_free(set);
    for (uint32_t i = 0; i < set->count; i++)
        columns_point(&columns_of_measures, &set->measure[i], &set->text);
    return status;
}

void measures_free(struct measure_set *set)
{
    memory_free(set->measure);
    text_free(&set->text);
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

static const char *const words[] = {
#define MEASURE_WORD(symbol, text) text,
#include "results/store/measure_words.def"
#undef MEASURE_WORD
};

void measure_key_write(const struct measure_key *key, char name[MEASURE_NAME_BYTES])
{
    snprintf(name, MEASURE_NAME_BYTES, "%.*s %s%s%.*s", MEASURE_PART_BYTES - 1, key->part,
             words[key->word], key->other ? " " : "", MEASURE_PART_BYTES - 1,
             key->other ? key->other : "");
}

bool measures_find_part(const struct measure_set *set, const char *instance, const char *variant,
                        const struct measure_key *key, int64_t *value)
{
    char name[MEASURE_NAME_BYTES];
    measure_key_write(key, name);
    return measures_find(set, instance, variant, name, value);
}

bool measure_key_read(const struct measure *measure, enum measure_word word,
                      struct measure_parts *parts)
{
    size_t length = strlen(words[word]);
    for (const char *at = measure->name; (at = strchr(at, ' ')); at++) {
        size_t before = (size_t)(at - measure->name);
        const char *behind = at + 1 + length;
        if (strncmp(at + 1, words[word], length) != 0 || (*behind && *behind != ' '))
            continue;
        const char *other = *behind ? behind + 1 : behind;
        if (!before || before >= MEASURE_PART_BYTES || strlen(other) >= MEASURE_PART_BYTES)
            return false;
        memcpy(parts->part, measure->name, before);
        parts->part[before] = '\0';
        strcpy(parts->other, other);
        return true;
    }
    return false;
}
