#include "planning/path_reference.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "planning/runs.h"
#include "support/must.h"

enum { MOST_EVENTS = 512, MOST_MOVES = 8 };

struct move {
    uint8_t source, target; /* source: REFERENCE_MOST_TENSORS for none */
};

/* One operator running, or part of a loop: everything is read before anything is written. What is
   moved has an event for the reading and one for the writing. */
struct event {
    uint32_t choices; /* made before it */
    bool reads[REFERENCE_MOST_TENSORS], writes[REFERENCE_MOST_TENSORS];
    uint8_t moves;
    struct move move[2 * MOST_MOVES];
};

struct path {
    struct event *event;
    uint32_t events;
    struct run_choices choices;
    bool (*needed)[REFERENCE_MOST_TENSORS]; /* [events] at the event: read, written or read later */
};

struct runner {
    struct reference *reference;
    const struct graph *graph;
    const struct result_places *places;
    struct path *path;
    uint32_t source[REFERENCE_MOST_TENSORS]; /* the tensor in whose place a result is read */
    uint64_t bytes[REFERENCE_MOST_TENSORS];  /* of its place that a tensor needs */
};

static struct event *add_event(struct runner *runner)
{
    struct path *path = runner->path;
    CU_ASSERT_FATAL(path->events < MOST_EVENTS);
    struct event *event = &path->event[path->events++];
    memset(event, 0, sizeof *event);
    event->choices = path->choices.made;
    return event;
}

static void read_tensor(struct runner *runner, struct event *event, uint32_t tensor)
{
    event->reads[runner->source[tensor]] = true;
}

static void read_all(struct runner *runner, struct event *event, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        read_tensor(runner, event, runner->graph->list[tensors.first + i]);
}

static void write_tensor(struct runner *runner, struct event *event, uint32_t tensor)
{
    runner->source[tensor] = tensor;
    event->writes[tensor] = true;
}

static void add_move(struct event *event, uint32_t source, uint32_t target)
{
    CU_ASSERT_FATAL(event->moves < 2 * MOST_MOVES);
    event->move[event->moves].source = (uint8_t)source;
    event->move[event->moves++].target = (uint8_t)target;
}

static void run_region(struct runner *runner, uint32_t region);

static void run_plain(struct runner *runner, uint32_t o)
{
    const struct graph_operator *plain = &runner->graph->op[o];
    struct event *event = add_event(runner);
    read_all(runner, event, plain->inputs);
    for (uint32_t i = 0; i < plain->outputs.count; i++)
        write_tensor(runner, event, runner->graph->list[plain->outputs.first + i]);
}

static void leave_branch(struct runner *runner, uint32_t o, uint32_t region)
{
    const struct graph *graph = runner->graph;
    const uint32_t *result = graph->list + graph->op[o].outputs.first;
    const uint32_t *yield = graph->list + graph->region[region].yields.first;
    uint32_t sources[REFERENCE_MOST_TENSORS], count = graph->op[o].outputs.count;
    struct event *event = add_event(runner);
    for (uint32_t i = 0; i < count; i++) {
        sources[i] = runner->source[yield[i]];
        event->reads[sources[i]] = true;
    }
    event = add_event(runner);
    for (uint32_t i = 0; i < count; i++)
        if (runner->places || graph->tensor[result[i]].external) {
            write_tensor(runner, event, result[i]);
            add_move(event, sources[i], result[i]);
        } else
            runner->source[result[i]] = sources[i];
}

static void run_branches(struct runner *runner, uint32_t o)
{
    const struct graph *graph = runner->graph;
    uint32_t branches = 0, region = graph->op[o].first_region;
    read_all(runner, add_event(runner), graph->op[o].inputs);
    for (uint32_t r = region; r != GRAPH_NONE; r = graph->region[r].next)
        branches++;
    for (uint32_t taken = runs_choose(&runner->path->choices, branches); taken > 0; taken--)
        region = graph->region[region].next;
    run_region(runner, region);
    leave_branch(runner, o, region);
}

/* What a loop hands out besides its arguments is filled turn by turn. */
static void keep_outputs(struct runner *runner, uint32_t o, struct event *event)
{
    const struct graph *graph = runner->graph;
    for (uint32_t i = 0; i < graph->op[o].outputs.count; i++) {
        uint32_t output = graph->list[graph->op[o].outputs.first + i];
        if (!graph_find_carried_result(graph, o, output))
            read_tensor(runner, event, output);
    }
}

