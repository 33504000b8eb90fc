#include "planning/moves/steps.h"

#include <math.h>

#include "core/memory.h"
#include "planning/memories/traffic.h"

static void set_step(struct move_problem *problem, uint32_t step, uint32_t op, double runs)
{
    problem->op[step] = op;
    problem->region[step] = op == GRAPH_NONE ? 0 : problem->graph->op[op].region;
    /* The nearest whole number; halves go up even where adding has left a little less. */
    double parts = runs * MOVE_RUN_PARTS;
    problem->runs[step] = (uint64_t)floor(parts + 0.5 + fmin(parts * 1e-12, 1e-3));
}

/* A section is what runs without entering or leaving a region in between. */
static void number_sections(struct move_problem *problem)
{
    uint32_t section = 0;
    for (uint32_t step = 0; step < problem->steps; step++) {
        uint32_t op = problem->op[step];
        bool leaves = op != GRAPH_NONE && problem->enter[op] != step;
        if (step && (leaves || problem->region[step] != problem->region[step - 1]))
            section++;
        problem->section[step] = section;
    }
}

enum status move_steps_create(struct move_problem *problem, struct error *error)
{
    const struct graph *graph = problem->graph;
    SCOPED(memory_release) double *runs = NULL;
    enum { MOST_RUNS_LOG = 40 };
    TRY(memory_create(&problem->enter, graph->operators, sizeof(uint32_t), error));
    TRY(memory_create(&problem->leave, graph->operators, sizeof(uint32_t), error));
    TRY(memory_create(&runs, graph->operators, sizeof *runs, error));
    problem->steps = graph_number_steps(graph, problem->enter, problem->leave) + 2;
    TRY(memory_create(&problem->op, problem->steps, sizeof(uint32_t), error));
    TRY(memory_create(&problem->region, problem->steps, sizeof(uint32_t), error));
    TRY(memory_create(&problem->section, problem->steps, sizeof(uint32_t), error));
    TRY(memory_create(&problem->runs, problem->steps, sizeof(uint64_t), error));
    traffic_count_runs(graph, runs);
    set_step(problem, 0, GRAPH_NONE, 1);
    set_step(problem, problem->steps - 1, GRAPH_NONE, 1);
    for (uint32_t o = 0; o < graph->operators; o++) {
        if (runs[o] >= (double)(UINT64_C(1) << MOST_RUNS_LOG))
            return error_set(error, STATUS_BAD_INPUT,
                             "found operator '%s', which runs 2^%d times or more, expected fewer",
                             graph_label(graph, graph->op[o].name), MOST_RUNS_LOG);
        set_step(problem, ++problem->enter[o], o, runs[o]);
        set_step(problem, ++problem->leave[o], o, runs[o]);
    }
    number_sections(problem);
    return STATUS_OK;
}
