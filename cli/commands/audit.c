/* The command audit: a plan from another source is checked, and compared with the best plan that
   can be found. */
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/commands/plan_answer.h"
#include "cli/memories/memories.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/memory.h"
#include "datasets/executorch/executorch.h"
#include "harness/files/plan_write.h"
#include "harness/job/run.h"
#include "planning/inplace/rules.h"
#include "planning/policies/policy.h"

/* A plan, its instance, and what was found out about both. */
struct audit {
    const struct arguments *arguments;
    struct instance *instance;
    struct inplace_choice inplace;
    struct plan_file file;
    const char *plan_path;     /* NULL where the instance's own offsets are the plan */
    struct plan_answer answer; /* of verify, and where that finds nothing of the execution */
    struct planner *planner;
    struct job job; /* that found the best plan */
    struct outcome best;
};

/* Makes a plan of the offsets that the file carries, or else of those of the problem's buffers. */
static enum status take_offsets(const struct instance *instance, struct plan **plan,
                                struct error *error)
{
    const struct problem *problem = instance->problem;
    const uint64_t *carried = instance->carried_offset;
    TRY(plan_create(problem, plan, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        (*plan)->offset[b] = carried ? carried[b] : problem_fixed_offset(problem, b);
        if ((*plan)->offset[b] == PROBLEM_FREE)
            return error_set(error, STATUS_USAGE,
                             "found no offset of buffer '%s' in '%s', expected a plan of all "
                             "buffers, or a plan behind it",
                             names_get(&problem->names, b), names_get(&problem->name, 0));
    }
    return plan_set_feasible(*plan, problem, error);
}

static enum status read_plan(struct audit *audit, struct error *error)
{
    struct arguments arguments = *audit->arguments;
    if (arguments.operands > 1)
        audit->plan_path = arguments.operand[1];
    else if (file_name_has_extension(arguments.operand[0], ".tflite"))
        audit->plan_path = arguments.operand[0];
    if (audit->plan_path)
        return plan_file_read(audit->instance, audit->plan_path, &audit->inplace, NULL,
                              &audit->file, error);
    if (audit->instance->carried_offset)
        return take_offsets(audit->instance, &audit->file.plan, error);
    if (!audit->instance->problem || arguments.ignore_offsets)
        return error_set(error, STATUS_USAGE,
                         "found no plan in '%s', expected a .tflite, .pte or .pb model or a "
                         "snapshot that carries one, a .csv file with offsets, or a plan behind it",
                         audit->instance->name);
    TRY(take_offsets(audit->instance, &audit->file.plan, error));
    /* The same file is loaded again, with its alignments, and buffers that are free to move. */
    instance_free(audit->instance);
    audit->instance = NULL;
    arguments.ignore_offsets = true;
    return select_instance(&arguments, arguments.operand[0], &audit->instance, error);
}

/* Finds the best plan to compare with. Others plan static addresses, and the best policy with such
   addresses is path. Where the audited plan writes outputs over inputs, the other plan may do so
   too. */
static enum status find_best(struct audit *audit, struct error *error)
{
    const struct graph *graph = audit->instance->graph;
    struct job *job = &audit->job;
    TRY(select_planner(audit->arguments->registry, "best", &audit->planner, error));
    *job = job_make(audit->instance, NULL, audit->planner);
    job->inplace = audit->inplace;
    job->time_limit_ns = audit->arguments->time_limit_ns;
    job->threads = (uint32_t)audit->arguments->threads;
    job->seed = audit->arguments->seed;
    job->alignment_bytes = audit->arguments->alignment_bytes;
    if (graph)
        job->policy = policy_find(graph_has_streams(graph)        ? "streams"
                                  : graph_has_control_flow(graph) ? "path"
                                                                  : "flat");
    if (audit->file.placement && !job->inplace.rules && placement_in_place(audit->file.placement))
        job->inplace.rules = inplace_find("declared");
    return job_run(job, &audit->best, error);
}

static void add_distance(struct json_tree *facts, const char *bytes_key, const char *percent_key,
                         uint64_t peak_bytes, uint64_t from_bytes)
{
    json_build_integer(facts, bytes_key, (int64_t)peak_bytes - (int64_t)from_bytes);
    if (from_bytes)
        json_build_real(facts, percent_key,
                        100 * ((double)peak_bytes - (double)from_bytes) / (double)from_bytes);
}

static void add_facts(const struct audit *audit, bool fits, struct json_tree *facts)
{
    const struct measures *best = &audit->best.measures;
    uint64_t peak_bytes = audit->answer.peak_bytes;
    json_build_text(facts, "instance", audit->instance->name);
    json_build_text(facts, "plan",
                    audit->plan_path ? audit->plan_path : audit->arguments->operand[0]);
    json_build_boolean(facts, "safe", audit->answer.good);
    json_build_text(facts, "verdict", audit->answer.text);
    json_build_count(facts, "peak", peak_bytes);
    if (audit->instance->carried_bytes && !audit->plan_path)
        json_build_count(facts, "arena_of_the_file", audit->instance->carried_bytes);
    if (audit->arguments->capacity_bytes != UINT64_MAX)
        json_build_boolean(facts, "fits", fits);
    json_build_text(facts, "best_status", plan_status_name(audit->best.status));
    if (outcome_found(&audit->best)) {
        json_build_count(facts, "best_peak", best->peak_bytes);
        add_distance(facts, "above_best", "above_best_percent", peak_bytes, best->peak_bytes);
    }
    json_build_count(facts, "lower_bound", best->lower_bound_bytes);
    add_distance(facts, "above_bound", "above_bound_percent", peak_bytes, best->lower_bound_bytes);
}

static void clear_audit(struct audit *audit)
{
    outcome_clear(&audit->best);
    planner_free(audit->planner);
    plan_file_free(&audit->file);
    instance_free(audit->instance);
}

/* Whether the plan has a place in the output: a program that carries one, or a form of plans that
   is read again, for what carries none of its own or has its plan in such a file. */
static enum status check_output(const struct audit *audit, struct error *error)
{
    const char *output = audit->arguments->output;
    bool carries = audit->instance->carried_offset != NULL;
    bool is_plan = plan_file_has_form(output) && !file_name_has_extension(output, ".h") &&
                   !file_name_has_extension(output, ".graph.json");
    if (file_name_has_extension(output, ".pte") ? carries
                                                : is_plan && (!carries || audit->plan_path))
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "output '%s' of '%s', expected a .pte file made of a .pte model, .tflite or .bin "
        "of a .tflite model, or .csv, .xla.csv or .json of a plan in such a file",
        output, audit->instance->name);
}

