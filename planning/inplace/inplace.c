#include "planning/inplace/inplace.h"

#include <string.h>

#include "core/memory.h"
#include "planning/inplace/pass.h"

const struct graph_operator *inplace_operator(const struct inplace_pass *pass)
{
    return &pass->graph->op[pass->op];
}

struct inplace_pair inplace_get_pair(const struct inplace_pass *pass, uint32_t input_position,
                                     uint32_t output_position)
{
    const struct graph_operator *plain = inplace_operator(pass);
    return (struct inplace_pair){input_position, output_position,
                                 pass->graph->list[plain->inputs.first + input_position],
                                 pass->graph->list[plain->outputs.first + output_position]};
}

bool inplace_is_written_beside(const struct inplace_pass *pass, uint32_t tensor)
{
    uint32_t producer = pass->graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE)
        return false;
    const struct graph_operator *writer = &pass->graph->op[producer];
    return writer->first_region == GRAPH_NONE && writer->region == inplace_operator(pass)->region;
}

static bool is_taken(const struct inplace_pass *pass, uint32_t input)
{
    struct span outputs = inplace_operator(pass)->outputs;
    for (uint32_t i = 0; i < outputs.count; i++)
        if (pass->placement->overwrites[pass->graph->list[outputs.first + i]] == input)
            return true;
    return false;
}

bool inplace_may_share(const struct inplace_pass *pass, const struct inplace_pair *pair)
{
    const struct graph_tensor *input = &pass->graph->tensor[pair->input];
    const struct graph_tensor *output = &pass->graph->tensor[pair->output];
    return !input->external && !output->external && output->bytes <= input->bytes &&
           !pass->yields[pair->input] && !pass->yields[pair->output] &&
           pass->placement->overwrites[pair->output] == GRAPH_NONE && !is_taken(pass, pair->input);
}

bool inplace_is_last_use(const struct inplace_pass *pass, uint32_t tensor)
{
    return pass->pending[pass->root[tensor]] == 1;
}

bool inplace_is_output(const struct inplace_pass *pass, uint32_t tensor)
{
    return pass->is_output[tensor];
}

void inplace_merge(struct inplace_pass *pass, const struct inplace_pair *pair, bool is_view)
{
    uint32_t root = pass->root[pair->input];
    pass->placement->overwrites[pair->output] = pair->input;
    pass->placement->is_view[pair->output] = is_view;
    pass->root[pair->output] = root;
    pass->pending[root] += pass->uses[pair->output];
}

static bool is_declared(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    struct span pairs = graph->op[o].inplace;
    for (uint32_t i = 0; i < pairs.count; i += 2) {
        const uint32_t *pair = &graph->list[pairs.first + i];
        if (pair[0] == input && pair[1] == output)
            return true;
    }
    return false;
}

/* By its type. Some types have more outputs in training than at inference, and then keep more. */
static bool is_listed(const struct graph *graph, uint32_t o, const struct inplace_type *type,
                      uint32_t input, uint32_t output)
{
    const struct graph_operator *plain = &graph->op[o];
    if (!type || plain->outputs.count != 1 || output != 0 || input >= 32 ||
        !(type->inputs >> input & 1))
        return false;
    return graph->tensor[graph->list[plain->inputs.first + input]].bytes ==
           graph->tensor[graph->list[plain->outputs.first]].bytes;
}

bool inplace_is_allowed(const struct inplace_pass *pass, uint32_t input_position,
                        uint32_t output_position)
{
    const struct graph_operator *plain = inplace_operator(pass);
    return input_position < plain->inputs.count && output_position < plain->outputs.count &&
           (is_declared(pass->graph, pass->op, input_position, output_position) ||
            is_listed(pass->graph, pass->op, pass->type, input_position, output_position));
}

static bool writes_variable(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    const struct graph_operator *plain = &graph->op[o];
    return inplace_type_is(graph_label(graph, plain->type), INPLACE_TYPE_ASSIGN,
                           strlen(INPLACE_TYPE_ASSIGN)) &&
           plain->inputs.count == 2 && plain->outputs.count == 1 && input == 0 && output == 0;
}

bool inplace_is_possible(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    const char *type = graph_label(graph, graph->op[o].type);
    return graph->op[o].first_region == GRAPH_NONE &&
           (is_declared(graph, o, input, output) ||
            is_listed(graph, o, inplace_type_find(type), input, output) ||
            writes_variable(graph, o, input, output));
}

void inplace_try_pairs(struct inplace_pass *pass,
                       void (*attempt)(struct inplace_pass *pass, const struct inplace_pair *pair))
{
    const struct graph_operator *plain = inplace_operator(pass);
    for (uint32_t i = 0; i < plain->inplace.count; i += 2) {
        const uint32_t *position = &pass->graph->list[plain->inplace.first + i];
        struct inplace_pair pair = inplace_get_pair(pass, position[0], position[1]);
        attempt(pass, &pair);
    }
    for (uint32_t i = 0; i < plain->inputs.count; i++)
        if (is_listed(pass->graph, pass->op, pass->type, i, 0)) {
            struct inplace_pair pair = inplace_get_pair(pass, i, 0);
            attempt(pass, &pair);
        }
}

