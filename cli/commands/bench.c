#include "cli/commands/bench.h"

#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/memories/memories.h"
#include "cli/output/cache.h"
#include "cli/output/judge.h"
#include "cli/output/print.h"
#include "cli/output/progress.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/process/shell.h"
#include "harness/best/kept_plans.h"
#include "harness/proofs/kept_proofs.h"
#include "harness/rows/run_log.h"
#include "planning/policies/policy.h"
#include "results/store/contradictions.h"
#include "results/store/failure.h"
#include "results/table/wrap.h"
#include "results/tables/tables.h"
#include "results/views/planners/contest.h"

/* A timed plan is repeated until it was measured for this long. */
static const uint64_t least_sampled_ns = 5000000;

/* The most jobs of which a table is printed if the user names no format. */
enum { MOST_TABLED = 24 };

/* What happens with every job that ends. */
struct reporting {
    struct progress progress;
    struct best_list known;
    struct kept_plans kept; /* used only where `keeps` is set */
    bool keeps;
    struct error error; /* of the first plan that could not be kept */
};

static void report_job(void *context, const struct matrix_progress *now)
{
    struct reporting *reporting = context;
    progress_report(&reporting->progress, now);
    if (reporting->keeps && now->outcome && !reporting->error.status)
        kept_plans_offer(&reporting->kept, now->job, now->outcome, &reporting->error);
}

static enum status start_reporting(const struct arguments *arguments, struct reporting *reporting,
                                   struct error *error)
{
    SCOPED(text_free) struct text folder = {0};
    *reporting = (struct reporting){.keeps = arguments->keep_plans, .error = ERROR_NONE};
    TRY(best_list_read(arguments->best_known, &reporting->known, error));
    if (!arguments->keep_plans)
        return STATUS_OK;
    kept_plans_append_folder(&folder, arguments->database);
    TRY(text_check(&folder, error));
    return kept_plans_open(folder.bytes, &reporting->known, &reporting->kept, error);
}

/* What a run of bench is made of. */
struct bench {
    struct planner_list planners;
    const struct policy **policies;
    struct selection selection;
    struct order_list orders;
    uint64_t order_limit_ns, orders_ns; /* what finding one may take, what finding all took */
    struct ordered_set ordered; /* the graphs of the selection in the orders that were asked for */
    /* [matrix.instances] the other instances, borrowed; NULL without orders */
    struct instance **as_stored;
    struct text options;
    struct matrix matrix; /* of all of these */
    struct reporting reporting;
    struct kept_proofs proofs; /* used only with --proofs */
    struct store *store;
    /* Set by bench_run_missing, as in struct matrix_run; else NULL and false. */
    const char *label, *mine;
    bool reuse, same_limit;
};

static enum status fill_matrix(const struct arguments *arguments, struct bench *bench,
                               struct error *error)
{
    const struct selection *selection = &bench->selection;
    struct matrix *matrix = &bench->matrix;
    *matrix = (struct matrix){.instance = selection->instance,
                              .instances = selection->count,
                              .unreadable = selection->unreadable,
                              .unreadables = selection->unreadables,
                              .capacity_bytes = arguments->capacity_bytes,
                              .alignment_bytes = arguments->alignment_bytes,
                              .pin_io = arguments->pin_io,
                              .time_limit_ns = arguments->time_limit_ns,
                              .memory_limit_bytes = arguments->memory_limit_bytes,
                              .seed = arguments->seeds ? arguments->seed_list : &arguments->seed,
                              .seeds = arguments->seeds ? arguments->seeds : 1,
                              .repetitions = (uint32_t)arguments->repetitions,
                              .shard = arguments->shard,
                              .shards = arguments->shards,
                              .options = bench->options.bytes,
                              .least_sampled_ns = least_sampled_ns,
                              .threads = (uint32_t)arguments->threads,
                              .workers = arguments->workers ? (int)arguments->workers : 1};
    TRY(select_inplace(arguments, &matrix->inplace, error));
    TRY(select_inplace_types(&matrix->inplace, selection->instance, selection->count, error));
    TRY(select_planners(arguments->registry, arguments->planners, &bench->planners, error));
    TRY(select_policies(arguments->policies, &bench->policies, &matrix->policies, error));
    matrix->planner = (const struct planner *const *)bench->planners.planner;
    matrix->planners = bench->planners.count;
    matrix->policy = bench->policies;
    return STATUS_OK;
}