/* Appends the program with the best plan in the place of its own. */
static enum status write_program(const struct audit *audit, struct text *written,
                                 struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(memory_release) char *path = memory_copy_text(audit->instance->path);
    struct carried_choice choice;
    if (!path)
        return error_no_memory(error);
    char *part = strrchr(path, '?');
    if (part)
        *part++ = '\0';
    TRY(carried_choose(part, &choice, error));
    TRY(text_read_file(path, &text, error));
    return executorch_write(&text, path, &choice, audit->best.plan->offset,
                            audit->best.measures.peak_bytes, written, error);
}

/* Reads the plan that was written: it is safe, and has the peak of the best one. */
static enum status check_written(const struct audit *audit, struct error *error)
{
    struct arguments arguments = *audit->arguments;
    SCOPED(clear_audit) struct audit again = {.arguments = &arguments};
    const struct instance *instance = audit->instance;
    if (file_name_has_extension(arguments.output, ".xla.csv")) {
        arguments.dialect = csv_dialect_find("xla");
        arguments.ignore_offsets = false;
        TRY(select_instance(&arguments, arguments.output, &again.instance, error));
        TRY(take_offsets(again.instance, &again.file.plan, error));
        instance = again.instance;
    } else {
        TRY(plan_file_read(instance, arguments.output, &audit->job.inplace, NULL, &again.file,
                           error));
    }
    TRY(plan_answer_verify(&arguments, instance, &again.file, &again.answer, error));
    return again.answer.good && again.answer.peak_bytes == audit->best.measures.peak_bytes
               ? STATUS_OK
               : error_set(error, STATUS_INTERNAL,
                           "found a plan of %llu bytes in '%s' (%s), expected that of %llu bytes",
                           (unsigned long long)again.answer.peak_bytes, arguments.output,
                           again.answer.text, (unsigned long long)audit->best.measures.peak_bytes);
}

