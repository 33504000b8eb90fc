/* The command verify, which checks a plan from a file. */
#include <stdio.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/commands/plan_answer.h"
#include "cli/commands/plan_family.h"
#include "cli/memories/memories.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "harness/files/plan_write.h"
#include "harness/job/run.h"

/* Adds how many there are of a kind and, unless there were too many to count, how many of them were
   covered. */
static void add_covered(struct json_tree *facts, const char *key, bool counted, uint64_t covered,
                        uint64_t reachable)
{
    json_build_open(facts, key, JSON_OBJECT);
    if (counted)
        json_build_count(facts, "covered", covered);
    json_build_count(facts, "reachable", reachable);
    json_build_close(facts);
}

static void print_coverage(const struct execute_coverage *coverage)
{
    SCOPED(text_free) struct text text = {0};
    text_append(&text, "covered %llu of %llu regions, ",
                (unsigned long long)coverage->regions_covered,
                (unsigned long long)coverage->regions);
    if (coverage->pairs_counted)
        text_append(&text, "%llu of ", (unsigned long long)coverage->pairs_covered);
    else
        text_append(&text, "some of ");
    text_append(&text, "%llu pairs of them, %llu of %llu turn counts of loops",
                (unsigned long long)coverage->pairs, (unsigned long long)coverage->turns_covered,
                (unsigned long long)coverage->turns);
    if (coverage->threats)
        text_append(&text, ", %llu of %s%llu writes that could harm",
                    (unsigned long long)coverage->threats_covered,
                    coverage->threats_counted ? "" : "at least ",
                    (unsigned long long)coverage->threats);
    print_lines("%s\n", text.bytes ? text.bytes : "");
}

/* What both checks say; execution is NULL where it was not asked for. */
static enum status print_json(const struct plan_answer *answer, const struct plan_answer *execution,
                              struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    bool good = answer->good && (!execution || execution->good);
    json_open_facts(&facts, "verdict");
    if (good && (answer->sampled || (execution && execution->sampled)))
        json_build_null(&facts, "valid");
    else
        json_build_boolean(&facts, "valid", good);
    json_build_text(&facts, "text", answer->text);
    json_build_count(&facts, "peak", answer->peak_bytes);
    if (execution) {
        const struct execute_coverage *coverage = &execution->coverage;
        json_build_text(&facts, "execution", execution->text);
        json_build_count(&facts, "paths", execution->paths);
        json_build_open(&facts, "coverage", JSON_OBJECT);
        add_covered(&facts, "regions", true, coverage->regions_covered, coverage->regions);
        add_covered(&facts, "pairs", coverage->pairs_counted, coverage->pairs_covered,
                    coverage->pairs);
        if (coverage->threats)
            add_covered(&facts, "writes", true, coverage->threats_covered, coverage->threats);
        add_covered(&facts, "turn_counts", true, coverage->turns_covered, coverage->turns);
        json_build_close(&facts);
    }
    json_build_close(&facts);
    return json_print(&facts, error);
}

/* Writes the plan as it was read, once it has been found good. */
static enum status write_plan(const struct arguments *arguments, const struct instance *instance,
                              const struct plan_file *file, struct error *error)
{
    const struct planner source = {.name = arguments->operand[1]};
    struct job job = job_make(instance, instance->graph ? file->policy : NULL, &source);
    job.seed = arguments->seed;
    job.alignment_bytes = arguments->alignment_bytes;
    struct outcome outcome = {
        .status = PLAN_FEASIBLE, .plan = file->plan, .placement = file->placement};
    SCOPED(text_free) struct text text = {0};
    TRY(job_check(&job, &outcome, error));
    TRY(plan_file_write(&job, &outcome, arguments->output, &text, error));
    return text_write_file(arguments->output, &text, error);
}

/* Prints the answers to standard output, since they are the result even when it is no. */
static enum status print_answers(const struct arguments *arguments,
                                 const struct plan_answer *answer,
                                 const struct plan_answer *execution, struct error *error)
{
    if (arguments->json)
        return print_json(answer, execution, error);
    print_lines("%s\n", answer->text);
    if (execution)
        print_lines("%s\n", execution->text);
    if (answer->good && (!execution || execution->good))
        printf("peak %llu bytes\n", (unsigned long long)answer->peak_bytes);
    if (execution && execution->good && execution->coverage.regions)
        print_coverage(&execution->coverage);
    return STATUS_OK;
}

static enum status run_verify(const struct arguments *arguments, struct error *error)
{
    struct plan_answer answer = {.good = false}, executed = {.good = true};
    const struct plan_answer *execution = arguments->execute ? &executed : NULL;
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(plan_file_free) struct plan_file file = {0};
    struct inplace_choice choice;
    if (arguments->capacity_bytes != UINT64_MAX && !arguments->memories)
        return error_set(error, STATUS_USAGE,
                         "found --capacity, expected it with --memories and a plan with moves");
    if (memory_instance_is(arguments->operand[0]))
        return memories_verify(arguments, error);
    TRY(select_inplace(arguments, &choice, error));
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    TRY(select_graph_options(arguments, &instance, 1, error));
    TRY(select_inplace_types(&choice, &instance, 1, error));
    if (arguments->at)
        TRY(plan_family_resize(arguments, &instance, error));
    if (instance->problem)
        TRY(problem_align(instance->problem, arguments->alignment_bytes, error));
    if (plan_family_is_file(instance, arguments->operand[1]))
        return plan_family_verify(arguments, instance, arguments->operand[1], error);
    if (arguments->memories)
        return memories_verify_graph(arguments, instance, &choice, error);
    TRY(plan_file_read(instance, arguments->operand[1], &choice, NULL, &file, error));
    TRY(plan_answer_verify(arguments, instance, &file, &answer, error));
    if (execution)
        TRY(plan_answer_execute(arguments, instance, &file, &executed, error));
    bool good = answer.good && executed.good, sampled = answer.sampled || executed.sampled;
    if (good && !sampled && arguments->output)
        TRY(write_plan(arguments, instance, &file, error));
    TRY(print_answers(arguments, &answer, execution, error));
    return !good ? STATUS_NO : sampled ? STATUS_LIMIT : STATUS_OK;
}

const struct command command_verify = {
    .name = "verify",
    .summary = "check a plan against its instance; names the witness pair",
    .operands = "INSTANCE PLAN.csv|PLAN.json|SOLUTION.sol|PLAN.bin",
    .kind = "instances",
    .least = 2,
    .most = 2,
    .options = OPTIONS(OPTION_INPLACE, OPTION_DISABLE_INPLACE, OPTION_ALIGNMENT, OPTION_AT,
                       OPTION_EXECUTE, OPTION_MEMORIES, OPTION_CAPACITY, OPTION_SEED, OPTION_OUTPUT,
                       OPTION_FACTS, OPTION_IGNORE_OFFSETS, OPTION_DIALECT, OPTION_BIND,
                       OPTION_RANGE, OPTION_ASSUME_DIM),
    .description = "A graph's plan is checked along every path through its branches. .sol is what "
                   "a solver (CBC, GLPK, SCIP, HiGHS, Gurobi) found for the .lp or .mps that "
                   "convert wrote. A valid plan is written to the output. --execute runs every "
                   "path when there are at most 4096, else 4096 seeded samples. Exit code 1 when "
                   "the plan is wrong or a value was overwritten, 4 where the ways through a graph "
                   "are too many to tell.",
    .examples = "memplan verify problem.csv plan.csv\n"
                "memplan verify luna/denoise plan.json --execute\n"
                "memplan verify problem.csv problem.sol -o plan.csv",
    .run = run_verify,
};