static enum status order_instance(const struct arguments *arguments, struct bench *bench,
                                  const struct instance *instance, struct error *error)
{
    const struct matrix *matrix = &bench->matrix;
    bool flat = !matrix->policies && !graph_has_control_flow(instance->graph);
    uint32_t policies = flat ? 1 : matrix->policies ? matrix->policies : policy_count();
    uint64_t limit_bytes = arguments->memory_limit_bytes;
    for (uint32_t i = 0; i < policies; i++) {
        const struct ordered_request request = {.instance = instance,
                                                .policy = flat               ? NULL
                                                          : matrix->policies ? matrix->policy[i]
                                                                             : policy_at(i),
                                                .inplace = matrix->inplace,
                                                .time_limit_ns = bench->order_limit_ns,
                                                .memory_limit_bytes =
                                                    limit_bytes ? limit_bytes : UINT64_MAX,
                                                .seed = matrix->seed[0]};
        TRY(ordered_set_add(
            &bench->ordered, &request,
            (struct ordered_rows){(const struct order_row *const *)bench->orders.row,
                                  bench->orders.count},
            error));
    }
    return STATUS_OK;
}

/* Takes the stored order out of the list, since it need not be found; says whether it was there. */
static bool take_stored(struct order_list *orders)
{
    for (uint32_t i = 0; i < orders->count; i++) {
        if (strcmp(orders->row[i]->name, RESULT_STORED) != 0)
            continue;
        order_free(orders->row[i]);
        for (orders->count--; i < orders->count; i++)
            orders->row[i] = orders->row[i + 1];
        return true;
    }
    return false;
}

static enum status order_instances(const struct arguments *arguments, struct bench *bench,
                                   struct error *error)
{
    const struct selection *selection = &bench->selection;
    struct matrix *matrix = &bench->matrix;
    if (!arguments->orders)
        return STATUS_OK;
    TRY(select_orders(arguments->registry, arguments->orders, &bench->orders, error));
    bool stored = take_stored(&bench->orders);
    TRY(memory_create(&bench->as_stored, selection->count, sizeof *bench->as_stored, error));
    matrix->instance = bench->as_stored;
    matrix->instances = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        if (stored || !selection->instance[i]->graph)
            bench->as_stored[matrix->instances++] = selection->instance[i];
        if (selection->instance[i]->graph)
            TRY(order_instance(arguments, bench, selection->instance[i], error));
    }
    matrix->ordered = &bench->ordered;
    return STATUS_OK;
}

static void warn_of_noise(const char *when, const char *reasons)
{
    if (*reasons)
        fprintf(stderr, "warning: times cannot be trusted, %s: %s\n", when, reasons);
}

/* What a run has found: all of its rows, and the contradictions in the store. */
struct found {
    struct result_set set;
    uint64_t contradictions;
    struct text lines; /* which they are */
};

static void free_found(struct found *found)
{
    query_free(&found->set);
    text_free(&found->lines);
}

static enum status judge_run(const struct bench *bench, const struct matrix_progress *counts,
                             const struct found *found, struct error *error)
{
    const struct reporting *reporting = &bench->reporting;
    TRY(judge_contradictions(found->contradictions, &found->lines, error));
    TRY(judge_best(&found->set, &reporting->known, error));
    if (reporting->error.status) {
        *error = reporting->error;
        return error->status;
    }
    if (bench->selection.unreadables) {
        *error = bench->selection.unreadable[0]->error;
        return error->status;
    }
    if (counts->failed)
        return error_set(error, STATUS_NO, "%u of %u job%s failed", counts->failed, counts->jobs,
                         plural_ending(counts->jobs));
    return STATUS_OK;
}

