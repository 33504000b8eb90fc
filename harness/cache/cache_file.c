#include "harness/cache/cache_file.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/memory.h"

enum { BUSY_TIMEOUT_MS = 5000 };

struct cache_file {
    sqlite3 *database;
    struct text path;
    uint64_t most_bytes;
};

/* The sum of bytes is kept by triggers, so that making room asks for no more entries than it
   removes. What a crash of the machine costs is a cache, so nothing waits for the disk. */
static const char schema[] =
    "PRAGMA synchronous = OFF;CREATE TABLE IF NOT EXISTS plans (sequence INTEGER PRIMARY KEY "
    "AUTOINCREMENT, environment TEXT, structure TEXT, weights TEXT, bytes INTEGER, set_aside "
    "INTEGER, archive BLOB);CREATE INDEX IF NOT EXISTS by_digests ON plans (environment, "
    "structure, set_aside, weights, sequence);CREATE INDEX IF NOT EXISTS by_age ON plans "
    "(environment, structure, set_aside, sequence);CREATE TABLE IF NOT EXISTS sums (bytes "
    "INTEGER);INSERT INTO sums SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM sums);CREATE TRIGGER IF "
    "NOT EXISTS added AFTER INSERT ON plans BEGIN UPDATE sums SET bytes = bytes + new.bytes; "
    "END;CREATE TRIGGER IF NOT EXISTS removed AFTER DELETE ON plans BEGIN UPDATE sums SET bytes = "
    "bytes - old.bytes; END;";

#define COLUMNS "sequence, bytes, set_aside, environment, structure, weights, archive"

/* Reports what SQLite said last. A damaged file is put out of the way first. */
static enum status report(struct cache_file *file, struct error *error)
{
    int code = sqlite3_errcode(file->database) & 0xff;
    SCOPED(text_free) struct text aside = {0};
    if (code == SQLITE_NOMEM)
        return error_no_memory(error);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    text_append(&aside, "%s.damaged", file->path.bytes);
    if (damaged && !aside.failed)
        damaged = rename(file->path.bytes, aside.bytes) == 0;
    return error_set_at(error, code == SQLITE_BUSY ? STATUS_LIMIT : STATUS_BAD_INPUT,
                        file->path.bytes, 0, "%s%s", sqlite3_errmsg(file->database),
                        damaged ? "; renamed to .damaged" : "");
}

static enum status run(struct cache_file *file, const char *sql, struct error *error)
{
    return sqlite3_exec(file->database, sql, NULL, NULL, NULL) ? report(file, error) : STATUS_OK;
}

/* Prepares a statement whose first parameters are the digests; NULL for none. The caller finalizes
   it, also after an error. */
static enum status prepare(struct cache_file *file, const char *sql,
                           const struct cache_digests *digests, sqlite3_stmt **statement,
                           struct error *error)
{
    if (sqlite3_prepare_v2(file->database, sql, -1, statement, NULL))
        return report(file, error);
    for (int i = 0; digests && i < CACHE_PARTS; i++)
        if (sqlite3_bind_text(*statement, i + 1, digests->of[i], -1, SQLITE_STATIC))
            return report(file, error);
    return STATUS_OK;
}

static enum status step(struct cache_file *file, sqlite3_stmt *statement, bool *found,
                        struct error *error)
{
    int code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    return *found || code == SQLITE_DONE ? STATUS_OK : report(file, error);
}

