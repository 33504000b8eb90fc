/* The command generate: an instance made by a rule. */
#include "datasets/generate/generate.h"

#include "cli/arguments/command.h"
#include "core/file.h"
#include "core/text.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"

static enum status read_settings(const struct arguments *arguments,
                                 const struct generate_kind *kind,
                                 struct generate_settings *settings, struct error *error)
{
    generate_start(kind, settings);
    settings->seed = arguments->seed;
    return arguments->settings ? generate_set_list(kind, settings, arguments->settings, ',', error)
                               : STATUS_OK;
}

static enum status run_generate(const struct arguments *arguments, struct error *error)
{
    const struct generate_kind *kind;
    struct generate_settings settings;
    const char *path = arguments->output;
    TRY(generate_find(arguments->operand[0], &kind, error));
    TRY(read_settings(arguments, kind, &settings, error));
    if (path && file_name_has_extension(path, ".csv"))
        return generate_write_csv(kind, &settings, path, error);
    if (path && file_name_has_extension(path, ".json")) {
        char name[GENERATE_NAME_BYTES];
        struct generated made = {.witness = NULL};
        SCOPED(text_free) struct text text = {0};
        generate_write_name(kind, &settings, name);
        TRY(generate_create(kind, &settings, name, &made, error));
        SCOPED(graph_release) struct graph *graph = made.graph;
        SCOPED(problem_release) struct problem *problem = made.problem;
        TRY(graph ? graph_json_write(graph, &text, error)
                  : problem_json_write(problem, &text, error));
        return text_write_file(path, &text, error);
    }
    return error_set(error, STATUS_USAGE, "%s '%s', expected --output FILE%s.json",
                     path ? "output" : "no output", path ? path : "",
                     kind->graph ? "" : ".csv or ");
}

const struct command command_generate = {
    .name = "generate",
    .summary = "make an instance by a rule: the same for the same seed and options",
    .operands = "KIND",
    .kind = "generators",
    .least = 1,
    .most = 1,
    .options = OPTIONS(OPTION_SET, OPTION_SEED, OPTION_OUTPUT),
    .description =
        "memplan list generators -f json tells the kinds and their options. Problems are "
        "written as .csv or .json, graphs as .json. Every command also takes "
        "generate:KIND?NAME=VALUE&NAME=VALUE as an instance.",
    .examples = "memplan generate layered --set buffers=10k,live=200 --seed 3 -o layered.csv\n"
                "memplan generate tight --set buffers=60,capacity=1MiB,steps=40 -o tight.json\n"
                "memplan generate control_flow --set depth=4,escape=50 -o cf.json\n"
                "memplan plan 'generate:gap?buffers=30&seed=7' --planner glpk",
    .run = run_generate,
};
