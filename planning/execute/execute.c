#include "planning/execute/execute.h"

#include <assert.h>
#include <stdio.h>

#include "planning/execute/paths.h"
#include "planning/execute/samples.h"
#include "planning/execute/values.h"

/* A path may be too long to run: the body of 30 nested loops of two turns each runs 2^30 times. */
#define MOST_EVENTS (UINT64_C(1) << 26)

static bool run_event(void *context, const struct execute_event *event)
{
    struct execute_run *run = context;
    uint32_t o = event->op;
    assert(o < run->graph->operators);
    bool loop = run->graph->op[o].loop, intact = true;
    assert(event->kind != EXECUTE_PLAIN || run->graph->op[o].first_region == GRAPH_NONE);
    if (run->left == 0)
        return false;
    run->left--;
    run->op = o;
    execute_races_begin(&run->races, event);
    switch (event->kind) {
    case EXECUTE_PLAIN:
        intact = execute_plain(run, o);
        break;
    case EXECUTE_ENTER:
        intact =
            loop ? execute_enter_loop(run, o) : execute_check_all(run, run->graph->op[o].inputs);
        break;
    case EXECUTE_TURN:
        intact = execute_end_turn(run, o);
        break;
    case EXECUTE_LEAVE:
        intact = loop ? execute_leave_loop(run, o) : execute_leave_branch(run, o, event->region);
        break;
    }
    execute_races_end(&run->races, event);
    return intact;
}

static void run_paths(struct execute_run *run, struct execute_samples *samples)
{
    const struct graph *graph = run->graph;
    struct execution *execution = run->execution;
    assert(execution->intact && !execution->paths_run);
    run->left = MOST_EVENTS;
    while (execution->intact && run->left && execute_samples_next(samples)) {
        run->path_begin = run->arena.writes;
        run->op = GRAPH_NONE;
        execute_races_restart(&run->races);
        execute_write_all(run, graph->inputs);
        if (execute_check_all(run, graph->inputs) &&
            execute_samples_follow(samples, run_event, run)) {
            run->op = GRAPH_NONE;
            execute_races_restart(&run->races);
            execute_check_all(run, graph->region[0].yields);
        }
        if (!execution->intact)
            execution->path = samples->begun - 1;
        execution->paths_run += run->left > 0 || !execution->intact;
        assert(!execution->intact || execution->damaged == GRAPH_NONE);
        assert(samples->begun >= execution->paths_run);
    }
    execution->paths = samples->paths->total;
    execution->all_paths = samples->all && execution->paths_run >= samples->paths->total;
    assert(!execution->all_paths || samples->begun >= samples->paths->total);
    execute_samples_count(samples, &execution->coverage);
}

/* What is run: all paths, or samples of them and the threats that some of these are for. */
struct route {
    struct execute_paths paths;
    struct execute_threats threats;
    struct execute_samples samples;
    struct scratch scratch;
};

/* Finds the writes that could harm where not every path is run. Their paths are at most half of the
   samples. */
static enum status create_route(struct route *route, const struct execute_threatened *threatened,
                                const struct execute_options *options, struct error *error)
{
    struct execute_paths *paths = &route->paths;
    TRY(execute_paths_create(paths, threatened->graph, &route->scratch, error));
    if (paths->total > options->most_paths || paths->total == UINT64_MAX)
        TRY(execute_threats_create(&route->threats, threatened, options->most_paths / 2 + 1,
                                   error));
    return execute_samples_create(&route->samples, paths, options, &route->threats, &route->scratch,
                                  error);
}

static void end_route(struct route *route)
{
    execute_threats_free(&route->threats);
    scratch_free(&route->scratch);
}

enum status execute_placement(const struct graph *graph, const struct placement *placement,
                              const struct execute_options *options, struct execution *execution,
                              struct error *error)
{
    struct execute_run run;
    SCOPED(end_route) struct route route = {0};
    *execution = (struct execution){.intact = true,
                                    .options = *options,
                                    .op = GRAPH_NONE,
                                    .damaged = GRAPH_NONE,
                                    .writer = GRAPH_NONE};
    TRY(execute_values_create(&run, graph, placement, execution, &route.scratch, error));
    if (!execution->intact)
        return STATUS_OK;
    assert(placement->tensors == graph->tensors);
    TRY(create_route(&route, &(struct execute_threatened){graph, placement, &run.arena}, options,
                     error));
    run_paths(&run, &route.samples);
    return STATUS_OK;
}

const char *execute_verdict_name(const struct execution *execution)
{
    return !execution->intact ? "damaged" : execution->all_paths ? "intact" : "sampled";
}

