#include "planning/execute/execute.h"

#include <assert.h>
#include <stdio.h>

#include "core/text.h"
#include "planning/execute/operators.h"
#include "planning/execute/paths.h"
#include "planning/execute/samples.h"
#include "planning/execute/values.h"

static bool run_accesses(struct execute_run *run, const struct execute_event *event)
{
    uint32_t o = event->op;
    assert(o < run->graph->operators);
    bool loop = run->graph->op[o].loop;
    run->op = o;
    switch (event->kind) {
    case EXECUTE_PLAIN:
        return execute_plain(run, o);
    case EXECUTE_ENTER:
        return loop ? execute_enter_loop(run, o) : execute_check_all(run, run->graph->op[o].inputs);
    case EXECUTE_TURN:
        return execute_end_turn(run, o);
    case EXECUTE_LEAVE:
        return loop ? execute_leave_loop(run, o) : execute_leave_branch(run, o, event->region);
    }
    return true;
}

static bool run_event(void *context, const struct execute_event *event)
{
    struct execute_run *run = context;
    execute_races_begin(&run->races, event);
    bool intact = run_accesses(run, event);
    execute_races_end(&run->races, event);
    return intact;
}

static bool run_from_inputs(struct execute_run *run, struct execute_samples *samples)
{
    const struct graph *graph = run->graph;
    run->op = GRAPH_NONE;
    execute_races_restart(&run->races);
    execute_write_all(run, graph->inputs);
    if (!execute_check_all(run, graph->inputs) || !execute_samples_follow(samples, run_event, run))
        return false;
    run->op = GRAPH_NONE;
    execute_races_restart(&run->races);
    return execute_check_all(run, graph->region[0].yields);
}

static void run_paths(struct execute_run *run, struct execute_samples *samples)
{
    struct execution *execution = run->execution;
    while (execution->intact && execute_samples_next(samples)) {
        run->path_begin = run->arena.writes;
        if (!run_from_inputs(run, samples))
            execution->path = samples->begun - 1;
        execution->paths_run++;
    }
    assert(execution->paths_run > 0);
    execution->paths = samples->paths->total;
    execution->all_paths = samples->all && execution->paths_run >= samples->paths->total;
    execute_samples_count(samples, &execution->coverage);
}

/* What is run: all paths, or samples of them and the threats that some of these are for. */
struct route {
    struct execute_paths paths;
    struct execute_threats threats;
    struct execute_samples samples;
};

/* Finds the writes that could harm where not every path is run. Their paths are at most half of the
   samples. */
static enum status create_route(struct route *route, const struct execute_threatened *threatened,
                                const struct execute_options *options, struct error *error)
{
    struct execute_paths *paths = &route->paths;
    TRY(execute_paths_create(paths, threatened->graph, error));
    if (paths->total > options->most_paths || paths->total == UINT64_MAX)
        TRY(execute_threats_create(&route->threats, threatened, options->most_paths / 2 + 1,
                                   error));
    return execute_samples_create(&route->samples, paths, options, &route->threats, error);
}

static void free_route(struct route *route)
{
    execute_threats_free(&route->threats);
    execute_paths_free(&route->paths);
    execute_samples_free(&route->samples);
}

enum status execute_placement(const struct graph *graph, const struct placement *placement,
                              const struct execute_options *options, struct execution *execution,
                              struct error *error)
{
    struct execute_run run = {0};
    struct route route = {0};
    enum status status;
    *execution = (struct execution){.intact = true,
                                    .options = *options,
                                    .op = GRAPH_NONE,
                                    .damaged = GRAPH_NONE,
                                    .writer = GRAPH_NONE};
    TRY_OR_DONE(status, execute_values_create(&run, graph, placement, execution, error));
    if (!execution->intact)
        goto done;
    TRY_OR_DONE(status,
                create_route(&route, &(struct execute_threatened){graph, placement, &run.arena},
                             options, error));
    run_paths(&run, &route.samples);
done:
    free_route(&route);
    execute_values_free(&run);
    return status;
}

const char *execute_verdict_name(const struct execution *execution)
{
    return !execution->intact ? "damaged" : execution->all_paths ? "intact" : "sampled";
}

struct choices {
    const struct graph *graph;
    struct text text;
};

static bool add_choice(void *context, const struct execute_event *event)
{
    struct choices *choices = context;
    const struct graph *graph = choices->graph;
    const char *name = graph_label(graph, graph->op[event->op].name);
    const char *separator = choices->text.length ? ", " : "";
    if (event->kind != EXECUTE_ENTER)
        return true;
    if (event->region == GRAPH_NONE)
        text_append(&choices->text, "%s%s: %u turns", separator, name, event->turns);
    else
        text_append(&choices->text, "%s%s: %s", separator, name,
                    graph_label(graph, graph->region[event->region].name));
    return true;
}

