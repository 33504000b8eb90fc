#include "harness/brought/program.h"

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
#include "core/memory.h"
#include "core/utf8.h"
#include "harness/brought/command_line.h"
#include "planning/plan/planner.h"

static const char folder_prefix[] = "memplan-external-";

static const char *get_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

/* Removes a call's folder with all files that the program has left there. A folder that the program
   made stays. */
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

/* Removes a folder that no process uses any more. Its lock ends with the last process that holds
   it, however that process ends. */
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

enum status program_call_begin(struct program_call *call, struct error *error)
{
    enum { TRIES = 10 };
    const struct program_kind *kind = call->program->kind;
    bool made = false;
    /* Another process may remove a folder before it is locked. */
    for (int i = 0; i < TRIES && !made; i++) {
        int length =
            snprintf(call->folder, sizeof call->folder, "%s/%sXXXXXX", get_parent(), folder_prefix);
        if (length <= 0 || (size_t)length >= sizeof call->folder || !mkdtemp(call->folder)) {
            call->folder[0] = '\0';
            continue;
        }
        call->lock = open_folder(call->folder);
        if (call->lock >= 0)
            flock(call->lock, LOCK_EX);
        made = access(call->folder, F_OK) == 0;
        if (!made && call->lock >= 0)
            close(call->lock);
        if (!made)
            call->lock = -1;
    }
    if (!made)
        return error_set(error, STATUS_INTERNAL, "cannot make a temporary folder: %s",
                         strerror(errno));
    text_append(&call->in, "%s/%s", call->folder, kind->in);
    text_append(&call->out, "%s/%s", call->folder, kind->out);
    TRY(text_check(&call->in, error));
    return text_check(&call->out, error);
}

static void clean_up(const void *context)
{
    remove_folder(((const struct program_call *)context)->folder);
}

enum status program_call_run(struct program_call *call, struct error *error)
{
    char capacity[32], seed[32], time_limit[48];
    uint64_t limit_ns = call->time_limit_ns == UINT64_MAX ? INT64_MAX : call->time_limit_ns;
    const struct command_value values[] = {
        {"in", call->in.bytes},      {"out", call->out.bytes}, {"input", call->in.bytes},
        {"output", call->out.bytes}, {"seed", seed},           {"time_limit", time_limit},
        {"capacity", capacity}};
    size_t count = sizeof values / sizeof *values - !call->program->kind->has_capacity;
    SCOPED(memory_release) char **words = NULL;
    snprintf(capacity, sizeof capacity, "%" PRIu64, call->capacity_bytes);
    snprintf(seed, sizeof seed, "%" PRIu64, call->seed);
    snprintf(time_limit, sizeof time_limit, "%" PRIu64 ".%03u", limit_ns / 1000000000,
             (unsigned)(limit_ns % 1000000000 / 1000000));
    TRY(command_line_split(call->program->command, values, count, &words, error));
    struct subprocess_result *result = &call->result;
    const struct subprocess_task task = {.words = words,
                                         .clean = clean_up,
                                         .context = call,
                                         .output = SUBPROCESS_NOTHING,
                                         .errors = SUBPROCESS_KEPT,
                                         .deadline_ns = clock_deadline_ns(call->time_limit_ns)};
    TRY(subprocess_run(&task, result, error));
    if (result->start_errno)
        return error_set(error, STATUS_BAD_INPUT, "cannot run '%s': %s", words[0],
                         strerror(result->start_errno));
    return STATUS_OK;
}

/* Reports what is wrong with the program's output. The line number becomes part of the text, since
   rows of results keep only the text. */
enum status program_call_report_output(const struct program_call *call, const struct error *found,
                                       struct error *error)
{
    const char *name = call->program->name, *complaint = call->result.complaint;
    char place[64];
    snprintf(place, sizeof place, found->line ? "%s:%u" : "%s", call->program->kind->out,
             found->line);
    return error_set(error, STATUS_BAD_INPUT, "%s: %s: %.400s%s%s", name, place, found->text,
                     *complaint ? "; it said: " : "", complaint);
}

