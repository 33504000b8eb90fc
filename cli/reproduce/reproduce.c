/* The command reproduce: makes the runs that the wanted reproductions need, and a report of the
   results. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/judge.h"
#include "cli/output/print.h"
#include "cli/output/progress.h"
#include "cli/reproduce/page.h"
#include "cli/reproduce/reproduction.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/text.h"
#include "harness/files/hardware_file.h"
#include "harness/rows/run_log.h"
#include "results/store/measures.h"
#include "results/views/figures.h"

struct reproducer {
    const struct arguments *arguments;
    const char *folder;
    struct store *store;
    struct text command; /* as typed */
    bool *wanted;        /* [reproduction_count()] */
    unsigned failed, figures_failed;
    struct error *error;
};

/* Whether a reproduction is wanted: by its name, because a wanted one builds on it, or because it
   belongs to the sources and none is named. */
static bool is_wanted(const struct arguments *arguments, const struct reproduction *row)
{
    for (uint32_t i = 0; i < arguments->operands; i++) {
        const struct reproduction *wanted = reproduction_find(arguments->operand[i]);
        if (wanted == row || reproduction_names(wanted->builds_on, row->name))
            return true;
    }
    return !arguments->operands && !row->is_apart;
}

static enum status begin_run(struct reproducer *reproducer, const struct reproduction *wanted,
                             struct run_log *log)
{
    const struct run_request request = {.label = wanted->name,
                                        .command = reproducer->command.bytes};
    fprintf(stderr, "%s\n", wanted->name);
    return run_log_begin(reproducer->store, &request, log, reproducer->error);
}

static enum status run_planners(struct reproducer *reproducer, const struct reproduction *wanted,
                                struct matrix *matrix)
{
    struct progress progress = progress_start();
    progress.is_brief = true;
    struct matrix_progress counts;
    SCOPED(run_log_free) struct run_log log = {0};
    const struct matrix_run run = {.store = reproducer->store,
                                   .record = &log.record,
                                   .report = progress_report,
                                   .report_context = &progress};
    TRY(begin_run(reproducer, wanted, &log));
    TRY(matrix_run(matrix, &run, &counts, reproducer->error));
    TRY(run_log_end(reproducer->store, &log, reproducer->error));
    progress_end(&progress, &counts);
    reproducer->failed += counts.failed;
    return STATUS_OK;
}

static enum status record(struct reproducer *reproducer, const struct reproduction *wanted,
                          const struct run_log *log, const struct selection *selection)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    struct recorder recorder = {.hardware = &hardware,
                                .store = reproducer->store,
                                .context = &log->record,
                                .error = reproducer->error};
    if (wanted->hardware)
        recorder.status = hardware_file_load(wanted->hardware, &hardware, reproducer->error);
    for (uint32_t i = 0; i < selection->count && !recorder.status; i++) {
        recorder.instance = selection->instance[i];
        recorder.topic = wanted->name;
        wanted->measure(&recorder);
    }
    recorder.topic = wanted->name;
    if (!recorder.status && wanted->conclude)
        wanted->conclude(&recorder);
    return recorder.status;
}

static int count_workers(const struct arguments *arguments, const struct reproduction *wanted)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (arguments->workers)
        return (int)arguments->workers;
    return wanted->shows_times || processors < 1 ? 1 : (int)processors;
}

static enum status run_plans(struct reproducer *reproducer, const struct reproduction *wanted)
{
    struct arguments arguments = *reproducer->arguments;
    SCOPED(planner_list_clear) struct planner_list planners = {0};
    SCOPED(memory_release) const struct policy **policies = NULL;
    SCOPED(selection_clear) struct selection selection = {0};
    static const uint64_t seed = 1;
    SCOPED(text_free) struct text options = {0};
    uint32_t policy_count;
    if (wanted->capacity_bytes)
        arguments.capacity_bytes = wanted->capacity_bytes;
    if (wanted->time_limit_ns)
        arguments.time_limit_ns = wanted->time_limit_ns;
    arguments.suites = wanted->suite;
    arguments.operands = 0;
    TRY(select_instances(&arguments, &selection, reproducer->error));
    TRY(select_planners(arguments.registry, wanted->planners, &planners, reproducer->error));
    TRY(select_policies(wanted->policies, &policies, &policy_count, reproducer->error));
    TRY(select_options(&arguments, &options, reproducer->error));
    /* Sources lay tensors one behind the other, whatever their dtypes. */
    struct matrix matrix = {.instance = selection.instance,
                            .instances = selection.count,
                            .planner = (const struct planner *const *)planners.planner,
                            .planners = planners.count,
                            .policy = policies,
                            .policies = policy_count,
                            .options = options.bytes ? options.bytes : "",
                            .capacity_bytes = arguments.capacity_bytes,
                            .alignment_bytes = 1,
                            .time_limit_ns = arguments.time_limit_ns,
                            .seed = &seed,
                            .seeds = 1,
                            .workers = count_workers(&arguments, wanted)};
    return run_planners(reproducer, wanted, &matrix);
}

