#include "harness/planners/external.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/digest.h"
#include "core/memory.h"
#include "core/process/subprocess.h"
#include "core/text.h"
#include "core/utf8.h"
#include "datasets/csv/problem.h"
#include "harness/planners/command_line.h"

struct external {
    struct planner planner; /* whose rule is this */
    char *name, *command;
    char content[DIGEST_TEXT_BYTES];
};

/* One call of the program. */
struct call {
    const struct external *external;
    const struct planner_task *task;
    struct problem problem; /* the task's, but named by numbers; owns only the names */
    char folder[4096];      /* "" for none yet */
    int lock;            /* descriptor of the folder, locked for as long as it is in use, or -1 */
    struct text in, out; /* paths */
    struct subprocess_result result;
};

/* Names in a file of this format must be unique and plain, those of graphs need not be. */
static enum status number_buffers(struct problem *problem, struct error *error)
{
    char number[16];
    problem->names = (struct names){0};
    for (uint32_t b = 0; b < problem->buffers; b++) {
        snprintf(number, sizeof number, "%u", b);
        TRY(names_add(&problem->names, number, error));
    }
    return STATUS_OK;
}

static const char folder_prefix[] = "memplan-external-";

static const char *get_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

/* With whatever files the program has left there. A folder that it made stays. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The lock of a folder ends with the last process that holds it, however that ends. */
static void remove_if_unused(const char *path)
{
    struct stat found;
    int lock = open_folder(path);
    if (lock < 0)
        return;
    if (fstat(lock, &found) == 0 && found.st_uid == geteuid() &&
        flock(lock, LOCK_EX | LOCK_NB) == 0)
        remove_folder(path);
    close(lock);
}

/* Removes what was left by runs that were killed together with all that they had started. */
static void remove_unused_folders(void)
{
    char path[4096];
    const char *parent = get_parent();
    DIR *folder = opendir(parent);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        int length = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        if (strncmp(entry->d_name, folder_prefix, sizeof folder_prefix - 1) == 0 && length > 0 &&
            (size_t)length < sizeof path)
            remove_if_unused(path);
    }
    if (folder)
        closedir(folder);
}

/* False where another run has found the folder before it was locked and removed it. */
static bool make_locked_folder(struct call *call)
{
    int length =
        snprintf(call->folder, sizeof call->folder, "%s/%sXXXXXX", get_parent(), folder_prefix);
    bool made = length > 0 && (size_t)length < sizeof call->folder && mkdtemp(call->folder);
    if (!made) {
        call->folder[0] = '\0';
        return false;
    }
    call->lock = open_folder(call->folder);
    if (call->lock >= 0)
        flock(call->lock, LOCK_EX);
    if (access(call->folder, F_OK) == 0)
        return true;
    if (call->lock >= 0)
        close(call->lock);
    call->lock = -1;
    return false;
}

static enum status make_folder(struct call *call, struct error *error)
{
    enum { TRIES = 10 };
    bool made = false;
    for (int i = 0; i < TRIES && !made; i++)
        made = make_locked_folder(call);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "cannot make a temporary folder: %s",
                         strerror(errno));
    text_append(&call->in, "%s/in.csv", call->folder);
    text_append(&call->out, "%s/out.csv", call->folder);
    TRY(text_check(&call->in, error));
    return text_check(&call->out, error);
}

static enum status write_problem(const struct call *call, struct error *error)
{
    struct text csv = {0};
    enum status status = problem_csv_write(&call->problem, &csv, error);
    if (!status)
        status = text_write_file(call->in.bytes, &csv, error);
    text_free(&csv);
    return status;
}

static void clean_up(const void *context)
{
    const struct call *call = context;
    remove_folder(call->folder);
}

static enum status run_words(struct call *call, char *const *words, struct error *error)
{
    struct subprocess_result *result = &call->result;
    const struct subprocess_task task = {.words = words,
                                         .clean = clean_up,
                                         .context = call,
                                         .output = SUBPROCESS_NOTHING,
                                         .errors = SUBPROCESS_KEPT,
                                         .deadline_ns =
                                             clock_deadline_ns(call->task->time_limit_ns)};
    TRY(subprocess_run(&task, result, error));
    if (result->start_errno)
        return error_set(error, STATUS_BAD_INPUT, "cannot run '%s': %s", words[0],
                         strerror(result->start_errno));
    return STATUS_OK;
}