/* Writes the best plan in the place of the audited one. A program is read again before. */
static enum status write_best(const struct audit *audit, struct error *error)
{
    SCOPED(text_free) struct text written = {0};
    const char *output = audit->arguments->output;
    bool is_program = file_name_has_extension(output, ".pte");
    if (!outcome_found(&audit->best))
        return error_set(error, STATUS_LIMIT, "found no plan of '%s' to be written",
                         audit->instance->name);
    TRY(is_program ? write_program(audit, &written, error)
                   : plan_file_write(&audit->job, &audit->best, output, &written, error));
    TRY(text_write_file(output, &written, error));
    return is_program ? STATUS_OK : check_written(audit, error);
}

/* The plan that an instance of a suite carries, if it carries one, and the best: a row. */
static enum status add_row(const struct arguments *arguments, struct instance *instance,
                           struct table *table, bool *good, struct error *error)
{
    SCOPED(clear_audit) struct audit audit = {.arguments = arguments, .instance = instance};
    bool carries = instance->carried_offset != NULL;
    enum status status = STATUS_OK;
    if (carries)
        status = take_offsets(instance, &audit.file.plan, error);
    if (!status && instance->problem)
        status = problem_align(instance->problem, arguments->alignment_bytes, error);
    if (!status && carries)
        status = plan_answer_verify(arguments, instance, &audit.file, &audit.answer, error);
    if (!status)
        status = find_best(&audit, error);
    audit.instance = NULL; /* the selection's */
    TRY(status);
    const struct measures *best = &audit.best.measures;
    uint64_t own_bytes = audit.answer.peak_bytes, best_bytes = best->peak_bytes;
    bool found = outcome_found(&audit.best);
    *good &= !carries || audit.answer.good;
    table_add(table, cell_instance(instance->name),
              cell_text(!carries            ? "-"
                        : audit.answer.good ? "yes"
                                            : "no"),
              cell_known(carries, own_bytes),
              cell_known(instance->carried_bytes > 0, instance->carried_bytes),
              cell_known(found, best_bytes), cell_number(best->lower_bound_bytes),
              cell_known_real(carries && found && best_bytes,
                              100 * ((double)own_bytes - (double)best_bytes) / (double)best_bytes,
                              2));
    return STATUS_OK;
}

static enum status audit_suites(const struct arguments *arguments, struct error *error)
{
    SCOPED(selection_clear) struct selection selection = {0};
    SCOPED(table_free) struct table table = {.name = "audit"};
    bool good = true;
    if (arguments->operands)
        return error_set(error, STATUS_USAGE, "found '%s' beside --suite, expected one of both",
                         arguments->operand[0]);
    TRY(select_instances(arguments, &selection, error));
    table_set_title(&table, "Plans that files of frameworks carry, and the best plans");
    table_add_columns(&table,
                      "instance | safe | own (bytes): | arena (bytes): ~1 | best (bytes): | "
                      "bound (bytes): ~2 | above (%):");
    for (uint32_t i = 0; i < selection.count; i++)
        TRY(add_row(arguments, selection.instance[i], &table, &good, error));
    TRY(print_table(&table, arguments->json ? "json" : NULL, NULL, error));
    return good ? STATUS_OK : STATUS_NO;
}

