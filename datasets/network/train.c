#include <stdio.h>
#include <string.h>

#include "core/scratch.h"
#include "datasets/network/layer.h"
#include "planning/graph/build.h"

/* Backward operators for a finished forward graph, last operator first. Each reads the gradient of
   its operator's output and the tensors that the table below names, which therefore stay live until
   then. It writes a gradient for each input that depends on weights, and one for its weights. Where
   a tensor is read several times, its gradients are added up one after another. */

enum { KEEPS_NOTHING = 0, KEEPS_INPUT = 1, KEEPS_OUTPUT = 2, HANDS_ON = 4 };
enum { MOST_NAME_BYTES = 160, MOST_USES = 200 };

/* Which tensors each type's backward operator reads; types that are not listed need both. HANDS_ON:
   the gradient is passed on unchanged. */
static const struct {
    const char *type;
    unsigned keeps;
} rules[] = {
#define BACKWARD(type, keeps) {type, keeps},
#include "datasets/network/backward.def"
#undef BACKWARD
};

struct trainer {
    struct network *network;
    /* [tensors] gradient of each tensor of the forward graph, GRAPH_NONE until there is one */
    uint32_t *gradient;
    bool *wanted; /* [tensors] whether an operator writes it, so that a gradient is needed */
};

/* The tensors that one backward operator reads or writes. */
struct uses {
    uint32_t tensor[MOST_USES], count;
};

static void use(struct trainer *trainer, struct uses *uses, uint32_t tensor)
{
    if (uses->count == MOST_USES)
        network_fail(trainer->network, "an operator has too many tensors to train it");
    else
        uses->tensor[uses->count++] = tensor;
}

/* Adds a tensor of the same shape as another one. */
static uint32_t add_like(struct trainer *trainer, const char *name, uint32_t like, unsigned kind)
{
    const struct graph_tensor copied = trainer->network->graph->tensor[like];
    return network_tensor(trainer->network, name, copied.dimension, copied.rank, kind);
}

struct backward {
    const char *name, *type;
    const struct uses *inputs, *outputs;
    int64_t flops;
    bool inplace; /* its first output may be written over its first input */
};

static void add_operator(struct trainer *trainer, const struct backward *backward)
{
    static const uint32_t pair[] = {0, 0};
    struct network *network = trainer->network;
    struct graph *graph = network->graph;
    struct error *error = &network->error;
    const struct uses *inputs = backward->inputs, *outputs = backward->outputs;
    uint32_t added = 0;
    if (network->status ||
        !network_keep(network,
                      graph_open_operator(graph, backward->name, backward->type, &added, error)))
        return;
    graph->op[added].flops = backward->flops;
    if (network_keep(network, graph_operator_inputs(graph, inputs->tensor, inputs->count, error)) &&
        network_keep(network,
                     graph_operator_outputs(graph, outputs->tensor, outputs->count, error)) &&
        network_keep(network, graph_operator_inplace(graph, pair, backward->inplace, error)))
        graph_close_operator(graph);
}

/* Adds a gradient, which comes through input number `input` of operator o, to the gradient that the
   tensor has so far. */
static void accumulate(struct trainer *trainer, uint32_t o, uint32_t input, uint32_t tensor,
                       uint32_t gradient)
{
    struct network *network = trainer->network;
    char name[MOST_NAME_BYTES];
    uint32_t before = trainer->gradient[tensor];
    trainer->gradient[tensor] = gradient;
    if (before == GRAPH_NONE || network->status)
        return;
    snprintf(name, sizeof name, "%s.accumulate%u",
             graph_label(network->graph, network->graph->op[o].name), input);
    struct uses inputs = {{before, gradient}, 2}, sum = {{add_like(trainer, name, tensor, 0)}, 1};
    add_operator(trainer, &(struct backward){name, "Add", &inputs, &sum,
                                             (int64_t)network_elements(network, tensor), true});
    trainer->gradient[tensor] = sum.tensor[0];
}

/* Lists what a backward operator writes: the gradients of the inputs and those of the weights,
   which stay outside the arena unless operators update the weights. */
static void list_outputs(struct trainer *trainer, const struct graph_operator *forward,
                         struct uses *outputs)
{
    struct network *network = trainer->network;
    struct graph *graph = network->graph;
    char name[MOST_NAME_BYTES];
    for (uint32_t i = 0; i < forward->inputs.count; i++) {
        uint32_t tensor = graph->list[forward->inputs.first + i];
        snprintf(name, sizeof name, "%s.gradient%u", graph_label(graph, forward->name), i);
        if (trainer->wanted[tensor])
            use(trainer, outputs, add_like(trainer, name, tensor, 0));
    }
    for (uint32_t i = 0; i < forward->weights.count; i++) {
        const struct graph_weight weight = graph->weight[forward->weights.first + i];
        uint32_t tensor = 0;
        snprintf(name, sizeof name, "%s.weight_gradient%u", graph_label(graph, forward->name), i);
        if (network->status ||
            !network_keep(network, graph_add_tensor(graph,
                                                    &(struct graph_tensor_spec){
                                                        .name = name,
                                                        .bytes = weight.bytes,
                                                        .external = !network->options.updates},
                                                    &tensor, &network->error)))
            return;
        use(trainer, outputs, tensor);
    }
}

/* Passes the gradient of an operator's output on to its inputs, through a backward operator unless
   it is handed on unchanged. */
