#include "cli/standings/version.h"

#include <string.h>

#include "cli/standings/tracks.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "results/store/rows_file.h"

/* Opens a store in memory with the rows of a CSV file. */
static enum status import_rows(const char *path, struct store **store, struct error *error)
{
    struct merge_transferred done;
    TRY(store_open(":memory:", STORE_WRITE, store, error));
    TRY(store_begin(*store, error));
    return store_end(*store, rows_file_import(*store, path, &done, error), error);
}

enum status standings_version_read(struct standings_version *version, const char *path,
                                   struct error *error)
{
    const struct arguments *arguments = version->arguments;
    version->name = path;
    bool is_rows = file_name_has_extension(path, ".csv") || file_name_has_extension(path, ".gz");
    struct result_choice choice = {.instances = &version->instances,
                                   .time_limit_ns = arguments->time_limit_ns};
    for (int i = 0; i < STANDINGS_TRACKS; i++)
        TRY(standings_track_names(&standings_tracks[i], &version->instances, error));
    TRY(is_rows ? import_rows(path, &version->store, error)
                : store_open(path, STORE_READ, &version->store, error));
    TRY(runs_list(version->store, &version->runs, error));
    TRY(store_keep_rows(version->store, error));
    TRY(query_newest(version->store, &(struct result_filter){.choice = &choice}, &version->set,
                     error));
    if (version->set.count)
        return STATUS_OK;
    choice.time_limit_ns = 0;
    query_free(&version->set);
    TRY(query_newest(version->store, &(struct result_filter){.choice = &choice}, &version->set,
                     error));
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "found %u rows of the collection, expected some with a limit of %.3g s",
                        version->set.count, (double)arguments->time_limit_ns / 1e9);
}

void standings_version_free(struct standings_version *version)
{
    query_free(&version->set);
    runs_free(&version->runs);
    store_close(version->store);
    names_free(&version->instances);
    names_free(&version->lines.names);
    memory_free(version->lines.line);
    report_free(version->report);
}

enum status standings_lines_note(struct standings_lines *lines, const char *table,
                                 const struct contest *contest, struct error *error)
{
    for (uint32_t i = 0; i < contest->standings.count; i++) {
        SCOPED(text_free) struct text name = {0};
        text_append(&name, "%s: %s", table, contest_name(contest, i));
        TRY(text_check(&name, error));
        TRY(memory_reserve(&lines->line, &lines->capacity, lines->names.count + (size_t)1,
                           sizeof *lines->line, error));
        lines->line[lines->names.count] = contest->standings.standing[i];
        TRY(names_add(&lines->names, name.bytes, error));
    }
    return STATUS_OK;
}
