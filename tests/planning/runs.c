#include "planning/runs.h"

uint32_t runs_choose(struct run_choices *choices, uint32_t options)
{
    if (choices->made == RUNS_MOST_CHOICES) {
        choices->too_many = true;
        return 0;
    }
    if (choices->made == choices->count) {
        choices->options[choices->count] = options;
        choices->choice[choices->count++] = 0;
    }
    return choices->choice[choices->made++];
}

bool runs_advance(struct run_choices *choices)
{
    while (choices->count) {
        uint32_t last = choices->count - 1;
        if (++choices->choice[last] < choices->options[last])
            return true;
        choices->count--;
    }
    return false;
}

uint64_t runs_place_bytes(const struct graph *graph, uint32_t tensor)
{
    const struct graph_tensor *found = &graph->tensor[tensor];
    uint64_t most = 0;
    if (found->external || !graph_is_branch_result(graph, tensor))
        return found->bytes;
    const struct graph_operator *branching = &graph->op[found->producer];
    uint32_t output = graph_position(graph, branching->outputs, tensor);
    for (uint32_t r = branching->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint64_t bytes = runs_place_bytes(graph, graph_yield(graph, r, output));
        most = bytes > most ? bytes : most;
    }
    return most;
}
