#include "planning/inplace/pass.h"

#include <assert.h>

#include "core/memory.h"

const struct graph_operator *inplace_operator(const struct inplace_pass *pass)
{
    assert(pass->op < pass->graph->operators);
    return &pass->graph->op[pass->op];
}

struct inplace_pair inplace_get_pair(const struct inplace_pass *pass, uint32_t input_position,
                                     uint32_t output_position)
{
    const struct graph_operator *plain = inplace_operator(pass);
    assert(input_position < plain->inputs.count && output_position < plain->outputs.count);
    return (struct inplace_pair){input_position, output_position,
                                 pass->graph->list[plain->inputs.first + input_position],
                                 pass->graph->list[plain->outputs.first + output_position]};
}

bool inplace_is_written_beside(const struct inplace_pass *pass, uint32_t tensor)
{
    uint32_t producer = pass->graph->tensor[tensor].producer;
    assert(tensor < pass->graph->tensors);
    if (producer == GRAPH_NONE)
        return false;
    const struct graph_operator *writer = &pass->graph->op[producer];
    return writer->first_region == GRAPH_NONE && writer->region == inplace_operator(pass)->region;
}

static uint64_t count_elements(const struct graph_tensor *tensor)
{
    uint64_t elements = 1;
    assert(tensor->has_shape && tensor->rank <= GRAPH_MOST_DIMENSIONS);
    for (uint32_t i = 0; i < tensor->rank; i++)
        elements *= tensor->dimension[i];
    return elements;
}

bool inplace_are_alike(const struct inplace_pass *pass, const struct inplace_pair *pair)
{
    const struct graph_tensor *input = &pass->graph->tensor[pair->input];
    const struct graph_tensor *output = &pass->graph->tensor[pair->output];
    return input->bytes == output->bytes && (!input->has_shape || !output->has_shape ||
                                             count_elements(input) == count_elements(output));
}

bool inplace_fits(const struct inplace_pass *pass, const struct inplace_pair *pair)
{
    assert(pair->input < pass->graph->tensors && pair->output < pass->graph->tensors);
    const struct graph_tensor *input = &pass->graph->tensor[pair->input];
    const struct graph_tensor *output = &pass->graph->tensor[pair->output];
    return !input->external && !output->external && output->device == input->device &&
           output->bytes <= input->bytes && !pass->yields[pair->input] &&
           !pass->yields[pair->output];
}

bool inplace_may_share(const struct inplace_pass *pass, const struct inplace_pair *pair)
{
    struct span outputs = inplace_operator(pass)->outputs;
    assert(pair->input < pass->graph->tensors && pair->output < pass->graph->tensors);
    const uint32_t *overwrites = pass->placement->overwrites;
    for (uint32_t i = 0; i < outputs.count; i++)
        if (overwrites[pass->graph->list[outputs.first + i]] == pair->input)
            return false;
    return inplace_fits(pass, pair) && overwrites[pair->output] == GRAPH_NONE;
}

bool inplace_is_last_use(const struct inplace_pass *pass, uint32_t tensor)
{
    assert(pass->found || pass->root[pass->root[tensor]] == pass->root[tensor]);
    if (!pass->found)
        return pass->pending[pass->root[tensor]] == 1;
    /* In some order it is the last use, unless the operator itself or the graph has another one. */
    struct span inputs = inplace_operator(pass)->inputs;
    uint32_t reads = 0;
    for (uint32_t i = 0; i < inputs.count; i++)
        reads += pass->graph->list[inputs.first + i] == tensor;
    return reads == 1 && !pass->is_output[tensor];
}

bool inplace_may_die(const struct inplace_pass *pass, const struct inplace_pair *pair)
{
    return inplace_may_share(pass, pair) && inplace_is_last_use(pass, pair->input) &&
           !pass->is_output[pair->output];
}

void inplace_list(struct inplace_pass *pass, const struct inplace_possible *possible)
{
    struct inplace_possibles *found = pass->found;
    if (!pass->status)
        pass->status = memory_reserve(&found->pair, &found->capacity, (size_t)found->count + 1,
                                      sizeof *found->pair, pass->error);
    if (!pass->status)
        found->pair[found->count++] = *possible;
}

void inplace_merge(struct inplace_pass *pass, const struct inplace_pair *pair, bool is_view)
{
    uint32_t root = pass->root[pair->input];
    assert(pair->input != pair->output && root < pass->graph->tensors);
    if (pass->found) {
        /* The output counts as in the place of the first input that it may be written over: a rule
           that asks who uses the place asks no more than in any order then. */
        inplace_list(pass,
                     &(struct inplace_possible){pass->op, pair->input, pair->output, is_view});
        if (pass->root[pair->output] == pair->output)
            pass->root[pair->output] = root;
        return;
    }
    assert(pass->placement->overwrites[pair->output] == GRAPH_NONE);
    assert(pass->root[root] == root && pass->root[pair->output] == pair->output);
    assert(pass->graph->tensor[pair->output].bytes <= pass->graph->tensor[pair->input].bytes);
    pass->placement->overwrites[pair->output] = pair->input;
    pass->placement->is_view[pair->output] = is_view;
    pass->root[pair->output] = root;
    pass->pending[root] += pass->uses[pair->output];
}

void inplace_part(struct inplace_pass *pass, uint32_t tensor)
{
    uint32_t root = pass->root[tensor];
    assert(root != tensor && pass->pending[root] >= pass->uses[tensor]);
    pass->placement->overwrites[tensor] = GRAPH_NONE;
    pass->placement->is_view[tensor] = false;
    pass->pending[root] -= pass->uses[tensor];
    pass->root[tensor] = tensor;
}

bool inplace_is_allowed(const struct inplace_pass *pass, uint32_t input_position,
                        uint32_t output_position)
{
    const struct graph_operator *plain = inplace_operator(pass);
    return input_position < plain->inputs.count && output_position < plain->outputs.count &&
           (inplace_is_declared(pass->graph, pass->op, input_position, output_position) ||
            inplace_is_listed(pass->graph, pass->op, pass->type, input_position, output_position));
}

void inplace_try_pairs(struct inplace_pass *pass,
                       void (*attempt)(struct inplace_pass *pass, const struct inplace_pair *pair))
{
    const struct graph_operator *plain = inplace_operator(pass);
    for (uint32_t i = 0; i < plain->inplace.count; i += 2) {
        const uint32_t *position = &pass->graph->list[plain->inplace.first + i];
        assert(position[0] < plain->inputs.count && position[1] < plain->outputs.count);
        struct inplace_pair pair = inplace_get_pair(pass, position[0], position[1]);
        attempt(pass, &pair);
    }
    for (uint32_t i = 0; i < plain->inputs.count; i++)
        if (inplace_is_listed(pass->graph, pass->op, pass->type, i, 0)) {
            struct inplace_pair pair = inplace_get_pair(pass, i, 0);
            attempt(pass, &pair);
        }
}
