#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/network/script.h"
#include "planning/graph/build.h"

/* What the directives do with words[1], words[2] ... Of branches and loops, the layers between open
   and close run inside. */

static void begin_region(struct network *network, const char *name, double probability)
{
    if (!network->status)
        network_keep(network,
                     graph_open_region(network->graph, name, probability, &network->error));
}

static void end_region(struct network *network, const uint32_t *yields, uint32_t count)
{
    if (!network->status)
        network_keep(network, graph_close_region(network->graph, yields, count, &network->error));
}

/* Adds a tensor of the same shape as another one under a new name. */
static uint32_t add_like(struct network *network, const char *name, const char *kind,
                         uint32_t number, uint32_t like)
{
    char text[128];
    if (network->status)
        return 0;
    const struct graph_tensor copied = network->graph->tensor[like];
    uint32_t added = 0;
    const struct graph_tensor_spec spec = {.name = text,
                                           .has_shape = true,
                                           .dtype = copied.dtype,
                                           .dimensions = copied.dimension,
                                           .rank = copied.rank};
    snprintf(text, sizeof text, "%s.%s%u", name, kind, number);
    network_keep(network, graph_add_tensor(network->graph, &spec, &added, &network->error));
    return added;
}

static void close_operator(struct network *network, const uint32_t *output, uint32_t count)
{
    if (!network->status && network_keep(network, graph_operator_outputs(network->graph, output,
                                                                         count, &network->error)))
        graph_close_operator(network->graph);
}

/* set NAME [TENSOR] */
static void set(struct script *script, const struct script_words *words)
{
    uint32_t tensor = words->count > 2 ? script_find_tensor(script, words->word[2]) : script->last;
    if (strcmp(words->word[1], "last") == 0)
        script->last = tensor;
    else
        script_set_tensor(script, words->word[1], tensor);
}

/* output TENSOR... */
static void output(struct script *script, const struct script_words *words)
{
    uint32_t tensor[NETWORK_MOST_INPUTS], count = script_find_tensors(script, words, 1, tensor);
    for (uint32_t i = 0; i < count; i++)
        network_output(script->network, tensor[i]);
}

/* branches NAME TYPE [CONDITION] */
static void open_branches(struct script *script, const struct script_words *words)
{
    struct network *network = script->network;
    const char *type = words->count > 2 ? words->word[2] : "";
    uint32_t condition =
        words->count > 3 ? script_find_tensor(script, words->word[3]) : script->last;
    uint32_t added;
    if (!network->status &&
        network_keep(network, graph_open_operator(network->graph, words->word[1], type, &added,
                                                  &network->error)))
        network_keep(network,
                     graph_operator_inputs(network->graph, &condition, 1, &network->error));
}

/* region NAME [PROBABILITY] */
static void open_region(struct script *script, const struct script_words *words)
{
    begin_region(script->network, words->word[1],
                 words->count > 2 ? strtod(words->word[2], NULL) : -1);
}

/* yield TENSOR... */
static void close_region(struct script *script, const struct script_words *words)
{
    uint32_t tensor[NETWORK_MOST_INPUTS], count = script_find_tensors(script, words, 1, tensor);
    end_region(script->network, tensor, count);
}

/* join NAME OUTPUT...: what each output is called, which is as large as what the first region
   yields; the first is the last tensor then. */
static void close_branches(struct script *script, const struct script_words *words)
{
    struct network *network = script->network;
    const struct graph *graph = network->graph;
    uint32_t output[SCRIPT_MOST_WORDS] = {0}, count = words->count - 2;
    if (!network->status) {
        uint32_t first = graph->op[graph->building->open_operator].first_region;
        for (uint32_t i = 0; i < count; i++)
            output[i] = add_like(network, words->word[1], "out", i,
                                 graph->list[graph->region[first].yields.first + i]);
        close_operator(network, output, count);
    }
    for (uint32_t i = 0; i < count; i++)
        script_set_tensor(script, words->word[2 + i], output[i]);
    script->last = output[0];
}

