#include "cli/arguments/select.h"
#include "cli/commands/integer_program.h"
#include "core/file_name.h"
#include "core/text.h"
#include "datasets/csv/problem.h"
#include "datasets/dot.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "harness/explanation/whole_problem.h"
#include "planning/policies/policy.h"

/* A graph stays a graph in .json and .dot unless a policy is given. */
static bool stays_graph(const struct arguments *arguments, const struct instance *instance)
{
    const char *path = arguments->operand[1];
    return instance->graph && !arguments->policies && !file_name_has_extension(path, ".csv") &&
           !integer_program_has_extension(path);
}

static enum status write_problem(const struct arguments *arguments, const struct problem *problem,
                                 struct text *text, struct error *error)
{
    if (integer_program_has_extension(arguments->operand[1]))
        return integer_program_write(arguments, problem, arguments->operand[1], text, error);
    if (file_name_has_extension(arguments->operand[1], ".dot"))
        return dot_write_problem(problem, text, error);
    return file_name_has_extension(arguments->operand[1], ".csv")
               ? problem_csv_write_noted(problem, text, error)
               : problem_json_write(problem, text, error);
}

static enum status write_instance(const struct arguments *arguments,
                                  const struct instance *instance, struct text *text,
                                  struct error *error)
{
    struct job job = {.instance = instance, .alignment_bytes = 1};
    struct whole_problem whole;
    if (stays_graph(arguments, instance))
        return file_name_has_extension(arguments->operand[1], ".dot")
                   ? dot_write_graph(instance->graph, text, error)
                   : graph_json_write(instance->graph, text, error);
    TRY(select_policy(arguments->policies, &job.policy, error));
    enum status status = whole_problem_create(&job, &whole, error);
    if (!status)
        status = write_problem(arguments, whole.problem, text, error);
    whole_problem_clear(&whole);
    return status;
}

static enum status check_arguments(const struct arguments *arguments, struct error *error)
{
    const struct policy *policy;
    TRY(select_policy(arguments->policies, &policy, error));
    if (file_name_has_extension(arguments->operand[1], ".csv") ||
        file_name_has_extension(arguments->operand[1], ".json") ||
        file_name_has_extension(arguments->operand[1], ".dot") ||
        integer_program_has_extension(arguments->operand[1]))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "output '%s', expected .csv, .json, .dot, .lp or .mps",
                     arguments->operand[1]);
}

enum status command_convert(const struct arguments *arguments, struct error *error)
{
    struct instance *instance;
    struct text text = {0};
    TRY(check_arguments(arguments, error));
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status = write_instance(arguments, instance, &text, error);
    if (!status)
        status = text_write_file(arguments->operand[1], &text, error);
    text_free(&text);
    instance_free(instance);
    return status;
}
