#include "planning/execute.h"

#include <stdio.h>

#include "core/text.h"
#include "planning/execute_paths.h"
#include "planning/execute_run.h"

/* Samples of a large graph are fewer, so that the check takes seconds. */
static uint64_t count_samples(const struct graph *graph, const struct execute_options *options)
{
    enum { LEAST_SAMPLES = 16 };
    uint64_t affordable = options->most_sampled_operators / (graph->operators + (uint64_t)1);
    if (affordable < LEAST_SAMPLES)
        affordable = LEAST_SAMPLES;
    return affordable < options->most_paths ? affordable : options->most_paths;
}

static void run_paths(struct execute_run *run, const struct graph *graph,
                      const struct execute_paths *paths, const struct execute_options *options)
{
    struct execution *execution = run->execution;
    struct random_state random = random_seed(options->seed);
    uint64_t most = options->most_paths ? options->most_paths : 1;
    bool all = paths->total <= most && paths->total != UINT64_MAX;
    uint64_t count = all ? paths->total : count_samples(graph, options);
    while (execution->intact && execution->paths_run < count) {
        uint64_t number = all ? execution->paths_run : execute_paths_sample(paths, &random);
        execute_run_path(run, paths, number);
        execution->paths_run++;
    }
    execution->all_paths = all && execution->paths_run == count;
}

enum status execute_placement(const struct graph *graph, const struct placement *placement,
                              const struct execute_options *options, struct execution *execution,
                              struct error *error)
{
    struct execute_run run = {0};
    struct execute_paths paths = {0};
    enum status status;
    *execution = (struct execution){
        .intact = true, .operator= GRAPH_NONE, .damaged = GRAPH_NONE, .writer = GRAPH_NONE};
    TRY_OR_DONE(status, execute_run_create(&run, graph, placement, execution, error));
    TRY_OR_DONE(status, execute_paths_create(&paths, graph, error));
    run_paths(&run, graph, &paths, options);
done:
    execute_run_free(&run);
    execute_paths_free(&paths);
    return status;
}

struct route {
    const struct graph *graph;
    struct text text;
};

static bool add_choice(void *context, const struct execute_event *event)
{
    struct route *route = context;
    const struct graph *graph = route->graph;
    const char *name = graph_label(graph, graph->operator[event->operator].name);
    const char *separator = route->text.length ? ", " : "";
    if (event->moment != EXECUTE_ENTER)
        return true;
    if (event->region == GRAPH_NONE)
        text_append(&route->text, "%s%s: %u turns", separator, name, event->turns);
    else
        text_append(&route->text, "%s%s: %s", separator, name,
                    graph_label(graph, graph->region[event->region].name));
    return true;
}

static enum status list_choices(const struct graph *graph, uint64_t path, struct text *text,
                                struct error *error)
{
    struct route route = {.graph = graph};
    struct execute_paths paths;
    enum status status = execute_paths_create(&paths, graph, error);
    if (!status) {
        execute_paths_follow(&paths, path, add_choice, &route);
        status = text_check(&route.text, error);
    }
    execute_paths_free(&paths);
    *text = route.text;
    return status;
}

static void describe_damage(const struct graph *graph, const struct execution *execution,
                            const char *choices, char *text, size_t text_bytes)
{
    const char *finder = execution->operator== GRAPH_NONE
                             ? graph_name(graph)
                             : graph_label(graph, graph->operator[execution->operator].name);
    const char *damaged = names_get(&graph->tensor_names, execution->damaged);
    unsigned long long path = execution->path;
    if (execution->writer == GRAPH_NONE)
        snprintf(text, text_bytes, "'%s' finds nothing written in bytes of '%s' on path %llu%s%s",
                 finder, damaged, path, *choices ? ": " : "", choices);
    else
        snprintf(text, text_bytes, "'%s' finds bytes of '%s' overwritten by '%s' on path %llu%s%s",
                 finder, damaged, names_get(&graph->tensor_names, execution->writer), path,
                 *choices ? ": " : "", choices);
}

enum status execute_describe(const struct graph *graph, const struct execution *execution,
                             char *text, size_t text_bytes, struct error *error)
{
    struct text choices = {0};
    if (execution->intact) {
        snprintf(text, text_bytes, "every tensor is intact on %s (%llu run)",
                 execution->all_paths ? "every path" : "every sampled path",
                 (unsigned long long)execution->paths_run);
        return STATUS_OK;
    }
    enum status status = list_choices(graph, execution->path, &choices, error);
    if (!status)
        describe_damage(graph, execution, choices.length ? choices.bytes : "", text, text_bytes);
    text_free(&choices);
    return status;
}
