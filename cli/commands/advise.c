/* The command advise: which single change lowers the peak most. */
#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "datasets/memplan_json/graph.h"
#include "harness/advice/advice.h"
#include "harness/advice/change.h"

/* Writes the graph with the change that the user names. */
static enum status apply(const struct arguments *arguments, const struct instance *instance,
                         struct error *error)
{
    SCOPED(graph_release) struct graph *changed = NULL;
    SCOPED(text_free) struct text text = {0};
    struct change change;
    if (!instance->graph)
        return error_set(error, STATUS_USAGE, "--apply, but '%s' is a problem, expected a graph",
                         instance->name);
    if (!arguments->output || !file_name_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE, "output '%s', expected --output FILE.json",
                         arguments->output ? arguments->output : "none");
    TRY(change_parse(instance->graph, arguments->apply, &change, error));
    TRY(change_apply(instance->graph, &change, &changed, error));
    TRY(graph_json_write(changed, &text, error));
    return text_write_file(arguments->output, &text, error);
}

/* What is proved is the gain beside any plan without the change. */
static enum status report(const struct arguments *arguments, const struct advice *advice,
                          struct error *error)
{
    SCOPED(table_free) struct table table = {.name = "advice"};
    const struct measures *base = &advice->base.measures;
    table_set_title(&table, "What lowers the peak, one change at a time");
    table_add_columns(
        &table, "change | peak (bytes): | gain (bytes): | proved (bytes): | gain (%): | status");
    table_add(&table, cell_text("none"), cell_number(base->peak_bytes), cell_number(0),
              cell_number(0), cell_real(0, 2), cell_text(plan_status_name(advice->base.status)));
    for (uint32_t i = 0; i < advice->count; i++) {
        const struct advice_row *row = &advice->row[i];
        uint64_t gain = base->peak_bytes - row->peak_bytes;
        bool is_proved = base->lower_bound_bytes > row->peak_bytes;
        table_add(&table, cell_words("%s", row->option), cell_number(row->peak_bytes),
                  cell_number(gain),
                  cell_number(is_proved ? base->lower_bound_bytes - row->peak_bytes : 0),
                  cell_real(100 * (double)gain / (double)base->peak_bytes, 2),
                  cell_text(plan_status_name(row->status)));
    }
    return print_table(&table, arguments->json ? "json" : NULL, NULL, error);
}

static enum status run_advise(const struct arguments *arguments, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(planner_release) struct planner *best = NULL;
    SCOPED(advice_clear) struct advice advice = {.row = NULL};
    struct job job = job_make(NULL, NULL, NULL);
    job.time_limit_ns = arguments->time_limit_ns;
    job.threads = (uint32_t)arguments->threads;
    job.seed = arguments->seed;
    job.alignment_bytes = arguments->alignment_bytes;
    TRY(select_policy(arguments->policies, &job.policy, error));
    TRY(select_inplace(arguments, &job.inplace, error));
    TRY(select_planner(arguments->registry, arguments->planners, &planner, error));
    TRY(select_planner(arguments->registry, "best", &best, error));
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    if (arguments->apply)
        return apply(arguments, instance, error);
    select_suited_policy(arguments, instance, &job.policy);
    TRY(select_graph_options(arguments, &instance, 1, error));
    TRY(select_inplace_types(&job.inplace, &instance, 1, error));
    job.instance = instance;
    job.planner = planner;
    if (instance->problem) {
        job.policy = NULL;
        job.inplace.rules = NULL;
        TRY(problem_align(instance->problem, arguments->alignment_bytes, error));
    }
    TRY(advice_find(&job, best, &advice, error));
    if (!outcome_found(&advice.base) || !outcome_is_good(&advice.base))
        return error_set(error, STATUS_LIMIT, "found no plan of '%s' within the time limit",
                         instance->name);
    return report(arguments, &advice, error);
}

const struct command command_advise = {
    .name = "advise",
    .summary = "which single change lowers the peak most",
    .operands = "INSTANCE",
    .kind = "instances",
    .least = 1,
    .most = 1,
    .options =
        OPTIONS(OPTION_PLANNER, OPTION_POLICY, OPTION_INPLACE, OPTION_DISABLE_INPLACE, OPTION_APPLY,
                OPTION_ALIGNMENT, OPTION_TIME_LIMIT, OPTION_THREADS, OPTION_SEED, OPTION_OUTPUT,
                OPTION_FACTS, OPTION_DIALECT, OPTION_BIND, OPTION_ASSUME_DIM),
    .help = HELP({OPTION_PLANNER, "planner of the plan to be improved (default best)"}),
    .description =
        "Tries one change after another: the planner best, other in-place rules, other policies, "
        "the best order of the operators, and of each of the six largest tensors that are live "
        "where the load is greatest: int8 instead of floating point, and its operator split in two "
        "together with the one that reads it, where that computes element by element. Each plan is "
        "verified and executed. Lines with a lower peak, the lowest first: the option of memplan "
        "plan that asks for it, or --apply for memplan advise, which writes the changed graph. "
        "Proved is how far the peak is below that of any plan without the change.",
    .examples = "memplan advise zoo/squeezenet\n"
                "memplan advise model.pt2 --time-limit 60\n"
                "memplan advise zoo/squeezenet --apply quantise:fire4 -o changed.json",
    .run = run_advise,
};
