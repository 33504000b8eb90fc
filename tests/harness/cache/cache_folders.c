/* For mkdtemp. */
#define _XOPEN_SOURCE 700

#include "cache_folders.h"
#include "support/must.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cache_folders_create(char *path)
{
    strcpy(path, "/tmp/memplan-cache.XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
}

void cache_folders_remove(const char *path)
{
    DIR *handle = opendir(path);
    struct dirent *found;
    CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
    while ((found = readdir(handle))) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, found->d_name);
        if (found->d_name[0] != '.')
            unlink(file);
    }
    closedir(handle);
    rmdir(path);
}

static enum status count(const struct cache_entry *entry, void *context, struct error *reported)
{
    (void)entry;
    (void)reported;
    ++*(unsigned *)context;
    return STATUS_OK;
}

unsigned cache_folders_count(struct cache_file *file)
{
    unsigned entries = 0;
    must(cache_file_walk(file, count, &entries, &error));
    return entries;
}

static sqlite3 *open_database(const char *path)
{
    char file[128];
    sqlite3 *database;
    snprintf(file, sizeof file, "%s/plans.db", path);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file, &database), SQLITE_OK);
    return database;
}

void cache_folders_run(const char *path, const char *sql)
{
    sqlite3 *database = open_database(path);
    CU_ASSERT_EQUAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

void cache_folders_damage(const char *path, int at)
{
    sqlite3 *database = open_database(path);
    sqlite3_stmt *newest;
    sqlite3_blob *blob;
    char byte;
    sqlite3_prepare_v2(database, "SELECT max(sequence) FROM plans", -1, &newest, NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(newest), SQLITE_ROW);
    sqlite3_int64 sequence = sqlite3_column_int64(newest, 0);
    sqlite3_finalize(newest);
    CU_ASSERT_EQUAL_FATAL(
        sqlite3_blob_open(database, "main", "plans", "archive", sequence, 1, &blob), SQLITE_OK);
    at = at < 0 ? at + sqlite3_blob_bytes(blob) : at;
    sqlite3_blob_read(blob, &byte, 1, at);
    byte = (char)(byte ^ 1);
    CU_ASSERT_EQUAL(sqlite3_blob_write(blob, &byte, 1, at), SQLITE_OK);
    sqlite3_blob_close(blob);
    sqlite3_close(database);
}