static enum status run_program(struct call *call, struct error *error)
{
    char capacity[32], seed[32], time_limit[48];
    const struct planner_task *task = call->task;
    uint64_t capacity_bytes = task->capacity_bytes == UINT64_MAX
                                  ? problem_ample_bytes(task->problem)
                                  : task->capacity_bytes;
    uint64_t limit_ns = task->time_limit_ns == UINT64_MAX ? INT64_MAX : task->time_limit_ns;
    const struct command_value values[] = {{"in", call->in.bytes},    {"out", call->out.bytes},
                                           {"input", call->in.bytes}, {"output", call->out.bytes},
                                           {"capacity", capacity},    {"seed", seed},
                                           {"time_limit", time_limit}};
    char **words;
    snprintf(capacity, sizeof capacity, "%" PRIu64, capacity_bytes);
    snprintf(seed, sizeof seed, "%" PRIu64, task->seed);
    snprintf(time_limit, sizeof time_limit, "%" PRIu64 ".%03u", limit_ns / 1000000000,
             (unsigned)(limit_ns % 1000000000 / 1000000));
    TRY(command_line_split(call->external->command, values, sizeof values / sizeof *values, &words,
                           error));
    enum status status = run_words(call, words, error);
    memory_free(words);
    return status;
}

/* The line of its file becomes part of the text, since rows of results keep nothing else. */
static enum status report_output(const struct call *call, const struct error *found,
                                 struct error *error)
{
    const char *name = call->external->planner.name, *complaint = call->result.complaint;
    char place[32] = "out.csv";
    if (found->line)
        snprintf(place, sizeof place, "out.csv:%u", found->line);
    return error_set(error, STATUS_BAD_INPUT, "%s: %s: %.400s%s%s", name, place, found->text,
                     *complaint ? "; it said: " : "", complaint);
}

static enum status read_plan(const struct call *call, struct plan *plan, struct error *error)
{
    struct text csv = {0};
    struct error found = ERROR_NONE;
    if (access(call->out.bytes, F_OK) != 0) {
        error_set(&found, STATUS_BAD_INPUT, "found no file, expected a plan in {out}");
        return report_output(call, &found, error);
    }
    enum status status = text_read_file(call->out.bytes, &csv, &found);
    if (!status)
        status = problem_csv_read_plan(&csv, "out.csv", &call->problem, plan, &found);
    text_free(&csv);
    return status ? report_output(call, &found, error) : STATUS_OK;
}

static enum status report_end(const struct call *call, struct error *error)
{
    const struct subprocess_result *result = &call->result;
    const char *name = call->external->planner.name;
    const char *separator = *result->complaint ? ": " : "";
    if (result->signal)
        return error_set(error, STATUS_BAD_INPUT, "%s: ended by signal %d (%s)%s%s", name,
                         result->signal, strsignal(result->signal), separator, result->complaint);
    return error_set(error, STATUS_BAD_INPUT, "%s: exit code %d%s%s", name, result->exit_code,
                     separator, result->complaint);
}

static enum status judge_end(const struct call *call, struct plan *plan, struct error *error)
{
    const struct subprocess_result *result = &call->result;
    plan->status = PLAN_TIMEOUT;
    if (result->out_of_time)
        return STATUS_OK;
    if (result->signal)
        return report_end(call, error);
    if (result->exit_code == 0)
        return read_plan(call, plan, error);
    plan->status = PLAN_GAVE_UP;
    if (result->exit_code == EXTERNAL_GAVE_UP)
        return STATUS_OK;
    plan->status = PLAN_INFEASIBLE;
    if (result->exit_code == EXTERNAL_INFEASIBLE && call->task->capacity_bytes != UINT64_MAX)
        return STATUS_OK;
    return report_end(call, error);
}

static enum status call_program(struct call *call, struct plan *plan, struct error *error)
{
    TRY(number_buffers(&call->problem, error));
    TRY(make_folder(call, error));
    TRY(write_problem(call, error));
    TRY(run_program(call, error));
    return judge_end(call, plan, error);
}

static void end_call(struct call *call)
{
    if (call->folder[0])
        remove_folder(call->folder);
    if (call->lock >= 0)
        close(call->lock);
    text_free(&call->in);
    text_free(&call->out);
    names_free(&call->problem.names);
    memory_free(call);
}

