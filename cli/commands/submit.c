/* The command submit: submits a bench run as a job array of Slurm, shows how far it is, and submits
   again what was stopped. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments/command.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/process/shell.h"
#include "harness/cluster/program.h"
#include "harness/cluster/script.h"
#include "harness/cluster/slurm.h"
#include "harness/rows/record.h"
#include "results/table/table.h"

static const char default_folder[] = "memplan-shards";

/* A submission and what is known of each of its shards. */
struct shards {
    struct submission submission;
    struct shard_status *status; /* [shards] */
    bool *busy;                  /* [shards] whether its task waits or runs in Slurm */
    bool *wanted;                /* [shards] whether it is to be submitted */
};

static enum status show_status(const struct arguments *arguments, struct shards *shards,
                               struct error *error)
{
    struct error no_slurm = ERROR_NONE;
    if (slurm_find_busy(&shards->submission, shards->busy, &no_slurm))
        fprintf(stderr, "memplan: %s\n", no_slurm.text);
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Shards");
    table_add_columns(&table, "shard: | state | rows: | failed:");
    uint32_t incomplete = 0;
    for (uint32_t i = 0; i < shards->submission.shards; i++) {
        static const char *const names[] = {[SHARD_MISSING] = "missing",
                                            [SHARD_INCOMPLETE] = "incomplete",
                                            [SHARD_COMPLETE] = "complete"};
        const struct shard_status *status = &shards->status[i];
        bool complete = status->state == SHARD_COMPLETE;
        table_add(&table, cell_number(i + 1),
                  cell_text(!complete && shards->busy[i] ? "submitted" : names[status->state]),
                  cell_number(status->rows), cell_number(status->failed));
        incomplete += !complete;
    }
    TRY(print_table(&table, arguments->format, NULL, error));
    if (incomplete)
        return error_set(error, STATUS_NO, "not complete: %u of %u shards", incomplete,
                         shards->submission.shards);
    return STATUS_OK;
}

static enum status submit_shards(const struct arguments *arguments, struct shards *shards,
                                 struct error *error)
{
    struct slurm_jobs jobs;
    uint64_t array_limit;
    TRY(script_check_options(arguments->sbatch, &array_limit, error));
    TRY(slurm_find_busy(&shards->submission, shards->busy, error));
    /* A task that is still waiting or running is not submitted again, since it would measure
       twice. */
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < shards->submission.shards; i++) {
        shards->wanted[i] = shards->status[i].state != SHARD_COMPLETE && !shards->busy[i];
        wanted += shards->wanted[i];
    }
    if (!wanted) {
        printf("nothing to submit: every shard is complete or submitted\n");
        return STATUS_OK;
    }
    TRY(slurm_submit(&shards->submission, shards->wanted, array_limit, &jobs, error));
    print_lines("array job %" PRIu64 " of %u shards, then job %" PRIu64
                " merges them into %s/merged.db\n",
                jobs.array, wanted, jobs.merge, shards->submission.folder);
    return STATUS_OK;
}

typedef enum status shards_action(const struct arguments *arguments, struct shards *shards,
                                  struct error *error);

static void clear_shards(struct shards *shards)
{
    memory_free_all(shards->status, shards->busy, shards->wanted);
}

static enum status act_on_folder(const struct arguments *arguments, const char *folder,
                                 shards_action *act, struct error *error)
{
    SCOPED(clear_shards) struct shards shards = {.status = NULL};
    SCOPED(memory_release) char *path = NULL;
    TRY(file_find_absolute(folder, &path, error));
    TRY(submission_open(path, &shards.submission, error));
    uint32_t count = shards.submission.shards;
    TRY(memory_create_all(count, error, &shards.status, &shards.busy, &shards.wanted));
    for (uint32_t i = 0; i < count; i++)
        TRY(submission_look(&shards.submission, i + 1, &shards.status[i], error));
    return act(arguments, &shards, error);
}

/* Runs bench itself to check its arguments as a task will see them, and to find the number of
   jobs. */
static enum status count_jobs(char *program, const struct arguments *arguments, uint64_t *jobs,
                              struct error *error)
{
    static const char *const first[] = {"bench", "--dry-run", "--shard", "1/1",  "--resume",
                                        "--db",  "shard.db",  "--run",   "shard"};
    enum { FIRST = sizeof first / sizeof *first };
    struct subprocess_result result;
    SCOPED(text_free) struct text printed = {0};
    SCOPED(memory_release) const char **words = NULL;
    TRY(memory_create(&words, arguments->operands + FIRST + 2, sizeof *words, error));
    words[0] = program;
    memcpy(words + 1, first, sizeof first);
    memcpy(words + 1 + FIRST, arguments->operand, arguments->operands * sizeof *words);
    fflush(stdout);
    TRY(program_run((char *const *)words, STDERR_FILENO, &printed, &result, error));
    if (result.exit_code)
        return error_set(error, (enum status)result.exit_code,
                         "bench refuses these arguments; what follows -- is for bench");
    if (text_parse_u64(printed.bytes, strcspn(printed.bytes, " "), jobs))
        return STATUS_OK;
    return error_set(error, STATUS_INTERNAL, "bench says '%s', expected a number of jobs",
                     printed.bytes);
}