/* Runs the jobs and stores their rows in log->record.run; *counts tells how they ended. */
static enum status run_jobs(const struct arguments *arguments, struct bench *bench,
                            struct run_log *log, struct matrix_progress *counts,
                            struct error *error)
{
    TRY(start_reporting(arguments, &bench->reporting, error));
    TRY(store_open(arguments->database, STORE_WRITE, &bench->store, error));
    SCOPED(text_free) struct text command = {0};
    TRY(command_append_line(arguments, &command, error));
    bool timed = bench->matrix.workers == 1 && bench->matrix.repetitions > 1;
    const struct run_request request = {.label = arguments->run ? arguments->run : bench->label,
                                        .command = command.bytes,
                                        .timed_threads = timed ? bench->matrix.threads : 0,
                                        .resume = arguments->resume};
    TRY(run_log_begin(bench->store, &request, log, error));
    if (arguments->most_rectangles != UINT64_MAX)
        log->record.most_rectangles = (uint32_t)arguments->most_rectangles;
    warn_of_noise("before the run", log->row.noise);
    if (!arguments->run && !bench->label)
        fprintf(stderr, "run %s\n", log->record.run);
    struct reporting *reporting = &bench->reporting;
    struct matrix_run run = {.store = bench->store,
                             .record = &log->record,
                             .resume = arguments->resume || bench->reuse,
                             .reuse = bench->reuse,
                             .same_limit = bench->same_limit,
                             .mine = bench->mine,
                             .report = report_job,
                             .report_context = reporting};
    if (arguments->proofs) {
        TRY(kept_proofs_open(arguments->database, &bench->proofs, error));
        run.prove = kept_proofs_add;
        run.prove_context = &bench->proofs;
    }
    reporting->progress = progress_start();
    reporting->progress.orders_ns = bench->orders_ns;
    progress_advise_on_interrupt(run.resume ? "" : "--resume");
    /* Runs the jobs, with the plan cache if it was asked for. */
    if (arguments->cache)
        TRY(cache_open(&run.cache, error));
    enum status status = matrix_run(&bench->matrix, &run, counts, error);
    plan_cache_close(run.cache);
    TRY(status);
    progress_end(&reporting->progress, counts);
    TRY(run_log_end(bench->store, log, error));
    warn_of_noise("after the run", log->noise_after.length ? log->noise_after.bytes : "");
    return STATUS_OK;
}

/* Appends how many jobs failed, by kind, and the command that repeats one of the gravest. */
static enum status append_failures(const struct result_set *set, const char *command,
                                   struct text *text, struct error *error)
{
    uint32_t count[FAILURE_KINDS + 1] = {0};
    const struct result_row *first[FAILURE_KINDS + 1] = {NULL}, *gravest = NULL;
    for (uint32_t i = 0; i < set->count; i++) {
        unsigned kind = failure_kind(&set->row[i]);
        first[kind] = count[kind]++ ? first[kind] : &set->row[i];
    }
    text_append(text, "jobs            %u, %u of them did not fail\nfailures        ", set->count,
                count[FAILURE_KINDS]);
    for (unsigned kind = 0; kind < FAILURE_KINDS; kind++) {
        if (!count[kind])
            continue;
        text_append(text, "%s%u %s", gravest ? ", " : "", count[kind], failure_name(kind));
        gravest = gravest ? gravest : first[kind];
    }
    text_append(text, "%s\n", gravest ? "" : "none");
    SCOPED(text_free) struct text repeat = {0};
    if (gravest)
        failure_repeat(gravest, command, &repeat);
    if (repeat.length)
        wrap_append_command(text, "one again       ", repeat.bytes, print_width());
    return text_check(text, error);
}