static void go_back(struct trainer *trainer, uint32_t o)
{
    const struct graph *graph = trainer->network->graph;
    const struct graph_operator forward = graph->op[o];
    const char *type = graph_label(graph, forward.type);
    uint32_t output = graph->list[forward.outputs.first], next = 0;
    uint32_t gradient = trainer->gradient[output];
    unsigned keeps = KEEPS_INPUT | KEEPS_OUTPUT;
    struct uses inputs = {.count = 0}, outputs = {.count = 0};
    if (gradient == GRAPH_NONE)
        return;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].type, type) == 0)
            keeps = rules[i].keeps;
    if (!(keeps & HANDS_ON)) {
        char name[MOST_NAME_BYTES], backward[MOST_NAME_BYTES];
        use(trainer, &inputs, gradient);
        for (uint32_t i = 0; keeps & KEEPS_INPUT && i < forward.inputs.count; i++)
            use(trainer, &inputs, graph->list[forward.inputs.first + i]);
        if (keeps & KEEPS_OUTPUT)
            use(trainer, &inputs, output);
        snprintf(name, sizeof name, "%s.backward", graph_label(graph, forward.name));
        snprintf(backward, sizeof backward, "%sGrad", type);
        list_outputs(trainer, &forward, &outputs);
        if (!outputs.count)
            return;
        add_operator(trainer,
                     &(struct backward){name, backward, &inputs, &outputs,
                                        forward.flops * (forward.weights.count ? 2 : 1),
                                        forward.inplace.count &&
                                            trainer->wanted[graph->list[forward.inputs.first]]});
    }
    for (uint32_t i = 0; i < forward.inputs.count && !trainer->network->status; i++) {
        uint32_t tensor = graph->list[forward.inputs.first + i];
        if (trainer->wanted[tensor])
            accumulate(trainer, o, i, tensor, keeps & HANDS_ON ? gradient : outputs.tensor[next++]);
    }
}

/* Adds the operator that compares the outputs with targets from outside, and gives the loss and the
   first gradients. */
static uint32_t add_loss(struct trainer *trainer)
{
    static const uint64_t one = 1;
    struct network *network = trainer->network;
    struct uses inputs = {.count = 0}, outputs = {.count = 0};
    char name[MOST_NAME_BYTES];
    uint32_t loss = network_tensor(network, "loss", &one, 1, 0);
    use(trainer, &outputs, loss);
    for (uint32_t i = 0; i < network->outputs && !network->status; i++) {
        uint32_t output = network->output[i];
        use(trainer, &inputs, output);
        snprintf(name, sizeof name, "target%u", i);
        use(trainer, &inputs, add_like(trainer, name, output, NETWORK_EXTERNAL));
        snprintf(name, sizeof name, "loss.gradient%u", i);
        trainer->gradient[output] = add_like(trainer, name, output, 0);
        use(trainer, &outputs, trainer->gradient[output]);
    }
    add_operator(trainer, &(struct backward){"loss", "Loss", &inputs, &outputs, -1, false});
    return loss;
}

/* Adds the operator that makes a new weight from its gradient, if there is one. */
static void update_weight(struct trainer *trainer, uint32_t o, uint32_t weight)
{
    static const char *const written[] = {"step", "new"};
    struct network *network = trainer->network;
    struct graph *graph = network->graph;
    const char *label = graph_label(graph, graph->op[o].name);
    char name[MOST_NAME_BYTES];
    struct uses inputs = {.count = 0}, outputs = {.count = 0};
    snprintf(name, sizeof name, "%s.weight_gradient%u", label, weight);
    uint32_t gradient = names_find(&graph->tensor_names, name);
    if (gradient == NAMES_NONE)
        return;
    use(trainer, &inputs, gradient);
    for (int i = 0; i < 2 && !network->status; i++) {
        uint32_t tensor = 0;
        snprintf(name, sizeof name, "%s.weight_%s%u", label, written[i], weight);
        network_keep(network,
                     graph_add_tensor(graph,
                                      &(struct graph_tensor_spec){
                                          .name = name, .bytes = graph->tensor[gradient].bytes},
                                      &tensor, &network->error));
        use(trainer, &outputs, tensor);
    }
    snprintf(name, sizeof name, "%s.update%u", label, weight);
    add_operator(trainer, &(struct backward){name, "Update", &inputs, &outputs, -1, false});
}

uint32_t network_train(struct network *network)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct trainer trainer = {.network = network};
    struct graph *graph = network->graph;
    uint32_t operators = graph->operators, tensors = graph->tensors;
    if (graph_has_control_flow(graph))
        return network_fail(network, "'%s' has branches or loops, training needs a plain graph",
                            graph_name(graph));
    if (!network_keep(network, scratch_take(&scratch, &trainer.gradient, tensors,
                                            sizeof *trainer.gradient, &network->error)) ||
        !network_keep(network, scratch_take(&scratch, &trainer.wanted, tensors,
                                            sizeof *trainer.wanted, &network->error)))
        return 0;
    for (uint32_t t = 0; t < tensors; t++)
        trainer.gradient[t] = GRAPH_NONE;
    for (uint32_t o = 0; o < operators; o++)
        for (uint32_t i = 0; i < graph->op[o].outputs.count; i++)
            trainer.wanted[graph->list[graph->op[o].outputs.first + i]] = true;
    uint32_t loss = add_loss(&trainer);
    for (uint32_t o = operators; o-- > 0 && !network->status;)
        go_back(&trainer, o);
    /* The weights of the first operator first, as optimisers go through the parameters. */
    for (uint32_t o = 0; o < operators && network->options.updates; o++)
        for (uint32_t i = 0; i < graph->op[o].weights.count && !network->status; i++)
            update_weight(&trainer, o, i);
    return loss;
}
