/* The command convert: an instance in another format, or as an integer program or a formula for
   other solvers. */
#include <inttypes.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/memories/memories.h"
#include "core/file.h"
#include "core/text.h"
#include "datasets/csv/problem.h"
#include "datasets/dot.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "harness/catalogue/planners.h"
#include "harness/explanation/whole_problem.h"
#include "planning/problem/bounds.h"
#include "planning/verify/problem/fixed.h"
#include "solvers/mip/files/program.h"
#include "solvers/proof/proof.h"

static bool is_integer_program(const char *path)
{
    return file_name_has_extension(path, ".lp") || file_name_has_extension(path, ".mps");
}

/* A program or a formula of one problem, for other solvers. */
static bool is_for_solvers(const char *path)
{
    return is_integer_program(path) || file_name_has_extension(path, ".opb");
}

/* The least of the capacity, the peak of large_first and what holds every buffer above the one
   before, up to which solutions are read. STATUS_NO where no plan can fit, since fixed buffers
   collide or the capacity is below the bound. */
static enum status find_upper(const struct problem *problem, uint64_t capacity_bytes,
                              uint64_t *upper_bytes, struct error *error)
{
    struct verdict verdict;
    uint64_t bound_bytes;
    TRY(verify_fixed(problem, &verdict, error));
    if (verdict.fault != VERIFY_VALID)
        return error_set(error, STATUS_NO, "the fixed buffers '%s' and '%s' collide at step %u",
                         names_get(&problem->names, verdict.first),
                         names_get(&problem->names, verdict.second), verdict.step);
    TRY(bound_peak(problem, &bound_bytes, error));
    if (capacity_bytes < bound_bytes)
        return error_set(error, STATUS_NO,
                         "found a capacity of %" PRIu64 " bytes, expected at least %" PRIu64
                         ", which every plan needs",
                         capacity_bytes, bound_bytes);
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(problem, &plan, error));
    TRY(planner_plan(planners_find("large_first"), &task, plan, error));
    *upper_bytes = problem_ample_bytes(problem);
    if (plan->measures.peak_bytes < *upper_bytes)
        *upper_bytes = plan->measures.peak_bytes;
    if (capacity_bytes < *upper_bytes)
        *upper_bytes = capacity_bytes;
    return STATUS_OK;
}

/* Where a formula has no solution, no plan fits the capacity, so that one is expected. */
static enum status write_formula(const struct problem *problem, uint64_t capacity_bytes,
                                 struct text *text, struct error *error)
{
    const char *why_not = problem->clocks  ? "found clocks, expected a problem of one stream"
                          : problem->sizes ? "found sizes with parameters, expected fixed ones"
                                           : NULL;
    if (why_not)
        return error_set(error, STATUS_BAD_INPUT, "%s", why_not);
    TRY(proof_write_formula(problem, capacity_bytes, text, &why_not, error));
    return why_not ? error_set(error, STATUS_LIMIT, "no formula was written: %s", why_not)
                   : STATUS_OK;
}

static enum status write_instance(const struct arguments *arguments,
                                  const struct instance *instance, struct text *text,
                                  struct error *error)
{
    const char *path = arguments->operand[1];
    bool is_csv = file_name_has_extension(path, ".csv");
    bool is_dot = file_name_has_extension(path, ".dot");
    /* A graph stays a graph in .json and .dot unless a policy is given. */
    if (instance->graph && !arguments->policies && !is_csv && !is_for_solvers(path))
        return is_dot ? dot_write_graph(instance->graph, text, error)
                      : graph_json_write(instance->graph, text, error);
    struct job job = {.instance = instance};
    SCOPED(whole_problem_clear) struct whole_problem whole = {0};
    TRY(select_policy(arguments->policies, &job.policy, error));
    select_suited_policy(arguments, instance, &job.policy);
    TRY(whole_problem_create(&job, &whole, error));
    if (is_csv)
        return problem_csv_write_noted(whole.problem, text, error);
    if (!is_for_solvers(path))
        return is_dot ? dot_write_problem(whole.problem, text, error)
                      : problem_json_write(whole.problem, text, error);
    /* Plans above the capacity, or above the peak of large_first where that is lower, are excluded,
       since an integer program with tighter bounds is solved faster. */
    uint64_t upper_bytes = 0;
    if (problem_is_by_clocks(whole.problem))
        return error_set(error, STATUS_BAD_INPUT,
                         "found clocks of %" PRIu32 " buffers, too many of which conflict for an "
                         "integer program",
                         whole.problem->buffers);
    if (!whole.problem->buffers)
        return error_set(error, STATUS_BAD_INPUT, "found no buffers, expected at least one");
    if (!is_integer_program(path)) {
        TRY(find_upper(whole.problem, arguments->capacity_bytes, &upper_bytes, error));
        return write_formula(whole.problem, upper_bytes, text, error);
    }
    const struct mip_formulation *formulation = mip_formulation_at(0);
    const char *name = arguments->formulation;
    if (name)
        formulation = mip_formulation_find(name);
    if (!formulation)
        return mip_formulation_refuse(name, strlen(name), error);
    TRY(find_upper(whole.problem, arguments->capacity_bytes, &upper_bytes, error));
    return mip_write(whole.problem, formulation, upper_bytes, !file_name_has_extension(path, ".lp"),
                     text, error);
}

static enum status run_convert(const struct arguments *arguments, struct error *error)
{
    const char *path = arguments->operand[1];
    const struct policy *policy;
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(text_free) struct text text = {0};
    TRY(select_policy(arguments->policies, &policy, error));
    TRY(select_output(arguments, path, error));
    if (!file_name_has_extension(path, ".csv") && !file_name_has_extension(path, ".json") &&
        !file_name_has_extension(path, ".dot") && !is_for_solvers(path))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .csv, .json, .dot, .lp, .mps or .opb", path);
    if (memory_instance_is(arguments->operand[0]))
        return memories_convert(arguments, error);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    TRY(select_graph_options(arguments, &instance, 1, error));
    TRY(write_instance(arguments, instance, &text, error));
    return text_write_file(path, &text, error);
}

const struct command command_convert = {
    .name = "convert",
    .summary = "read an instance in one format and write it in another",
    .operands = "INSTANCE OUT.json|OUT.csv|OUT.dot|OUT.lp|OUT.mps|OUT.opb",
    .kind = "instances",
    .least = 2,
    .most = 2,
    .options = OPTIONS(OPTION_POLICY, OPTION_CAPACITY, OPTION_FORMULATION, OPTION_IGNORE_OFFSETS,
                       OPTION_DIALECT, OPTION_BIND, OPTION_RANGE, OPTION_ASSUME_DIM),
    .description =
        "A graph becomes a problem (.csv, .lp, .mps, .opb, or .json with a --policy) under "
        "the policies flat, path and select. Graphviz draws .dot: a graph with its "
        "regions, or a problem with its conflicts. .lp and .mps are the integer "
        "program of glpk and cbc, or that of --formulation, for other solvers, without "
        "plans above --capacity; verify reads what they find. .opb is a pseudo-Boolean "
        "formula that has a solution where some plan fits --capacity (docs/proofs.md).",
    .examples = "memplan convert problem.csv problem.json\n"
                "memplan convert zoo/resnet50 resnet50.csv\n"
                "memplan convert luna/denoise denoise.dot\n"
                "memplan convert problem.csv problem.lp\n"
                "memplan convert problem.csv problem.mps --formulation pairs",
    .run = run_convert,
};
