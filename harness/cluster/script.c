#include "harness/cluster/script.h"

#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/process/shell.h"

static const char limit_name[] = "array-limit";

/* NAME=VALUE in a list of such; its texts are not terminated. */
struct sbatch_option {
    const char *name, *value;
    int name_bytes, value_bytes;
};

/* Goes to the next option of a list; false at its end. What has no = belongs to the value before
   it. */
static bool next_option(const char **at, struct sbatch_option *option)
{
    if (!*at || !**at)
        return false;
    size_t name_bytes = strcspn(*at, "=,");
    const char *value = *at + name_bytes + ((*at)[name_bytes] == '=');
    const char *end = value + strcspn(value, ",");
    while (*end && end[1 + strcspn(end + 1, ",=")] != '=')
        end += 1 + strcspn(end + 1, ",");
    *option = (struct sbatch_option){*at, value, (int)name_bytes, (int)(end - value)};
    *at = *end ? end + 1 : end;
    return true;
}

static bool is_named(const struct sbatch_option *option, const char *name)
{
    return (size_t)option->name_bytes == strlen(name) &&
           memcmp(option->name, name, strlen(name)) == 0;
}

enum status script_check_options(const char *list, uint64_t *array_limit, struct error *error)
{
    static const char *const own[] = {"array", "job-name", "open-mode", "output", "requeue"};
    static const char small[] = "abcdefghijklmnopqrstuvwxyz-";
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.,:+/=*";
    struct sbatch_option option;
    *array_limit = 0;
    while (next_option(&list, &option)) {
        bool is_allowed = option.name_bytes > 0 && option.value_bytes > 0 &&
                          strspn(option.name, small) >= (size_t)option.name_bytes &&
                          strspn(option.value, plain) >= (size_t)option.value_bytes;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            is_allowed = is_allowed && !is_named(&option, own[i]);
        if (is_allowed && is_named(&option, limit_name))
            is_allowed = text_parse_u64(option.value, (size_t)option.value_bytes, array_limit) &&
                         *array_limit > 0;
        if (!is_allowed)
            return error_set(error, STATUS_USAGE,
                             "--sbatch '%.*s', expected NAME=VALUE, an option of sbatch that the "
                             "scripts do not set themselves, or array-limit=N",
                             (int)(option.value + option.value_bytes - option.name), option.name);
    }
    return STATUS_OK;
}

/* Appends the options of Slurm, of which the merge needs neither the time nor the processors of the
   tasks. Paths are not among them, since sbatch would split a path with blanks. */
static void append_options(const struct script_request *request, bool is_merge, const char *log,
                           struct text *script)
{
    struct sbatch_option option;
    text_append(script, "#SBATCH --output=logs/%s.log\n#SBATCH --open-mode=append\n", log);
    for (const char *at = request->sbatch; next_option(&at, &option);)
        if (!is_named(&option, limit_name) &&
            !(is_merge && (is_named(&option, "time") || is_named(&option, "cpus-per-task"))))
            text_append(script, "#SBATCH --%.*s=%.*s\n", option.name_bytes, option.name,
                        option.value_bytes, option.value);
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
    struct sbatch_option option;
    text_append(script,
                "#!/bin/sh\n"
                "# One shard of a bench run for each task, which goes on where the shard was "
                "stopped. From this\n# folder: sbatch array.sh\n"
                "#SBATCH --job-name=memplan\n#SBATCH --array=1-%u",
                submission->shards);
    for (const char *at = request->sbatch; next_option(&at, &option);)
        if (is_named(&option, limit_name))
            text_append(script, "%%%.*s", option.value_bytes, option.value);
    text_append(script, "\n#SBATCH --requeue\n");
    append_options(request, false, "shard-%a", script);
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
    append_options(request, true, "merge", &merge);
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