enum { MOST_DESCRIBED = 1 << 16 }; /* letters */

struct choices {
    const struct graph *graph;
    struct text *text;
    const char *separator;
};

static bool add_choice(void *context, const struct execute_event *event)
{
    struct choices *choices = context;
    const struct graph *graph = choices->graph;
    if (event->kind != EXECUTE_ENTER)
        return choices->text->length < MOST_DESCRIBED;
    assert(graph->op[event->op].loop == (event->region == GRAPH_NONE));
    text_append(choices->text, "%s%s: ", choices->separator,
                graph_label(graph, graph->op[event->op].name));
    if (event->region == GRAPH_NONE)
        text_append(choices->text, "%u turns", event->turns);
    else
        text_append(choices->text, "%s", graph_label(graph, graph->region[event->region].name));
    choices->separator = ", ";
    return true;
}

static bool pass_by(void *context, const struct execute_event *event)
{
    (void)context;
    (void)event;
    return true;
}

/* Says what was found damaged, and the choices of the path on which it was. What a sample chooses
   depends on those before it, so all of them are drawn once more. */
static enum status describe_damage(const struct executed *executed, struct text *text,
                                   struct error *error)
{
    const struct graph *graph = executed->graph;
    const struct execution *execution = executed->execution;
    assert(!execution->intact && execution->damaged < graph->tensors);
    const char *damaged = names_get(&graph->tensor_names, execution->damaged);
    text_append(text, "'%s' ",
                execution->op == GRAPH_NONE ? graph_name(graph)
                                            : graph_label(graph, graph->op[execution->op].name));
    assert(!execution->raced || execution->writer != GRAPH_NONE);
    if (execution->raced)
        text_append(text, "uses bytes for '%s' that another stream may still use for '%s'",
                    names_get(&graph->tensor_names, execution->writer), damaged);
    else if (execution->writer == GRAPH_NONE)
        text_append(text, "finds nothing written in bytes of '%s'", damaged);
    else
        text_append(text, "finds bytes of '%s' overwritten by '%s'", damaged,
                    names_get(&graph->tensor_names, execution->writer));
    text_append(text, " on path %llu", (unsigned long long)execution->path);

    struct execution ignored = {.intact = true};
    struct choices choices = {graph, text, ": "};
    struct execute_arena arena;
    SCOPED(end_route) struct route route = {0};
    struct execute_samples *samples = &route.samples;
    TRY(execute_arena_create(&arena, graph, executed->placement, &ignored, &route.scratch, error));
    assert(ignored.intact); /* as places were when the graph was run */
    TRY(create_route(&route, &(struct execute_threatened){graph, executed->placement, &arena},
                     &execution->options, error));
    for (uint64_t path = 0; path <= execution->path && execute_samples_next(samples); path++)
        execute_samples_follow(samples, path == execution->path ? add_choice : pass_by, &choices);
    return text_check(text, error);
}

enum status execute_describe(const struct executed *executed, char *text, size_t text_bytes,
                             struct error *error)
{
    static const struct {
        const char *before, *after;
    } words[] = {
        [EXECUTE_NO_OFFSET] = {"tensor", "has no offset"},
        [EXECUTE_BEYOND_END] = {"tensor", "ends beyond 2^64 bytes"},
        [EXECUTE_WRONG_EXTENTS] = {"the extents of tensor", "do not add up to its bytes"},
        [EXECUTE_SELF_OVERLAP] = {"extents of tensor", "share bytes"},
        [EXECUTE_NOT_OFFERED] = {"tensor", "is not on bytes that its memory offers"},
    };
    const struct execution *execution = executed->execution;
    unsigned long long run = execution->paths_run, paths = execution->paths;
    bool uncounted = execution->paths == UINT64_MAX;
    SCOPED(text_free) struct text damage = {0};
    assert(text_bytes > 0);
    if (execution->intact && execution->all_paths) {
        snprintf(text, text_bytes, "every tensor is intact on every path (%llu run)", run);
    } else if (execution->intact) {
        snprintf(text, text_bytes, "every tensor is intact on %llu of %s%llu paths", run,
                 uncounted ? "more than " : "", paths - uncounted);
    } else if (execution->place) {
        snprintf(text, text_bytes, "%s '%s' %s", words[execution->place].before,
                 names_get(&executed->graph->tensor_names, execution->damaged),
                 words[execution->place].after);
    } else {
        TRY(describe_damage(executed, &damage, error));
        snprintf(text, text_bytes, "%s", damage.bytes);
    }
    return STATUS_OK;
}