static enum status check_request(const struct arguments *arguments, char *program,
                                 struct error *error)
{
    uint64_t jobs, array_limit;
    if (!arguments->operands)
        return error_set(error, STATUS_USAGE, "nothing to run, expected -- and arguments of bench");
    if (!arguments->shard_count)
        return error_set(error, STATUS_USAGE, "no number of shards, expected --shards N");
    TRY(script_check_options(arguments->sbatch, &array_limit, error));
    TRY(count_jobs(program, arguments, &jobs, error));
    if (jobs < arguments->shard_count)
        return error_set(error, STATUS_USAGE,
                         "%" PRIu64 " job%s for %" PRIu64 " shard%s, expected at least as many",
                         jobs, plural_ending(jobs), arguments->shard_count,
                         plural_ending(arguments->shard_count));
    printf("%" PRIu64 " job%s in %" PRIu64 " shard%s\n", jobs, plural_ending(jobs),
           arguments->shard_count, plural_ending(arguments->shard_count));
    return STATUS_OK;
}

/* Writes the scripts into a folder, whose path is absolute. */
static enum status write_scripts(const struct arguments *arguments, const char *program,
                                 const char *folder, struct error *error)
{
    char work_folder[PATH_MAX], now[RECORD_TIME_BYTES];
    const struct submission submission = {folder, (uint32_t)arguments->shard_count};
    struct script_request request = {.program = program,
                                     .work_folder = work_folder,
                                     .word = arguments->operand,
                                     .words = arguments->operands,
                                     .run = arguments->run,
                                     .sbatch = arguments->sbatch};
    if (!getcwd(work_folder, sizeof work_folder))
        return error_set(error, STATUS_BAD_INPUT, "cannot find the working folder: %s",
                         strerror(errno));
    record_time_now(now);
    now[strlen("2026-11-22T12:34")] = '\0';
    if (!request.run)
        request.run = now;
    return script_write_all(&submission, &request, error);
}

static enum status print_file(const char *folder, const char *name, struct error *error)
{
    const struct submission submission = {folder, 1};
    SCOPED(text_free) struct text path = {0};
    SCOPED(text_free) struct text bytes = {0};
    TRY(submission_append_path(&submission, name, &path, error));
    TRY(text_read_file(path.bytes, &bytes, error));
    printf("\n%s:\n%s", path.bytes, bytes.bytes);
    return STATUS_OK;
}

static enum status print_scripts(const char *folder, struct error *error)
{
    TRY(print_file(folder, "array.sh", error));
    TRY(print_file(folder, "merge.sh", error));
    SCOPED(text_free) struct text quoted = {0};
    shell_append_word(&quoted, folder);
    TRY(text_check(&quoted, error));
    printf("\nmemplan submit --again %s submits them\n", quoted.bytes);
    return STATUS_OK;
}

static enum status submit_new(const struct arguments *arguments, struct error *error)
{
    const char *folder = arguments->output ? arguments->output : default_folder;
    char program[PATH_MAX];
    SCOPED(memory_release) char *path = NULL;
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (length < 0)
        return error_set(error, STATUS_LIMIT, "cannot find this program: %s", strerror(errno));
    program[length] = '\0';
    TRY(check_request(arguments, program, error));
    TRY(file_create_folder(folder, error));
    TRY(file_find_absolute(folder, &path, error));
    TRY(write_scripts(arguments, program, path, error));
    return arguments->dry_run ? print_scripts(folder, error)
                              : act_on_folder(arguments, folder, submit_shards, error);
}

static enum status run_submit(const struct arguments *arguments, struct error *error)
{
    const char *folder = arguments->status ? arguments->status : arguments->again;
    if (!folder)
        return submit_new(arguments, error);
    if (arguments->operands || (arguments->status && arguments->again))
        return error_set(error, STATUS_USAGE,
                         "--status and --again take a folder and nothing else");
    return act_on_folder(arguments, folder, arguments->status ? show_status : submit_shards, error);
}

const struct command command_submit = {
    .name = "submit",
    .summary = "run a bench on a cluster, as a job array of Slurm",
    .operands = "-- ARGUMENT-OF-BENCH...",
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_SHARDS, OPTION_SBATCH, OPTION_RUN, OPTION_OUTPUT, OPTION_DRY_RUN,
                       OPTION_STATUS, OPTION_AGAIN, OPTION_FORMAT),
    .help = HELP({OPTION_RUN, "label of the run (default: date, time and commit)"},
                 {OPTION_DRY_RUN, "write the scripts and show them, run nothing"}),
    .description =
        "Each task of the array runs one shard of the jobs into a database of its own, and goes on "
        "where it was stopped when it is requeued or submitted again. When all have ended, a job "
        "merges them into merged.db. Scripts, databases and logs are in the folder named by -o "
        "(default memplan-shards), which all nodes must share. --status tells how far the shards "
        "are, with exit code 1 until all are complete; --again submits those that are not.",
    .examples = "memplan submit --shards 4 -o luna --dry-run -- --suite luna -p naive\n"
                "memplan submit --status memplan-shards",
    .run = run_submit,
};