bool inplace_is_view(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    const struct graph_operator *plain = &graph->op[o];
    const struct inplace_type *type = inplace_type_find(graph_label(graph, plain->type));
    return type && type->view && input == 0 && output == 0 && plain->inputs.count &&
           plain->outputs.count == 1 &&
           graph->tensor[graph->list[plain->inputs.first]].bytes ==
               graph->tensor[graph->list[plain->outputs.first]].bytes;
}

static void count_each(const struct inplace_pass *pass, struct span tensors, uint32_t *counts)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        counts[pass->graph->list[tensors.first + i]]++;
}

static void mark_outputs(struct inplace_pass *pass)
{
    struct span outputs = pass->graph->region[0].yields;
    for (uint32_t i = 0; i < outputs.count; i++)
        pass->is_output[pass->graph->list[outputs.first + i]] = true;
}

static void count_all_uses(struct inplace_pass *pass)
{
    const struct graph *graph = pass->graph;
    for (uint32_t o = 0; o < graph->operators; o++)
        count_each(pass, graph->op[o].inputs, pass->uses);
    for (uint32_t r = 0; r < graph->regions; r++) {
        count_each(pass, graph->region[r].yields, pass->uses);
        if (r > 0)
            count_each(pass, graph->region[r].yields, pass->yields);
    }
    mark_outputs(pass);
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        pass->uses[graph->carried[c].init]++;
        pass->uses[graph->carried[c].yield]++;
        pass->yields[graph->carried[c].yield]++;
    }
    for (uint32_t t = 0; t < graph->tensors; t++) {
        pass->pending[t] = pass->uses[t];
        pass->root[t] = t;
    }
}

/* What the operator reads itself. Uses as yields are never over: a region is left later, and a loop
   comes back to what its turns read, but then the tensor was not written in the same region. */
static void end_uses(struct inplace_pass *pass, uint32_t o)
{
    const struct graph *graph = pass->graph;
    const struct graph_operator *reader = &graph->op[o];
    for (uint32_t i = 0; i < reader->inputs.count; i++)
        pass->pending[pass->root[graph->list[reader->inputs.first + i]]]--;
    for (uint32_t c = 0; c < reader->carried.count; c++)
        pass->pending[pass->root[graph->carried[reader->carried.first + c].init]]--;
}

static bool is_disabled(const char *disabled, const char *type)
{
    while (disabled && *disabled) {
        size_t length = strcspn(disabled, ",");
        if (inplace_type_is(type, disabled, length))
            return true;
        disabled += length + (disabled[length] == ',');
    }
    return false;
}

static void merge_operator(struct inplace_pass *pass, const struct inplace_rules *rules)
{
    const struct graph_operator *merged = inplace_operator(pass);
    if (merged->first_region == GRAPH_NONE)
        rules->merge(pass);
    else if (merged->loop && rules->merge_loop)
        rules->merge_loop(pass);
}

static void merge_all(struct inplace_pass *pass, const struct inplace_choice *choice)
{
    const struct graph *graph = pass->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const char *type = graph_label(graph, graph->op[o].type);
        pass->op = o;
        pass->type = inplace_type_find(type);
        if (choice->rules->merge_loop)
            inplace_enter_region(pass, o);
        if (!is_disabled(choice->disabled, type))
            merge_operator(pass, choice->rules);
        end_uses(pass, o);
    }
}

enum status inplace_apply(const struct graph *graph, const struct inplace_choice *choice,
                          struct placement *placement, struct error *error)
{
    struct inplace_pass pass = {.graph = graph, .placement = placement};
    enum status status;
    if (!choice->rules || !choice->rules->merge)
        return STATUS_OK;
    TRY_OR_DONE(status, memory_create(&pass.root, graph->tensors, sizeof *pass.root, error));
    TRY_OR_DONE(status, memory_create(&pass.yields, graph->tensors, sizeof *pass.yields, error));
    TRY_OR_DONE(status, memory_create(&pass.uses, graph->tensors, sizeof *pass.uses, error));
    TRY_OR_DONE(status, memory_create(&pass.pending, graph->tensors, sizeof *pass.pending, error));
    TRY_OR_DONE(status,
                memory_create(&pass.is_output, graph->tensors, sizeof *pass.is_output, error));
    count_all_uses(&pass);
    merge_all(&pass, choice);
done:
    memory_free(pass.root);
    memory_free(pass.uses);
    memory_free(pass.yields);
    memory_free(pass.pending);
    memory_free(pass.is_output);
    return status;
}
