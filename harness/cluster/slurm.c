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

/* Submits a script of the folder with one option added; *job becomes the number of the job. */
static enum status submit_script(const struct submission *submission, const char *name,
                                 const struct text *option, uint64_t *job, struct error *error)
{
    SCOPED(text_free) struct text folder = {0};
    SCOPED(text_free) struct text script = {0};
    SCOPED(text_free) struct text answer = {0};
    text_append(&folder, "--chdir=%s", submission->folder);
    TRY(submission_append_path(submission, name, &script, error));
    TRY(text_check(&folder, error));
    TRY(text_check(option, error));
    TRY(ask_program(
        (char *[]){"sbatch", "--parsable", folder.bytes, option->bytes, script.bytes, NULL},
        &answer, error));
    /* The number may be followed by the name of a cluster. */
    size_t digits = answer.length ? strspn(answer.bytes, "0123456789") : 0;
    if (digits && text_parse_u64(answer.bytes, digits, job))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT, "sbatch: found '%s', expected a job number",
                     answer.bytes ? answer.bytes : "");
}

static enum status read_jobs(const struct submission *submission, struct text *jobs,
                             struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    TRY(submission_append_path(submission, "jobs", &path, error));
    if (access(path.bytes, F_OK) == 0)
        TRY(text_read_file(path.bytes, jobs, error));
    return STATUS_OK;
}

enum status slurm_submit(const struct submission *submission, const bool *wanted,
                         uint64_t array_limit, struct slurm_jobs *jobs, struct error *error)
{
    SCOPED(text_free) struct text array = {0};
    SCOPED(text_free) struct text dependency = {0};
    SCOPED(text_free) struct text path = {0};
    SCOPED(text_free) struct text submitted = {0};
    uint32_t count = submission->shards, ranges = 0;
    /* Names the shards that are wanted, counted from 1, like "1-3,7". */
    text_append(&array, "--array=");
    for (uint32_t first = 0; first < count; first++) {
        if (!wanted[first])
            continue;
        uint32_t last = first;
        while (last + 1 < count && wanted[last + 1])
            last++;
        text_append(&array, "%s%u", ranges++ ? "," : "", first + 1);
        if (last > first)
            text_append(&array, "-%u", last + 1);
        first = last;
    }
    assert(ranges);
    if (array_limit)
        text_append(&array, "%%%llu", (unsigned long long)array_limit);
    TRY(submit_script(submission, "array.sh", &array, &jobs->array, error));
    TRY(submission_append_path(submission, "jobs", &path, error));
    TRY(read_jobs(submission, &submitted, error));
    text_append(&submitted, "%llu\n", (unsigned long long)jobs->array);
    TRY(text_write_file(path.bytes, &submitted, error));
    text_append(&dependency, "--dependency=afterany:%llu", (unsigned long long)jobs->array);
    return submit_script(submission, "merge.sh", &dependency, &jobs->merge, error);
}

enum status slurm_find_busy(const struct submission *submission, bool *busy, struct error *error)
{
    SCOPED(text_free) struct text jobs = {0};
    SCOPED(text_free) struct text answer = {0};
    struct text_line line = {.number = 0};
    memset(busy, 0, submission->shards * sizeof *busy);
    TRY(read_jobs(submission, &jobs, error));
    if (!jobs.length)
        return STATUS_OK;
    TRY(ask_program((char *[]){"squeue", "--noheader", "--array", "--me", "--format=%F %K", NULL},
                    &answer, error));
    while (answer.length && text_next_line(&answer, &line)) {
        /* Reads a line "JOB TASK" and marks the task's shard as busy. TASK is no
           number where the job is no task of an array. */
        const char *blank = memchr(line.start, ' ', line.length);
        size_t length = blank ? (size_t)(blank - line.start) : line.length;
        uint64_t shard;
        struct text_line ours = {.number = 0};
        bool is_ours = false;
        while (!is_ours && text_next_line(&jobs, &ours))
            is_ours = ours.length == length && memcmp(ours.start, line.start, length) == 0;
        if (length < line.length && is_ours &&
            text_parse_u64(blank + 1, line.length - length - 1, &shard) && 1 <= shard &&
            shard <= submission->shards)
            busy[shard - 1] = true;
    }
    return STATUS_OK;
}