/* Nor are its arguments overwritten between turns. */
static void keep_own(struct runner *runner, uint32_t o)
{
    const struct graph *graph = runner->graph;
    struct event *event = add_event(runner);
    keep_outputs(runner, o, event);
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++)
        read_tensor(runner, event, graph->carried[graph->op[o].carried.first + c].argument);
}

/* All arguments are there when a turn has ended. */
static void run_turn(struct runner *runner, uint32_t o)
{
    const struct graph *graph = runner->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    for (uint32_t r = loop->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        run_region(runner, r);
    struct event *event = add_event(runner);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        read_tensor(runner, event, carried[c].yield);
    keep_outputs(runner, o, event);
    event = add_event(runner);
    for (uint32_t r = loop->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        read_all(runner, event, graph->region[r].yields);
    keep_outputs(runner, o, event);
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        uint32_t source = runner->source[carried[c].yield];
        if (graph->tensor[source].producer == o)
            source = REFERENCE_MOST_TENSORS;
        add_move(event, source, carried[c].argument);
        write_tensor(runner, event, carried[c].argument);
    }
    keep_own(runner, o);
}

static void enter_loop(struct runner *runner, uint32_t o)
{
    const struct graph *graph = runner->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    struct event *event = add_event(runner);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        read_tensor(runner, event, carried[c].init);
    event = add_event(runner);
    read_all(runner, event, loop->inputs);
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        add_move(event, runner->source[carried[c].init], carried[c].argument);
        write_tensor(runner, event, carried[c].argument);
    }
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (graph_find_carried_result(graph, o, output))
            continue;
        add_move(event, REFERENCE_MOST_TENSORS, output);
        write_tensor(runner, event, output);
    }
    keep_own(runner, o);
}

static void run_loop(struct runner *runner, uint32_t o)
{
    const struct graph_operator *loop = &runner->graph->op[o];
    enter_loop(runner, o);
    for (uint32_t turns = runs_choose(&runner->path->choices, 3); turns > 0; turns--)
        run_turn(runner, o);
    keep_own(runner, o);
    for (uint32_t c = 0; c < loop->carried.count; c++) {
        const struct graph_carried *carried = &runner->graph->carried[loop->carried.first + c];
        bool external = runner->graph->tensor[carried->result].external;
        runner->source[carried->result] = external ? carried->result : carried->argument;
    }
}

static void run_region(struct runner *runner, uint32_t region)
{
    const struct graph *graph = runner->graph;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end)
        if (graph->op[o].first_region == GRAPH_NONE)
            run_plain(runner, o);
        else if (graph->op[o].loop)
            run_loop(runner, o);
        else
            run_branches(runner, o);
}

/* The graph's inputs are there before the first operator runs, whether it reads them or not. */
static void run_path(struct runner *runner)
{
    const struct graph *graph = runner->graph;
    runner->path->events = runner->path->choices.made = 0;
    for (uint32_t t = 0; t < graph->tensors; t++)
        runner->source[t] = t;
    struct event *begin = add_event(runner);
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        begin->writes[graph->list[graph->inputs.first + i]] = true;
    run_region(runner, 0);
    read_all(runner, add_event(runner), graph->region[0].yields);
}

static bool is_placed(const struct runner *runner, uint32_t tensor)
{
    return !runner->graph->tensor[tensor].external;
}

static void find_needed(struct path *path, const struct graph *graph)
{
    bool later[REFERENCE_MOST_TENSORS] = {false};
    for (uint32_t e = path->events; e-- > 0;)
        for (uint32_t t = 0; t < graph->tensors; t++) {
            const struct event *event = &path->event[e];
            path->needed[e][t] = event->reads[t] || event->writes[t] || later[t];
            later[t] = event->reads[t] || (later[t] && !event->writes[t]);
        }
}

static uint32_t get_place(const struct runner *runner, uint32_t tensor)
{
    return runner->places ? runner->places->place[tensor] : tensor;
}

static void add_clash(struct runner *runner, uint32_t a, uint32_t b, uint64_t a_bytes)
{
    struct reference *reference = runner->reference;
    struct reference_clash clash = {get_place(runner, a), get_place(runner, b), a_bytes,
                                    runner->bytes[b]};
    if (clash.first_place == clash.second_place)
        return;
    if (clash.first_place > clash.second_place)
        clash = (struct reference_clash){clash.second_place, clash.first_place, clash.second_bytes,
                                         clash.first_bytes};
    for (uint32_t i = 0; i < reference->clashes; i++)
        if (memcmp(&reference->clash[i], &clash, sizeof clash) == 0)
            return;
    must(memory_reserve(&reference->clash, &reference->clash_capacity, reference->clashes + 1,
                        sizeof clash, &error));
    reference->clash[reference->clashes++] = clash;
}