static enum status run_audit(const struct arguments *arguments, struct error *error)
{
    if (arguments->suites)
        return audit_suites(arguments, error);
    if (!arguments->operands)
        return error_set(error, STATUS_USAGE, "found no model, expected one or --suite");
    if (memory_instance_is(arguments->operand[0]))
        return memories_audit(arguments, error);
    SCOPED(clear_audit) struct audit audit = {.arguments = arguments};
    struct arguments loading = *arguments;
    loading.audit_offsets = arguments->operands == 1;
    TRY(select_inplace(arguments, &audit.inplace, error));
    TRY(select_instance(&loading, arguments->operand[0], &audit.instance, error));
    TRY(select_graph_options(arguments, &audit.instance, 1, error));
    TRY(select_inplace_types(&audit.inplace, &audit.instance, 1, error));
    TRY(read_plan(&audit, error));
    if (audit.instance->problem)
        TRY(problem_align(audit.instance->problem, arguments->alignment_bytes, error));
    TRY(plan_answer_verify(arguments, audit.instance, &audit.file, &audit.answer, error));
    if (audit.answer.good && audit.instance->graph)
        TRY(plan_answer_execute(arguments, audit.instance, &audit.file, &audit.answer, error));
    if (arguments->output)
        TRY(check_output(&audit, error));
    TRY(find_best(&audit, error));
    if (arguments->output)
        TRY(write_best(&audit, error));
    SCOPED(json_tree_free) struct json_tree facts = {0};
    bool good = audit.answer.good, json = audit.arguments->json;
    bool fits = audit.answer.peak_bytes <= audit.arguments->capacity_bytes;
    json_open_facts(&facts, "audit");
    add_facts(&audit, fits, &facts);
    TRY(json ? json_print(&facts, error) : json_print_lines(&facts, error));
    if (!json && !good)
        print_lines("%-17s %s\n", "safe", "no");
    if (!json && !fits)
        print_lines("%-17s %s\n", "fits", "no");
    return good && fits ? STATUS_OK : STATUS_NO;
}

const struct command command_audit = {
    .name = "audit",
    .summary = "check a plan of somebody else, and compare it with the optimum",
    .operands = "MODEL.tflite | MODEL.pte | MODEL.hlo.pb | SNAPSHOT.json | PROBLEM.csv | "
                "INSTANCE PLAN.csv|PLAN.json|PLAN.bin | --suite NAMES",
    .kind = "instances",
    .most = 2,
    .options = OPTIONS(OPTION_SUITE, OPTION_INPLACE, OPTION_DISABLE_INPLACE, OPTION_CAPACITY,
                       OPTION_ALIGNMENT, OPTION_TIME_LIMIT, OPTION_THREADS, OPTION_SEED,
                       OPTION_OUTPUT, OPTION_FACTS, OPTION_IGNORE_OFFSETS, OPTION_DIALECT,
                       OPTION_BIND, OPTION_ASSUME_DIM),
    .description =
        "The plan is the one that a TFLite model carries for TFLite Micro, or a program of "
        "ExecuTorch for each memory of a method (MODEL.pte?method=NAME&memory=NUMBER; else of the "
        "greatest arena), or XLA's dump of a module for each allocation "
        "(MODULE.hlo.pb?memory=NUMBER), or a snapshot of PyTorch's allocator for each device, the "
        "offsets of a .csv file, or the file behind the instance. It is verified and, for a graph, "
        "executed; the planner best then looks for the least peak within the time limit. What a "
        "model leaves to "
        "the runtime is placed as tflm_greedy does it. A plan with several memories, such as a "
        "solution of dsa-solver, stands behind its problem; each memory is then held against what "
        "the buffers in it need at least. With --suite a table has a line for each "
        "instance, also for those that carry no plan. --output writes the best plan in the "
        "place of the audited one: a program of ExecuTorch or a TFLite model once more (.pte, "
        ".tflite, or .bin for the plan alone), a table (.csv, .xla.csv) or .json, a solution of "
        "dsa-solver (.solution.json). Exit code 1 when the plan is not safe, "
        "or does not fit the capacity.",
    .examples = "memplan audit patent/figure4 plan.csv\n"
                "memplan audit model.tflite --time-limit 10\n"
                "memplan audit --suite brought\n"
                "memplan audit allocinfo.csv --dialect xla -f json",
    .run = run_audit,
};