enum status cache_file_open(const char *folder, uint64_t most_bytes, struct cache_file **opened,
                            struct error *error)
{
    SCOPED(cache_file_release) struct cache_file *file = NULL;
    TRY(file_create_folder(folder, error));
    TRY(memory_create(&file, 1, sizeof *file, error));
    file->most_bytes = most_bytes;
    text_append(&file->path, "%s/plans.db", folder);
    TRY(text_check(&file->path, error));
    if (sqlite3_open_v2(file->path.bytes, &file->database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ||
        sqlite3_busy_timeout(file->database, BUSY_TIMEOUT_MS))
        return report(file, error);
    TRY(run(file, schema, error));
    HAND_OVER(file, opened);
}

void cache_file_close(struct cache_file *file)
{
    if (!file)
        return;
    sqlite3_close(file->database);
    text_free(&file->path);
    memory_free(file);
}

const char *cache_file_path(const struct cache_file *file)
{
    return file->path.bytes;
}

uint64_t cache_file_most_bytes(const struct cache_file *file)
{
    return file->most_bytes;
}

/* Copies the row at which the statement is. */
static enum status read_entry(sqlite3_stmt *statement, struct cache_entry *entry,
                              struct error *error)
{
    enum { DIGESTS_AT = 3, ARCHIVE_AT = DIGESTS_AT + CACHE_PARTS };
    *entry = (struct cache_entry){.sequence = (uint64_t)sqlite3_column_int64(statement, 0),
                                  .bytes = (uint64_t)sqlite3_column_int64(statement, 1),
                                  .set_aside = sqlite3_column_int(statement, 2) != 0};
    for (int i = 0; i < CACHE_PARTS; i++) {
        const char *digest = (const char *)sqlite3_column_text(statement, DIGESTS_AT + i);
        snprintf(entry->digests.of[i], sizeof entry->digests.of[i], "%s", digest ? digest : "");
    }
    const void *bytes = sqlite3_column_blob(statement, ARCHIVE_AT);
    text_append_bytes(&entry->archive, bytes ? bytes : "",
                      (size_t)sqlite3_column_bytes(statement, ARCHIVE_AT));
    return text_check(&entry->archive, error);
}

static void release_statement(sqlite3_stmt **statement)
{
    sqlite3_finalize(*statement);
}

enum status cache_file_find(struct cache_file *file, const struct cache_digests *digests,
                            struct cache_entry *entry, bool *found, bool *whole,
                            struct error *error)
{
#define FIND "SELECT " COLUMNS " FROM plans WHERE environment = ?1 AND structure = ?2"
#define NEWEST " AND set_aside = 0 ORDER BY sequence DESC LIMIT 1"
    static const char *const questions[] = {FIND " AND weights = ?3" NEWEST,
                                            FIND " AND ?3 IS NOT NULL" NEWEST};
    *entry = (struct cache_entry){0};
    *found = false;
    for (int i = 0; i < 2 && !*found; i++) {
        SCOPED(release_statement) sqlite3_stmt *statement = NULL;
        *whole = i == 0;
        TRY(prepare(file, questions[i], digests, &statement, error));
        TRY(step(file, statement, found, error));
        if (*found)
            TRY(read_entry(statement, entry, error));
    }
    return STATUS_OK;
}

/* Removes the oldest entries until there is room for the bytes asked for. */
static enum status make_room(struct cache_file *file, uint64_t bytes, struct error *error)
{
    bool full = true;
    while (full) {
        SCOPED(release_statement) sqlite3_stmt *statement = NULL;
        TRY(prepare(file, "SELECT 1 FROM sums WHERE bytes > ?1", NULL, &statement, error));
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)(file->most_bytes - bytes));
        TRY(step(file, statement, &full, error));
        sqlite3_reset(statement);
        if (full)
            TRY(run(file, "DELETE FROM plans WHERE sequence = (SELECT min(sequence) FROM plans)",
                    error));
    }
    return STATUS_OK;
}

static enum status add_locked(struct cache_file *file, const struct cache_digests *digests,
                              const struct text *archive, struct error *error)
{
    SCOPED(release_statement) sqlite3_stmt *removal = NULL;
    SCOPED(release_statement) sqlite3_stmt *insertion = NULL;
    bool found;
    TRY(prepare(file,
                "DELETE FROM plans WHERE environment = ?1 AND structure = ?2"
                " AND weights = ?3 AND set_aside = 0",
                digests, &removal, error));
    TRY(step(file, removal, &found, error));
    TRY(make_room(file, archive->length, error));
    TRY(prepare(file,
                "INSERT INTO plans (environment, structure, weights, bytes, archive,"
                " set_aside) VALUES (?1, ?2, ?3, ?4, ?5, 0)",
                digests, &insertion, error));
    if (sqlite3_bind_int64(insertion, 4, (sqlite3_int64)archive->length) ||
        sqlite3_bind_blob64(insertion, 5, archive->bytes, archive->length, SQLITE_STATIC))
        return report(file, error);
    return step(file, insertion, &found, error);
}

enum status cache_file_add(struct cache_file *file, const struct cache_digests *digests,
                           const struct text *archive, struct error *error)
{
    if (archive->length > file->most_bytes)
        return STATUS_OK;
    TRY(run(file, "BEGIN IMMEDIATE", error));
    enum status status = add_locked(file, digests, archive, error);
    if (!status)
        status = run(file, "COMMIT", error);
    if (status)
        sqlite3_exec(file->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

enum status cache_file_set_aside(struct cache_file *file, uint64_t sequence, struct error *error)
{
    SCOPED(release_statement) sqlite3_stmt *statement = NULL;
    bool found;
    TRY(prepare(file, "UPDATE plans SET set_aside = 1 WHERE sequence = ?1", NULL, &statement,
                error));
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)sequence);
    return step(file, statement, &found, error);
}

enum status cache_file_walk(struct cache_file *file, cache_file_visit *visit, void *context,
                            struct error *error)
{
    SCOPED(release_statement) sqlite3_stmt *statement = NULL;
    bool found = true;
    TRY(prepare(file, "SELECT " COLUMNS " FROM plans ORDER BY sequence", NULL, &statement, error));
    while (true) {
        TRY(step(file, statement, &found, error));
        if (!found)
            return STATUS_OK;
        struct cache_entry entry;
        enum status status = read_entry(statement, &entry, error);
        if (!status)
            status = visit(&entry, context, error);
        text_free(&entry.archive);
        TRY(status);
    }
}

static enum status count_entry(const struct cache_entry *entry, void *context, struct error *error)
{
    (void)entry;
    (void)error;
    ++*(uint32_t *)context;
    return STATUS_OK;
}

enum status cache_file_clear(struct cache_file *file, uint32_t *removed, struct error *error)
{
    *removed = 0;
    TRY(cache_file_walk(file, count_entry, removed, error));
    TRY(run(file, "DELETE FROM plans", error));
    return run(file, "VACUUM", error);
}
