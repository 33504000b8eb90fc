#include "harness/cluster/submission.h"

#include <string.h>
#include <sys/stat.h>

#include "results/store/runs.h"

void submission_append_path(const struct submission *submission, const char *name,
                            struct text *path)
{
    text_append(path, "%s/%s", submission->folder, name);
}

void submission_append_database(const struct submission *submission, uint32_t shard,
                                struct text *path)
{
    text_append(path, "%s/shard-%u.db", submission->folder, shard);
}

static enum status read_shards(const char *path, const struct text *bytes,
                               struct submission *submission, struct error *error)
{
    uint64_t shards;
    size_t length = bytes->length ? strcspn(bytes->bytes, "\n") : 0;
    if (!length || !text_parse_u64(bytes->bytes, length, &shards) || !shards || shards > UINT32_MAX)
        return error_set_at(error, STATUS_BAD_INPUT, path, 1,
                            "found '%.*s', expected a number of shards", (int)length,
                            bytes->bytes ? bytes->bytes : "");
    submission->shards = (uint32_t)shards;
    return STATUS_OK;
}

enum status submission_open(const char *folder, struct submission *submission, struct error *error)
{
    struct text path = {0}, bytes = {0};
    enum status status;
    *submission = (struct submission){.folder = folder};
    submission_append_path(submission, "shards", &path);
    TRY_OR_DONE(status, text_check(&path, error));
    TRY_OR_DONE(status, text_read_file(path.bytes, &bytes, error));
    status = read_shards(path.bytes, &bytes, submission, error);
done:
    text_free(&path);
    text_free(&bytes);
    return status;
}

/* Adds the run in a task's database to the status of its shard. A task has only one run, with one
   label. */
static void add_run(const struct run_summary *run, struct shard_status *status)
{
    status->rows += run->rows;
    status->failed += run->failed;
    status->state = *run->run.ended ? SHARD_COMPLETE : SHARD_INCOMPLETE;
}

static enum status look_into(const char *path, struct shard_status *status, struct error *error)
{
    struct store *store;
    struct run_list list = {0};
    TRY(store_open(path, STORE_READ, &store, error));
    enum status result = runs_list(store, &list, error);
    store_close(store);
    status->state = SHARD_INCOMPLETE;
    for (uint32_t i = 0; !result && i < list.count; i++)
        add_run(&list.run[i], status);
    runs_free(&list);
    return result;
}

/* Whether the database has no tables, as a task leaves it that was killed at its very start. */
static bool is_unused(const char *path)
{
    struct stat found;
    return stat(path, &found) != 0 || found.st_size == 0;
}

enum status submission_look(const struct submission *submission, uint32_t shard,
                            struct shard_status *status, struct error *error)
{
    struct text path = {0};
    *status = (struct shard_status){.state = SHARD_MISSING};
    submission_append_database(submission, shard, &path);
    enum status result = text_check(&path, error);
    if (!result && !is_unused(path.bytes))
        result = look_into(path.bytes, status, error);
    text_free(&path);
    return result;
}
