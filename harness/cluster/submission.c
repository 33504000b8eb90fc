#include "harness/cluster/submission.h"

#include <string.h>
#include <sys/stat.h>

#include "results/store/runs.h"

enum status submission_append_path(const struct submission *submission, const char *name,
                                   struct text *path, struct error *error)
{
    text_append(path, "%s/%s", submission->folder, name);
    return text_check(path, error);
}

enum status submission_append_database(const struct submission *submission, uint32_t shard,
                                       struct text *path, struct error *error)
{
    text_append(path, "%s/shard-%u.db", submission->folder, shard);
    return text_check(path, error);
}

enum status submission_open(const char *folder, struct submission *submission, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    SCOPED(text_free) struct text bytes = {0};
    *submission = (struct submission){.folder = folder};
    TRY(submission_append_path(submission, "shards", &path, error));
    TRY(text_read_file(path.bytes, &bytes, error));
    uint64_t shards;
    size_t length = bytes.length ? strcspn(bytes.bytes, "\n") : 0;
    if (!length || !text_parse_u64(bytes.bytes, length, &shards) || !shards || shards > UINT32_MAX)
        return error_set_at(error, STATUS_BAD_INPUT, path.bytes, 1,
                            "found '%.*s', expected a number of shards", (int)length,
                            bytes.bytes ? bytes.bytes : "");
    submission->shards = (uint32_t)shards;
    return STATUS_OK;
}

enum status submission_look(const struct submission *submission, uint32_t shard,
                            struct shard_status *status, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(runs_free) struct run_list list = {0};
    struct stat found;
    *status = (struct shard_status){.state = SHARD_MISSING};
    TRY(submission_append_database(submission, shard, &path, error));
    /* A database without tables is what a task leaves that was killed at its very start. */
    if (stat(path.bytes, &found) != 0 || found.st_size == 0)
        return STATUS_OK;
    TRY(store_open(path.bytes, STORE_READ, &store, error));
    status->state = SHARD_INCOMPLETE;
    TRY(runs_list(store, &list, error));
    /* A task has only one run, with one label. */
    for (uint32_t i = 0; i < list.count; i++) {
        status->rows += list.run[i].rows;
        status->failed += list.run[i].failed;
        status->state = *list.run[i].run.ended ? SHARD_COMPLETE : SHARD_INCOMPLETE;
    }
    return STATUS_OK;
}