/* Appends a command that is worth giving next; run is NULL where it takes none. */
static enum status append_next(const char *before, const char *words, const char *run,
                               const struct arguments *arguments, struct text *text,
                               struct error *error)
{
    SCOPED(text_free) struct text command = {0};
    text_append(&command, "memplan %s%s", words, run ? " --run " : "");
    if (run)
        shell_append_word(&command, run);
    text_append(&command, " --db ");
    shell_append_word(&command, arguments->database);
    TRY(text_check(&command, error));
    wrap_append_command(text, before, command.bytes, print_width());
    return STATUS_OK;
}

/* Prints what a long run found in five lines: a table of all its rows would be of no use. */
static enum status print_ending(const struct arguments *arguments, struct bench *bench,
                                const struct run_log *log, const struct found *found,
                                struct error *error)
{
    const struct result_choice choice = {.run = log->record.run};
    SCOPED(contest_free) struct contest contest = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(append_failures(&found->set, log->row.command, &text, error));
    TRY(contest_open(bench->store, &choice, &contest, error));
    const struct standing *best = contest.standings.standing;
    if (contest.standings.count && best->rank)
        text_append(&text, "best planner    %s: on %u of %u common rows nobody is lower\n",
                    contest_name(&contest, 0), best->wins, contest.standings.common.common);
    else
        text_append(&text, "best planner    none can be ranked\n");
    text_append(&text, "contradictions  %llu\n", (unsigned long long)found->contradictions);
    TRY(append_next("next            ", "table leaderboard", log->record.run, arguments, &text,
                    error));
    TRY(append_next("                ", "report", NULL, arguments, &text, error));
    return print_text(&text, NULL, error);
}

static enum status run_stored(const struct arguments *arguments, struct bench *bench,
                              struct error *error)
{
    SCOPED(run_log_free) struct run_log log = {.label = {0}};
    SCOPED(free_found) struct found found = {.contradictions = 0};
    struct matrix_progress counts;
    TRY(run_jobs(arguments, bench, &log, &counts, error));
    const struct result_choice choice = {.run = log.record.run};
    TRY(store_keep_rows(bench->store, error));
    TRY(query_newest(bench->store, &(struct result_filter){.choice = &choice, .each = true},
                     &found.set, error));
    TRY(contradictions_find(bench->store, &found.contradictions, &found.lines, error));
    if (arguments->format || counts.jobs <= MOST_TABLED) {
        SCOPED(table_free) struct table table = {0};
        TRY(tables_build("summary", bench->store, &choice, &table, error));
        TRY(print_table(&table, arguments->format, NULL, error));
    } else {
        TRY(print_ending(arguments, bench, &log, &found, error));
    }
    return judge_run(bench, &counts, &found, error);
}

static void clear_bench(struct bench *bench)
{
    store_close(bench->store);
    kept_plans_close(&bench->reporting.kept);
    kept_proofs_close(&bench->proofs);
    best_list_free(&bench->reporting.known);
    planner_list_clear(&bench->planners);
    memory_free(bench->policies);
    ordered_set_free(&bench->ordered);
    order_list_clear(&bench->orders);
    memory_free(bench->as_stored);
    selection_clear(&bench->selection);
    text_free(&bench->options);
}

static enum status prepare(const struct arguments *arguments, struct bench *bench,
                           struct error *error)
{
    struct selection *selection = &bench->selection;
    TRY(select_memory_limit(arguments, error));
    TRY(select_options(arguments, &bench->options, error));
    TRY(select_readable_instances(arguments, selection, error));
    TRY(fill_matrix(arguments, bench, error));
    uint64_t began_ns = clock_monotonic_ns();
    TRY(order_instances(arguments, bench, error));
    bench->orders_ns = clock_monotonic_ns() - began_ns;
    return select_graph_options(arguments, selection->instance, selection->count, error);
}

enum status bench_run_missing(const struct arguments *arguments, const char *mine, bool same_limit,
                              uint64_t order_limit_ns, struct error *error)
{
    SCOPED(clear_bench)
    struct bench bench = {.order_limit_ns = order_limit_ns,
                          .label = "versus",
                          .mine = mine,
                          .reuse = true,
                          .same_limit = same_limit};
    SCOPED(run_log_free) struct run_log log = {.label = {0}};
    struct matrix_progress counts;
    TRY(prepare(arguments, &bench, error));
    return run_jobs(arguments, &bench, &log, &counts, error);
}