enum status program_call_read(const struct program_call *call, const char *expected,
                              struct text *text, struct error *error)
{
    struct error found = ERROR_NONE;
    if (access(call->out.bytes, F_OK) != 0) {
        error_set(&found, STATUS_BAD_INPUT, "found no file, expected %s in {out}", expected);
        return program_call_report_output(call, &found, error);
    }
    if (text_read_file(call->out.bytes, text, &found))
        return program_call_report_output(call, &found, error);
    return STATUS_OK;
}

enum status program_call_report_end(const struct program_call *call, struct error *error)
{
    const struct subprocess_result *result = &call->result;
    const char *name = call->program->name;
    const char *separator = *result->complaint ? ": " : "";
    if (result->signal)
        return error_set(error, STATUS_BAD_INPUT, "%s: ended by signal %d (%s)%s%s", name,
                         result->signal, strsignal(result->signal), separator, result->complaint);
    return error_set(error, STATUS_BAD_INPUT, "%s: exit code %d%s%s", name, result->exit_code,
                     separator, result->complaint);
}

void program_call_end(struct program_call *call)
{
    if (call->folder[0])
        remove_folder(call->folder);
    if (call->lock >= 0)
        close(call->lock);
    text_free(&call->in);
    text_free(&call->out);
}

/* Appends the digest of the file that a word of the command names, if that is a regular file. The
   first word is looked up as a shell looks up programs. */
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

static enum status fill_program(struct program *program, const char *definition,
                                struct error *error)
{
    /* All names that may be in braces in a command. */
    static const struct command_value values[] = {{"in", ""},      {"out", ""},  {"input", ""},
                                                  {"output", ""},  {"seed", ""}, {"time_limit", ""},
                                                  {"capacity", ""}};
    const char *option = program->kind->option;
    size_t length = strcspn(definition, "=");
    if (!definition[length] || !planner_is_name(definition, length))
        return error_set(error, STATUS_USAGE,
                         "%s '%s', expected NAME=COMMAND with a name of at most 64 "
                         "lower-case letters, digits and underscores",
                         option, definition);
    if (!utf8_is_valid(definition, strlen(definition)))
        return error_set(error, STATUS_USAGE, "%s, expected UTF-8", option);
    program->name = memory_copy_text(definition);
    if (!program->name)
        return error_no_memory(error);
    program->name[length] = '\0';
    const char *command = program->command = program->name + length + 1;
    SCOPED(text_free) struct text text = {0};
    SCOPED(memory_release) char **words = NULL;
    size_t count = sizeof values / sizeof *values - !program->kind->has_capacity;
    TRY(command_line_split(command, values, count, &words, error));
    if (!strstr(command, "{in}") && !strstr(command, "{input}"))
        return error_set(error, STATUS_USAGE, "found no {in} in the command '%s', expected one",
                         command);
    if (!strstr(command, "{out}") && !strstr(command, "{output}"))
        return error_set(error, STATUS_USAGE, "found no {out} in the command '%s', expected one",
                         command);
    /* Finds a digest that identifies the program: of its command, and of the contents of all files
       that the command names, such as the program itself and a script. */
    text_append(&text, "%s", command);
    for (size_t i = 0; words[i]; i++)
        TRY(append_file_digest(words[i], i == 0, &text, error));
    TRY(text_check(&text, error));
    digest_bytes(text.bytes, text.length, program->content);
    return STATUS_OK;
}

enum status program_create(const char *definition, const struct program_kind *kind,
                           struct program *program, struct error *error)
{
    *program = (struct program){.kind = kind};
    enum status status = fill_program(program, definition, error);
    /* Removes the folders of earlier runs that were killed together with everything that they had
       started. */
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
    if (status)
        program_clear(program);
    return status;
}

void program_clear(struct program *program)
{
    memory_free(program->name);
    program->name = NULL;
}