static bool pass_by(void *context, const struct execute_event *event)
{
    (void)context;
    (void)event;
    return true;
}

/* Lists the choices of the path on which a fault was found. What a sample chooses depends on those
   before it, so all of them are gone through once more. */
static enum status list_choices(const struct executed *executed, struct text *text,
                                struct error *error)
{
    const struct graph *graph = executed->graph;
    const struct execution *execution = executed->execution;
    struct execution ignored = {.intact = true};
    struct choices choices = {.graph = graph};
    struct execute_arena arena = {0};
    struct route route = {0};
    struct execute_samples *samples = &route.samples;
    enum status status;
    TRY_OR_DONE(status, execute_arena_create(&arena, graph, executed->placement, &ignored, error));
    TRY_OR_DONE(status,
                create_route(&route,
                             &(struct execute_threatened){graph, executed->placement, &arena},
                             &execution->options, error));
    for (uint64_t path = 0; path <= execution->path && execute_samples_next(samples); path++)
        execute_samples_follow(samples, path == execution->path ? add_choice : pass_by, &choices);
    status = text_check(&choices.text, error);
done:
    execute_arena_free(&arena);
    free_route(&route);
    *text = choices.text;
    return status;
}

static void describe_damage(const struct graph *graph, const struct execution *execution,
                            const char *choices, char *text, size_t text_bytes)
{
    assert(execution->damaged < graph->tensors);
    const char *finder = execution->op == GRAPH_NONE
                             ? graph_name(graph)
                             : graph_label(graph, graph->op[execution->op].name);
    const char *damaged = names_get(&graph->tensor_names, execution->damaged);
    unsigned long long path = execution->path;
    if (execution->raced)
        snprintf(text, text_bytes,
                 "'%s' uses bytes for '%s' that another stream may still use for '%s' on path "
                 "%llu%s%s",
                 finder, names_get(&graph->tensor_names, execution->writer), damaged, path,
                 *choices ? ": " : "", choices);
    else if (execution->writer == GRAPH_NONE)
        snprintf(text, text_bytes, "'%s' finds nothing written in bytes of '%s' on path %llu%s%s",
                 finder, damaged, path, *choices ? ": " : "", choices);
    else
        snprintf(text, text_bytes, "'%s' finds bytes of '%s' overwritten by '%s' on path %llu%s%s",
                 finder, damaged, names_get(&graph->tensor_names, execution->writer), path,
                 *choices ? ": " : "", choices);
}

static void describe_place(const struct graph *graph, const struct execution *execution, char *text,
                           size_t text_bytes)
{
    static const struct {
        const char *before, *after;
    } words[] = {
        [EXECUTE_NO_OFFSET] = {"tensor", "has no offset"},
        [EXECUTE_BEYOND_END] = {"tensor", "ends beyond 2^64 bytes"},
        [EXECUTE_WRONG_EXTENTS] = {"the extents of tensor", "do not add up to its bytes"},
        [EXECUTE_SELF_OVERLAP] = {"extents of tensor", "share bytes"},
    };
    assert(execution->place != EXECUTE_PLACED);
    snprintf(text, text_bytes, "%s '%s' %s", words[execution->place].before,
             names_get(&graph->tensor_names, execution->damaged), words[execution->place].after);
}

enum status execute_describe(const struct executed *executed, char *text, size_t text_bytes,
                             struct error *error)
{
    const struct graph *graph = executed->graph;
    const struct execution *execution = executed->execution;
    struct text choices = {0};
    assert(text_bytes > 0);
    if (execution->intact && execution->all_paths) {
        snprintf(text, text_bytes, "every tensor is intact on every path (%llu run)",
                 (unsigned long long)execution->paths_run);
        return STATUS_OK;
    }
    if (execution->intact) {
        snprintf(text, text_bytes, "every tensor is intact on %llu of %s%llu paths",
                 (unsigned long long)execution->paths_run,
                 execution->paths == UINT64_MAX ? "more than " : "",
                 (unsigned long long)execution->paths - (execution->paths == UINT64_MAX));
        return STATUS_OK;
    }
    if (execution->place) {
        describe_place(graph, execution, text, text_bytes);
        return STATUS_OK;
    }
    enum status status = list_choices(executed, &choices, error);
    if (!status)
        describe_damage(graph, execution, choices.length ? choices.bytes : "", text, text_bytes);
    text_free(&choices);
    return status;
}
