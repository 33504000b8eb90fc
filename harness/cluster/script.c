#include "harness/cluster/script.h"

#include <sys/stat.h>

#include "core/file.h"
#include "core/process/shell.h"

static void append_option(const char *name, const char *value, struct text *script)
{
    if (value)
        text_append(script, "#SBATCH --%s=%s\n", name, value);
}

/* Appends the options of Slurm that both scripts have. Paths are not among them, since sbatch would
   split a path with blanks. */
static void append_options(const struct script_request *request, const char *log,
                           struct text *script)
{
    text_append(script, "#SBATCH --output=logs/%s.log\n#SBATCH --open-mode=append\n", log);
    append_option("partition", request->partition, script);
    append_option("mem", request->memory, script);
}

static void append_assignment(const char *name, const char *value, struct text *script)
{
    text_append(script, "%s=", name);
    shell_append_word(script, value);
    text_append(script, "\n");
}

static void append_array(const struct submission *submission, const struct script_request *request,
                         struct text *script)
{
    text_append(script,
                "#!/bin/sh\n"
                "# One shard of a bench run for each task, which goes on where the shard was "
                "stopped. From this\n# folder: sbatch array.sh\n"
                "#SBATCH --job-name=memplan\n#SBATCH --array=1-%u",
                submission->shards);
    if (request->array_limit)
        text_append(script, "%%%llu", (unsigned long long)request->array_limit);
    text_append(script, "\n#SBATCH --requeue\n#SBATCH --cpus-per-task=%llu\n",
                (unsigned long long)request->cpus);
    append_option("time", request->time, script);
    append_options(request, "shard-%a", script);
    append_assignment("folder", submission->folder, script);
    text_append(script, "shard=$SLURM_ARRAY_TASK_ID\ncd ");
    shell_append_word(script, request->work_folder);
    text_append(script, " || exit 3\nexec ");
    shell_append_word(script, request->program);
    text_append(script,
                " bench --db \"$folder/shard-$shard.db\" --shard \"$shard/%u\" --resume --run ",
                submission->shards);
    shell_append_word(script, request->run);
    text_append(script, " \\\n   ");
    for (uint32_t i = 0; i < request->words; i++) {
        text_append(script, " ");
        shell_append_word(script, request->word[i]);
    }
    text_append(script, "\n");
}

static enum status write_file(const struct submission *submission, const char *name,
                              const struct text *bytes, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    TRY(submission_append_path(submission, name, &path, error));
    return text_write_file(path.bytes, bytes, error);
}

enum status script_write_all(const struct submission *submission,
                             const struct script_request *request, struct error *error)
{
    SCOPED(text_free) struct text array = {0};
    SCOPED(text_free) struct text merge = {0};
    SCOPED(text_free) struct text shards = {0};
    SCOPED(text_free) struct text shards_path = {0};
    SCOPED(text_free) struct text logs_path = {0};
    struct stat found;
    append_array(submission, request, &array);
    text_append(&merge, "#!/bin/sh\n"
                        "# Joins what the shards have measured; exit code 1 where one of them is "
                        "incomplete.\n#SBATCH --job-name=memplan-merge\n");
    append_options(request, "merge", &merge);
    append_assignment("folder", submission->folder, &merge);
    text_append(&merge, "exec ");
    shell_append_word(&merge, request->program);
    text_append(&merge, " merge \"$folder\" -o \"$folder/merged.db\"\n");
    text_append(&shards, "%u\n", submission->shards);
    TRY(submission_append_path(submission, "shards", &shards_path, error));
    TRY(submission_append_path(submission, "logs", &logs_path, error));
    if (stat(shards_path.bytes, &found) == 0)
        return error_set_at(error, STATUS_BAD_INPUT, submission->folder, 0,
                            "has a submission already, expected another folder");
    TRY(file_create_folder(logs_path.bytes, error));
    TRY(write_file(submission, "array.sh", &array, error));
    TRY(write_file(submission, "merge.sh", &merge, error));
    return write_file(submission, "shards", &shards, error);
}