/* One line for each source: how many of its figures got each verdict. */
static enum status tell_figures(struct reproducer *reproducer, const struct reproduction *wanted)
{
    SCOPED(measures_free) struct measure_set set = {0};
    unsigned count[FIGURE_OUTCOMES], all = 0;
    TRY(measures_read(reproducer->store, &(struct result_choice){.run = wanted->name},
                      wanted->source, &set, reproducer->error));
    figures_count(wanted->source, &set, count);
    for (unsigned i = 0; i < FIGURE_OUTCOMES; i++)
        all += count[i];
    SCOPED(text_free) struct text text = {0};
    text_append(&text, "%s: %u %s", wanted->name, all,
                wanted->counted ? wanted->counted : "published figures");
    for (unsigned i = 0; i < FIGURE_VERDICTS; i++)
        if (count[i])
            text_append(&text, "; %s: %u", figures_verdict_name(i), count[i]);
    TRY(text_check(&text, reproducer->error));
    print_lines("%s\n", text.bytes);
    if (count[FIGURE_UNEXPLAINED] || count[FIGURE_NOT_MEASURED])
        return error_set(reproducer->error, STATUS_NO,
                         "%s: figures that contradict their kind or have no reason: %u, that were "
                         "not measured: %u",
                         wanted->name, count[FIGURE_UNEXPLAINED], count[FIGURE_NOT_MEASURED]);
    return STATUS_OK;
}

static enum status judge(struct reproducer *reproducer)
{
    for (uint32_t i = 0; i < reproduction_count(); i++)
        if (reproduction_at(i)->source && reproducer->wanted[i])
            TRY(tell_figures(reproducer, reproduction_at(i)));
    TRY(judge_store(reproducer->store, reproducer->error));
    if (reproducer->failed)
        return error_set(reproducer->error, STATUS_NO, "%u job%s failed", reproducer->failed,
                         plural_ending(reproducer->failed));
    if (reproducer->figures_failed)
        return error_set(reproducer->error, STATUS_NO, "%u figure%s could not be drawn",
                         reproducer->figures_failed, plural_ending(reproducer->figures_failed));
    return STATUS_OK;
}

static enum status reproduce_all(struct reproducer *reproducer)
{
    TRY(file_create_folder(reproducer->folder, reproducer->error));
    TRY(command_append_line(reproducer->arguments, &reproducer->command, reproducer->error));
    SCOPED(text_free) struct text path = {0};
    text_append(&path, "%s/reproduce.db", reproducer->folder);
    TRY(text_check(&path, reproducer->error));
    remove(path.bytes);
    TRY(store_open(path.bytes, STORE_WRITE, &reproducer->store, reproducer->error));
    for (uint32_t i = 0; i < reproduction_count(); i++)
        if (reproducer->wanted[i]) {
            const struct reproduction *wanted = reproduction_at(i);
            bool measures = wanted->measure || wanted->conclude;
            if (wanted->planners || !measures)
                TRY(run_plans(reproducer, wanted));
            if (measures) {
                struct arguments arguments = {.suites = wanted->suite};
                SCOPED(selection_clear) struct selection selection = {0};
                SCOPED(run_log_free) struct run_log log = {0};
                TRY(begin_run(reproducer, wanted, &log));
                if (wanted->measure)
                    TRY(select_instances(&arguments, &selection, reproducer->error));
                TRY(record(reproducer, wanted, &log, &selection));
                TRY(run_log_end(reproducer->store, &log, reproducer->error));
            }
        }
    TRY(page_write(&(struct page_request){reproducer->folder, reproducer->store, reproducer->wanted,
                                          reproducer->arguments->operand},
                   &reproducer->figures_failed, reproducer->error));
    enum status status = judge(reproducer);
    print_lines("%s/index.html is the page, with all tables and figures\n", reproducer->folder);
    return status;
}

static enum status run_reproduce(const struct arguments *arguments, struct error *error)
{
    struct reproducer reproducer = {.arguments = arguments,
                                    .folder = arguments->output ? arguments->output
                                                                : "results/reproduced",
                                    .error = error};
    for (uint32_t i = 0; i < arguments->operands; i++)
        if (!reproduction_find(arguments->operand[i]))
            return reproduction_refuse(arguments->operand[i], strlen(arguments->operand[i]), error);
    TRY(memory_create(&reproducer.wanted, reproduction_count(), sizeof *reproducer.wanted, error));
    for (uint32_t i = 0; i < reproduction_count(); i++)
        reproducer.wanted[i] = is_wanted(arguments, reproduction_at(i));
    enum status status = reproduce_all(&reproducer);
    memory_free(reproducer.wanted);
    store_close(reproducer.store);
    text_free(&reproducer.command);
    return status;
}

const struct command command_reproduce = {
    .name = "reproduce",
    .summary = "make the tables and figures of the papers, beside what they print",
    .operands = "[NAME...]",
    .kind = "reproductions",
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_OUTPUT, OPTION_JOBS, OPTION_TIME_LIMIT),
    .help =
        HELP({OPTION_JOBS, "plans that are made at a time (default: one for each processor where "
                           "no times are shown)"},
             {OPTION_OUTPUT, "folder of the page (default results/reproduced)"}),
    .examples = "memplan reproduce\nmemplan reproduce luna-memory worked --output out",
    .run = run_reproduce,
};
