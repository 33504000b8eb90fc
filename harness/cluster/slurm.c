#include "harness/cluster/slurm.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "harness/cluster/program.h"

/* Runs one of Slurm's programs and appends its answer. */
static enum status ask_program(char *const *words, struct text *answer, struct error *error)
{
    struct subprocess_result result;
    TRY(program_run(words, SUBPROCESS_KEPT, answer, &result, error));
    if (result.exit_code)
        return error_set(error, STATUS_LIMIT, "%s: %s", words[0], result.complaint);
    return STATUS_OK;
}

/* Appends the numbers, counted from 1, of those that are wanted, like "1-3,7". */
static void append_ranges(const bool *wanted, uint32_t count, struct text *ranges)
{
    for (uint32_t first = 0; first < count; first++) {
        if (!wanted[first])
            continue;
        uint32_t last = first;
        while (last + 1 < count && wanted[last + 1])
            last++;
        text_append(ranges, "%s%u", ranges->length ? "," : "", first + 1);
        if (last > first)
            text_append(ranges, "-%u", last + 1);
        first = last;
    }
}

/* Submits a script of the folder with one option added; *job becomes the number of the job. */
static enum status submit_script(const struct submission *submission, const char *name,
                                 const struct text *option, uint64_t *job, struct error *error)
{
    struct text folder = {0}, script = {0}, answer = {0};
    enum status status;
    text_append(&folder, "--chdir=%s", submission->folder);
    submission_append_path(submission, name, &script);
    TRY_OR_DONE(status, text_check(&folder, error));
    TRY_OR_DONE(status, text_check(&script, error));
    TRY_OR_DONE(status, text_check(option, error));
    TRY_OR_DONE(status, ask_program((char *[]){"sbatch", "--parsable", folder.bytes, option->bytes,
                                               script.bytes, NULL},
                                    &answer, error));
    /* The number may be followed by the name of a cluster. */
    size_t digits = answer.length ? strspn(answer.bytes, "0123456789") : 0;
    if (!digits || !text_parse_u64(answer.bytes, digits, job))
        status = error_set(error, STATUS_LIMIT, "sbatch: found '%s', expected a job number",
                           answer.bytes ? answer.bytes : "");
done:
    text_free(&folder);
    text_free(&script);
    text_free(&answer);
    return status;
}

static enum status read_jobs(const struct submission *submission, struct text *jobs,
                             struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    submission_append_path(submission, "jobs", &path);
    TRY(text_check(&path, error));
    if (access(path.bytes, F_OK) == 0)
        TRY(text_read_file(path.bytes, jobs, error));
    return STATUS_OK;
}

static enum status remember_job(const struct submission *submission, uint64_t job,
                                struct error *error)
{
    struct text path = {0}, jobs = {0};
    enum status status;
    submission_append_path(submission, "jobs", &path);
    TRY_OR_DONE(status, text_check(&path, error));
    TRY_OR_DONE(status, read_jobs(submission, &jobs, error));
    text_append(&jobs, "%llu\n", (unsigned long long)job);
    TRY_OR_DONE(status, text_check(&jobs, error));
    status = text_write_file(path.bytes, &jobs, error);
done:
    text_free(&path);
    text_free(&jobs);
    return status;
}

enum status slurm_submit(const struct submission *submission, const bool *wanted,
                         uint64_t array_limit, struct slurm_jobs *jobs, struct error *error)
{
    struct text array = {0}, ranges = {0}, dependency = {0};
    enum status status;
    append_ranges(wanted, submission->shards, &ranges);
    assert(ranges.length || ranges.failed);
    TRY_OR_DONE(status, text_check(&ranges, error));
    text_append(&array, "--array=%s", ranges.bytes);
    if (array_limit)
        text_append(&array, "%%%llu", (unsigned long long)array_limit);
    TRY_OR_DONE(status, submit_script(submission, "array.sh", &array, &jobs->array, error));
    TRY_OR_DONE(status, remember_job(submission, jobs->array, error));
    text_append(&dependency, "--dependency=afterany:%llu", (unsigned long long)jobs->array);
    status = submit_script(submission, "merge.sh", &dependency, &jobs->merge, error);
done:
    text_free(&array);
    text_free(&ranges);
    text_free(&dependency);
    return status;
}

static bool has_line(const struct text *lines, const char *start, size_t length)
{
    struct text_line line = {.number = 0};
    while (text_next_line(lines, &line))
        if (line.length == length && memcmp(line.start, start, length) == 0)
            return true;
    return false;
}

/* Reads a line "JOB TASK" and marks the task's shard as busy. A job that is no task of an array has
   another word than a number as TASK. */
static void mark_busy(const struct text_line *line, const struct text *jobs, uint32_t shards,
                      bool *busy)
{
    const char *blank = memchr(line->start, ' ', line->length);
    size_t length = blank ? (size_t)(blank - line->start) : line->length;
    uint64_t shard;
    if (length < line->length && has_line(jobs, line->start, length) &&
        text_parse_u64(blank + 1, line->length - length - 1, &shard) && 1 <= shard &&
        shard <= shards)
        busy[shard - 1] = true;
}

enum status slurm_find_busy(const struct submission *submission, bool *busy, struct error *error)
{
    struct text jobs = {0}, answer = {0};
    struct text_line line = {.number = 0};
    enum status status;
    memset(busy, 0, submission->shards * sizeof *busy);
    TRY_OR_DONE(status, read_jobs(submission, &jobs, error));
    if (!jobs.length)
        goto done;
    TRY_OR_DONE(status, ask_program((char *[]){"squeue", "--noheader", "--array", "--me",
                                               "--format=%F %K", NULL},
                                    &answer, error));
    while (answer.length && text_next_line(&answer, &line))
        mark_busy(&line, &jobs, submission->shards, busy);
done:
    text_free(&jobs);
    text_free(&answer);
    return status;
}