static enum status print_jobs(const struct arguments *arguments, const struct matrix *matrix,
                              struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    uint32_t jobs;
    TRY(matrix_count(matrix, &jobs, error));
    if (!arguments->format) {
        printf("%u job%s\n", jobs, plural_ending(jobs));
        return STATUS_OK;
    }
    table_set_title(&table, "Jobs that bench would run");
    table_add_columns(&table, "jobs:");
    table_add(&table, cell_number(jobs));
    return print_table(&table, arguments->format, NULL, error);
}

static enum status run_bench(const struct arguments *arguments, struct error *error)
{
    SCOPED(clear_bench) struct bench bench = {.order_limit_ns = arguments->time_limit_ns};
    /* The format is checked before the run, so that a mistake is reported at once. */
    if (arguments->format && !table_formats_find(arguments->format))
        return table_formats_refuse(arguments->format, strlen(arguments->format), error);
    if (memories_are_chosen(arguments) || arguments->moves)
        return memories_bench(arguments, error);
    TRY(prepare(arguments, &bench, error));
    if (!arguments->dry_run)
        return run_stored(arguments, &bench, error);
    return print_jobs(arguments, &bench.matrix, error);
}

const struct command command_bench = {
    .name = "bench",
    .summary = "run instances x policies x planners and store a row for each",
    .operands = "[INSTANCE...]",
    .kind = "instances",
    .most = UINT32_MAX,
    .options = OPTIONS(
        OPTION_SUITE, OPTION_PLANNERS, OPTION_POLICIES, OPTION_ORDERS, OPTION_INPLACE,
        OPTION_DISABLE_INPLACE, OPTION_JOBS, OPTION_THREADS, OPTION_TIME_LIMIT, OPTION_MEMORY_LIMIT,
        OPTION_CAPACITY, OPTION_MEMORIES, OPTION_MOVES_FRONT, OPTION_ALIGNMENT, OPTION_PIN_IO,
        OPTION_SEEDS, OPTION_REPEAT, OPTION_SHARD, OPTION_DRY_RUN, OPTION_DB, OPTION_RUN,
        OPTION_RESUME, OPTION_CACHE, OPTION_KEEP_PLANS, OPTION_PROOFS, OPTION_LAYOUTS,
        OPTION_BEST_KNOWN, OPTION_FORMAT, OPTION_IGNORE_OFFSETS, OPTION_DIALECT, OPTION_BIND,
        OPTION_ASSUME_DIM, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .help = HELP({OPTION_RUN, "label of the run (default: date, time and commit)"}),
    .description =
        "Every plan is made in a process of its own, verified, and executed where there is a "
        "graph, before it becomes a row. A stopped run is continued by the same command with "
        "--resume: the one of that label, else the newest of this build. Times for publication "
        "want -j 1 and --repeat N: then it warns where the machine is shared, throttled or noisy. "
        "--orders also plans each graph with its operators in these orders, as the instance "
        "NAME@ORDER. Files of problems with several memories are planned one after another by "
        "planners of memplan list memory-planners, and so are graphs with --memories; tables "
        "memories and penalties show what they cost, and, with --moves, moves how long they take. "
        "A file that cannot be read costs its own "
        "rows, with status error, and exit "
        "code 3 at the end. Exit code 1 when a planner crashed, a plan or a proof was refused, two "
        "rows contradict each other or one contradicts the best known values (memplan best); at "
        "the end it says which are improved.",
    .examples = "memplan bench wired/darts_cifar --orders stored,xla_default,inductor -p best\n"
                "memplan bench --suite luna --planners large_first,short_first,sequential\n"
                "memplan bench *.csv --planners naive,large_first,glpk -t 10 --db my.db",
    .run = run_bench,
};