/* loop NAME TURNS CARRIED...: each carried name stands for what goes in, from here on for what the
   turn starts with, and behind the loop for what the last turn left. */
static void open_loop(struct script *script, const struct script_words *words)
{
    struct network *network = script->network;
    struct graph *graph = network->graph;
    uint32_t value[SCRIPT_MOST_CARRIED];
    if (words->count < 3 || words->count - 3 > SCRIPT_MOST_CARRIED ||
        script->loops == SCRIPT_MOST_OPEN_LOOPS) {
        script_fail(script, "not enough or too much of", words->word[1]);
        return;
    }
    struct script_loop *loop = &script->loop[script->loops++];
    *loop = (struct script_loop){.turns = (uint32_t)strtoul(words->word[2], NULL, 10),
                                 .values = words->count - 3};
    snprintf(loop->label, sizeof loop->label, "%s", words->word[1]);
    for (uint32_t i = 0; i < loop->values; i++) {
        value[i] = script_find_tensor(script, words->word[3 + i]);
        loop->name[i] = script_set_tensor(script, words->word[3 + i], value[i]);
    }
    if (network->status || !network_keep(network, graph_open_operator(graph, loop->label, "Loop",
                                                                      &loop->op, &network->error)))
        return;
    graph->op[loop->op].loop = true;
    graph->op[loop->op].trip_count = loop->turns;
    for (uint32_t i = 0; i < loop->values && !network->status; i++) {
        /* What it yields is known only when the loop is closed. */
        struct graph_carried carried = {.init = value[i], .yield = value[i]};
        carried.argument = add_like(network, loop->label, "carried", i, value[i]);
        carried.result = add_like(network, loop->label, "out", i, value[i]);
        loop->result[i] = carried.result;
        script->tensor[loop->name[i]] = carried.argument;
        if (!network->status)
            network_keep(network, graph_operator_carried(graph, &carried, &network->error));
    }
    begin_region(network, "body", -1);
}

/* next [EACH]: the next turn starts with what the carried names stand for now. The last tensor is
   then what every turn gave as EACH, [batch, features], side by side: [batch, turns, features]. */
static void close_loop(struct script *script, const struct script_words *words)
{
    struct network *network = script->network;
    struct graph *graph = network->graph;
    bool gathers = words->count > 1;
    if (!script->loops) {
        script_fail(script, "no loop is open at", words->word[0]);
        return;
    }
    uint32_t each = gathers ? script_find_tensor(script, words->word[1]) : 0;
    const struct script_loop *loop = &script->loop[--script->loops];
    end_region(network, &each, gathers);
    if (network->status)
        return;
    uint32_t outputs[SCRIPT_MOST_CARRIED + 1], count = loop->values;
    for (uint32_t i = 0; i < loop->values; i++) {
        uint32_t *tensor = &script->tensor[loop->name[i]];
        graph->carried[graph->op[loop->op].carried.first + i].yield = *tensor;
        outputs[i] = *tensor = loop->result[i];
    }
    if (gathers) {
        char name[128];
        const uint64_t dimension[] = {network_shape(network, each)[0], loop->turns,
                                      network_channels(network, each)};
        snprintf(name, sizeof name, "%s.series", loop->label);
        outputs[count++] = script->last = network_tensor(network, name, dimension, 3, 0);
    }
    close_operator(network, outputs, count);
}

static const struct directive {
    const char *name;
    void (*run)(struct script *script, const struct script_words *words);
    uint32_t words; /* at least, with its name */
} directives[] = {
    {"set", set, 2},
    {"output", output, 2},
    {"branches", open_branches, 3},
    {"region", open_region, 2},
    {"yield", close_region, 1},
    {"join", close_branches, 3},
    {"loop", open_loop, 3},
    {"next", close_loop, 1},
};

bool script_run_directive(struct script *script, const struct script_words *words)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (strcmp(directives[i].name, words->word[0]) == 0) {
            if (words->count < directives[i].words)
                script_fail(script, "not enough of", words->word[0]);
            else
                directives[i].run(script, words);
            return true;
        }
    return false;
}