static enum status plan_by_program(const struct planner *planner, const struct planner_task *task,
                                   struct plan *plan, struct error *error)
{
    struct call *call;
    plan->status = PLAN_OPTIMAL;
    if (!task->problem->buffers)
        return plan_set_peak(plan, task->problem, error);
    TRY(memory_create(&call, 1, sizeof *call, error));
    call->external = planner->rule;
    call->lock = -1;
    call->task = task;
    call->problem = *task->problem;
    call->problem.names = (struct names){0};
    enum status status = call_program(call, plan, error);
    end_call(call);
    return status;
}

/* All names in braces that a command may hold. */
static const struct command_value no_values[] = {
    {"in", ""},         {"out", ""},   {"capacity", ""}, {"seed", ""},
    {"time_limit", ""}, {"input", ""}, {"output", ""}};

static enum status check_command(const char *command, struct error *error)
{
    char **words;
    TRY(command_line_split(command, no_values, sizeof no_values / sizeof *no_values, &words,
                           error));
    memory_free(words);
    if (!strstr(command, "{in}") && !strstr(command, "{input}"))
        return error_set(error, STATUS_USAGE, "found no {in} in the command '%s', expected one",
                         command);
    if (!strstr(command, "{out}") && !strstr(command, "{output}"))
        return error_set(error, STATUS_USAGE, "found no {out} in the command '%s', expected one",
                         command);
    return STATUS_OK;
}

/* Appends the digest of the file that a word of the command names, if it is a plain one; the first
 * word is found as a shell finds programs. */
static enum status append_file_digest(const char *word, bool is_program, struct text *text,
                                      struct error *error)
{
    char digest[DIGEST_TEXT_BYTES], path[4096];
    struct stat found;
    const char *folder = is_program && !strchr(word, '/') ? getenv("PATH") : NULL;
    snprintf(path, sizeof path, "%s", word);
    for (; folder && *folder; folder += strcspn(folder, ":"), folder += *folder == ':') {
        snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(folder, ":"), folder, word);
        if (access(path, X_OK) == 0)
            break;
    }
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return STATUS_OK;
    TRY(digest_file(path, digest, error));
    text_append(text, " %s", digest);
    return STATUS_OK;
}

/* What makes the program this one: its command, and what is in the files that the command names,
   such as the program itself and a script. */
static enum status digest_program(struct external *external, struct error *error)
{
    struct text text = {0};
    char **words;
    TRY(command_line_split(external->command, no_values, sizeof no_values / sizeof *no_values,
                           &words, error));
    enum status status = STATUS_OK;
    text_append(&text, "%s", external->command);
    for (size_t i = 0; words[i] && !status; i++)
        status = append_file_digest(words[i], i == 0, &text, error);
    if (!status)
        status = text_check(&text, error);
    if (!status)
        status = digest_bytes(text.bytes, text.length, external->content, error);
    text_free(&text);
    memory_free(words);
    return status;
}

static enum status fill_external(struct external *external, const char *definition,
                                 struct error *error)
{
    size_t length = strcspn(definition, "=");
    if (!definition[length] || !planner_is_name(definition, length))
        return error_set(error, STATUS_USAGE,
                         "--external '%s', expected NAME=COMMAND with a name of at most 64 "
                         "lower-case letters, digits and underscores",
                         definition);
    if (!utf8_is_valid(definition, strlen(definition)))
        return error_set(error, STATUS_USAGE, "--external, expected UTF-8");
    TRY(check_command(definition + length + 1, error));
    external->name = memory_copy_text(definition);
    if (!external->name)
        return error_no_memory(error);
    external->name[length] = '\0';
    external->command = external->name + length + 1;
    external->planner = (struct planner){.name = external->name,
                                         .family = "external",
                                         .title = external->command,
                                         .source = "a program of the user",
                                         .flags = PLANNER_EXACT | PLANNER_SEARCHES,
                                         .content = external->content,
                                         .rule = external,
                                         .plan = plan_by_program};
    return digest_program(external, error);
}

enum status external_create(const char *definition, struct external **created, struct error *error)
{
    struct external *external;
    TRY(memory_create(&external, 1, sizeof *external, error));
    enum status status = fill_external(external, definition, error);
    if (status)
        external_free(external);
    else
        *created = external;
    remove_unused_folders();
    return status;
}

void external_free(struct external *external)
{
    if (external)
        memory_free(external->name);
    memory_free(external);
}

const struct planner *external_planner(const struct external *external)
{
    return &external->planner;
}