/* A result is as large as what the taken branch yields. */
static uint64_t count_moved(const struct runner *runner, const struct move *move)
{
    uint32_t producer = runner->graph->tensor[move->target].producer;
    bool loop = producer != GRAPH_NONE && runner->graph->op[producer].loop;
    uint64_t bytes = runner->bytes[move->target];
    return !loop && runner->bytes[move->source] < bytes ? runner->bytes[move->source] : bytes;
}

/* What is moved must not hit what others are moved from at the same time, and what is written not
   what is needed. */
static void add_clashes(struct runner *runner, const struct path *path)
{
    for (uint32_t e = 0; e < path->events; e++) {
        const struct event *event = &path->event[e];
        for (uint32_t i = 0; i < event->moves; i++)
            for (uint32_t j = 0; j < event->moves; j++) {
                uint32_t target = event->move[i].target, source = event->move[j].source;
                if (i != j && source < REFERENCE_MOST_TENSORS && is_placed(runner, target) &&
                    is_placed(runner, source))
                    add_clash(runner, target, source, count_moved(runner, &event->move[i]));
            }
        for (uint32_t t = 0; t < runner->graph->tensors; t++)
            for (uint32_t u = 0; u < runner->graph->tensors; u++)
                if (t != u && event->writes[t] && path->needed[e][u] && is_placed(runner, t) &&
                    is_placed(runner, u))
                    add_clash(runner, t, u, runner->bytes[t]);
    }
}

static bool goes_alike(const struct path *a, const struct path *b, uint32_t event)
{
    return event < b->events && a->event[event].choices == b->event[event].choices &&
           memcmp(a->choices.choice, b->choices.choice,
                  a->event[event].choices * sizeof *a->choices.choice) == 0;
}

/* What is needed at the event on any path that goes alike up to there. */
static uint64_t sum_needed(const struct runner *runner, const struct path *paths, uint32_t count,
                           const struct path *path, uint32_t event)
{
    uint64_t most[REFERENCE_MOST_TENSORS] = {0}, sum = 0;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t t = 0; t < runner->graph->tensors && goes_alike(path, &paths[p], event); t++)
            if (paths[p].needed[event][t] && is_placed(runner, t) &&
                most[get_place(runner, t)] < runner->bytes[t])
                most[get_place(runner, t)] = runner->bytes[t];
    for (uint32_t t = 0; t < runner->graph->tensors; t++)
        sum += most[t];
    return sum;
}

bool reference_run(struct reference *reference, const struct graph *graph,
                   const struct result_places *places, uint32_t most_paths)
{
    static struct event events[MOST_EVENTS];
    struct path path = {.event = events};
    struct runner runner = {
        .reference = reference, .graph = graph, .places = places, .path = &path};
    struct path *paths = memory_allocate(most_paths, sizeof *paths);
    bool more = true;
    uint32_t count = 0;
    CU_ASSERT_FATAL(paths && graph->tensors <= REFERENCE_MOST_TENSORS);
    *reference = (struct reference){.graph = graph, .places = places};
    for (uint32_t t = 0; t < graph->tensors; t++)
        runner.bytes[t] = places ? runs_place_bytes(graph, t) : graph->tensor[t].bytes;
    for (; more && count < most_paths; count++) {
        run_path(&runner);
        struct path *kept = &paths[count];
        *kept = path;
        kept->event = memory_allocate(path.events, sizeof *path.event);
        kept->needed = memory_allocate(path.events, sizeof *path.needed);
        CU_ASSERT_FATAL(kept->event && kept->needed);
        memcpy(kept->event, path.event, path.events * sizeof *path.event);
        find_needed(kept, graph);
        add_clashes(&runner, kept);
        CU_ASSERT_FATAL(!path.choices.too_many);
        more = runs_advance(&path.choices);
    }
    for (uint32_t p = 0; p < count && !more; p++)
        for (uint32_t e = 0; e < paths[p].events; e++) {
            uint64_t sum = sum_needed(&runner, paths, count, &paths[p], e);
            if (reference->load_bytes < sum)
                reference->load_bytes = sum;
        }
    for (uint32_t p = 0; p < count; p++) {
        memory_free(paths[p].event);
        memory_free(paths[p].needed);
    }
    memory_free(paths);
    reference->paths = count;
    return !more;
}

void reference_free(struct reference *reference)
{
    memory_free(reference->clash);
    *reference = (struct reference){0};
}
